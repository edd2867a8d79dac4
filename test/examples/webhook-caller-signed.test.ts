import {createHmac, randomBytes} from 'node:crypto';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import type {WebhookError} from '../../sdk/index.js';
import {SignedWebhooks} from '../../examples/webhook-caller-signed/plugin.js';
import {tempFolder} from '../helpers/temp-folder.js';
import {answer, webhookService} from '../helpers/webhook-service.js';
import {startWithExample} from './example-server.js';

const key = randomBytes(32);

test('the conversion webhook of a definition gets signed calls', async (t) => {
  const keyFile = join(tempFolder(t, 'orch-signing-'), 'key');
  writeFileSync(keyFile, key);
  const signatures: boolean[] = [];
  const service = await webhookService(t, (body, response, request) => {
    const expected = `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
    signatures.push(request.headers['x-signature'] === expected);
    const {apiVersion, kind, request: review} = JSON.parse(body) as {apiVersion: string; kind: string; request: Review};
    const convertedObjects = review.objects.map((object) => ({...object, apiVersion: review.desiredAPIVersion}));
    answer(response, {apiVersion, kind, response: {uid: review.uid, result: {status: 'Success'}, convertedObjects}});
  });
  const {client} = await startWithExample(t, 'webhook-caller-signed', {
    platform: 'kubernetes',
    flags: {'webhook-signing-key-file': keyFile},
  });
  const version = (name: string, storage: boolean) => ({
    name,
    storage,
    served: true,
    schema: {openAPIV3Schema: {type: 'object', properties: {size: {type: 'integer'}}}},
  });
  const made = await client.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: {name: 'plots.example.com'},
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: {plural: 'plots', kind: 'Plot'},
      versions: [version('v1', true), version('v2', false)],
      conversion: {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1'],
          clientConfig: {url: `${service.url}/convert`, caBundle: Buffer.from(service.ca).toString('base64')},
        },
      },
    },
  });
  t.is(made.status, 201, made.body.toString());
  const path = (name: string) => `/apis/example.com/${name}/namespaces/default/plots`;
  let stored = await client.post(path('v1'), {apiVersion: 'example.com/v1', kind: 'Plot', metadata: {name: 'a'}, size: 3});
  for (let attempt = 0; stored.status === 404 && attempt < 200; attempt += 1) {
    stored = await client.post(path('v1'), {apiVersion: 'example.com/v1', kind: 'Plot', metadata: {name: 'a'}, size: 3});
  }
  t.is(stored.status, 201, stored.body.toString());
  const read = await client.get(`${path('v2')}/a`);
  t.is(read.status, 200, read.body.toString());
  t.like(read.json(), {apiVersion: 'example.com/v2', size: 3});
  t.deepEqual([...new Set(signatures)], [true]);
});

test('a service that does not answer in time, or with something else, is told by a code', async (t) => {
  const keyFile = join(tempFolder(t, 'orch-signing-'), 'key');
  writeFileSync(keyFile, key);
  const caller = new SignedWebhooks({keyFile});
  const service = await webhookService(t, (body, response) => {
    if (body.includes('garbage')) answer(response, 'no JSON');
    if (body.includes('refuse')) answer(response, {}, 500);
  });
  const codeOf = async (what: string) => {
    const error = await t.throwsAsync<WebhookError>(
      caller.call({url: service.url, caBundle: service.ca, timeoutMillis: what === 'silence' ? 50 : 5000}, {what}),
    );
    return error.code;
  };
  t.deepEqual([await codeOf('garbage'), await codeOf('refuse'), await codeOf('silence')], ['BadAnswer', 'Refused', 'Timeout']);
  const error = await t.throwsAsync<WebhookError>(caller.call({url: service.url, timeoutMillis: 5000}, {}));
  t.is(error.code, 'Unreachable', 'the authority is not trusted');
});

interface Review {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly object[];
}
