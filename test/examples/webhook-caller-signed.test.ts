import {createHmac, randomBytes} from 'node:crypto';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
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

test('the call is passed on as it is but for the header', async (t) => {
  const keyFile = join(tempFolder(t, 'orch-signing-'), 'key');
  writeFileSync(keyFile, key);
  const target = {service: {namespace: 'default', name: 'hooks'}, timeoutMillis: 5000, headers: {'x-other': 'kept'}};
  const passed: unknown[] = [];
  await new SignedWebhooks({keyFile}).call(target, {a: 1}, undefined, async (...call) => {
    passed.push(...call);
    return {};
  });
  const signature = `sha256=${createHmac('sha256', key).update('{"a":1}').digest('hex')}`;
  t.deepEqual(passed, [{...target, headers: {'x-other': 'kept', 'x-signature': signature}}, '{"a":1}']);
});

interface Review {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly object[];
}
