import type {ApiObject, Status} from '@orch-api/orch/sdk';
import type {TestClient, TestResponse} from '@orch-api/orch/testing';
import {testOnEachStore} from '../../../helpers/each-store.js';
import {webhookService} from '../../../helpers/webhook-service.js';
import {
  byWebhook,
  clientConfig,
  conversionWebhook,
  converting,
  establishConverted,
  faithful,
  silence,
  success,
  widget,
  type ConversionWebhook,
  type Converter,
} from './conversion-fixture.js';
import {freshGroup, type Json} from './definition-fixture.js';

/** What a failed conversion says, without the object's type. */
function told(group: string, response: TestResponse): string {
  const {code, reason, message = ''} = response.json<Status>();
  const start = `conversion webhook for ${group}/v1, Kind=Widget failed: `;
  if (code !== 500 || reason !== 'InternalError' || !message.startsWith(start)) throw new Error(`${code} ${reason} ${message}`);
  return message.slice(start.length);
}

interface Served {
  readonly group: string;
  readonly webhook: ConversionWebhook;
  readonly v1: string;
  readonly v2: string;
}

interface Context {
  readonly client: TestClient;
  path(resource: string, groupVersion: string): string;
}

const metadata: Json = {name: 'w', labels: {a: 'b'}, annotations: {note: 'first'}, finalizers: ['example.com/held']};

/** A converted type with one object that is stored in v1. */
async function serve(t: {teardown(work: () => Promise<void>): void}, {client, path}: Context): Promise<Served> {
  const group = freshGroup();
  const webhook = await conversionWebhook(t as never);
  await establishConverted(client, group, byWebhook(clientConfig(webhook)));
  const [v1, v2] = [path('widgets', `${group}/v1`), path('widgets', `${group}/v2`)];
  const made = await client.post(v1, {...widget(group, 'w', 'v1'), metadata});
  if (made.status !== 201) throw new Error(made.body.toString());
  return {group, webhook, v1, v2};
}

const storeTest = testOnEachStore();

storeTest(
  '[A-CRD-17] a webhook that is down fails requests in other versions only, and what it was needed for is not done',
  async (t, context) => {
    const {client} = context;
    const {group, webhook, v1, v2} = await serve(t, context);
    await webhook.stop();
    const {port} = webhook;
    const reason = `Post "https://127.0.0.1:${port}/convert?timeout=30s": cannot connect to 127.0.0.1:${port} (ECONNREFUSED)`;
    t.is(told(group, await client.get(`${v2}/w`)), reason);
    t.is(told(group, await client.get(v2)), reason);
    t.is(told(group, await client.patch(`${v2}/w`, {spec: {width: 1}})), reason);
    const created = await client.post(v2, widget(group, 'x', 'v2'));
    t.is(created.json<Status>().message, `conversion webhook for ${group}/v2, Kind=Widget failed: ${reason}`);

    t.is((await client.get(`${v1}/w`)).status, 200);
    t.is((await client.get(v1)).json<{items: unknown[]}>().items.length, 1);
    t.is((await client.patch(`${v1}/w`, {spec: {size: '5x6'}, metadata: {finalizers: []}})).json<{spec: Json}>().spec['size'], '5x6');
    t.is((await client.post(v1, widget(group, 'y', 'v1'))).status, 201);
    t.is((await client.delete(`${v1}/y`)).status, 200);
    t.is((await client.get(`${v1}/x`)).status, 404);
  },
);

storeTest('an answer that is no conversion fails the request with what is wrong with it', async (t, context) => {
  const {client} = context;
  const {group, webhook, v2} = await serve(t, context);
  const answers: [Converter, string | RegExp][] = [
    [() => ({}), /^expected webhook response of apiextensions\.orch\/v1, Kind=ConversionReview, got , Kind=$/],
    [
      (review) => ({...(faithful(review) as Json), apiVersion: 'apiextensions.orch/v1beta1'}),
      /^expected webhook response of .* got apiextensions\.orch\/v1beta1, Kind=ConversionReview$/,
    ],
    [({apiVersion, kind}) => ({apiVersion, kind}), 'no response provided'],
    [
      (review) => success({...review, request: {...review.request, uid: 'other'}}, []),
      /^expected response\.uid="[0-9a-f-]{36}", got "other"$/,
    ],
    [
      ({apiVersion, kind, request: {uid}}) => ({apiVersion, kind, response: {uid, result: {status: 'Failure', message: 'no such size'}}}),
      'no such size',
    ],
    [
      ({apiVersion, kind, request: {uid}}) => ({apiVersion, kind, response: {uid, result: {status: 'Failure'}}}),
      "response.result.status was 'Failure', not 'Success'",
    ],
    [({apiVersion, kind, request: {uid}}) => ({apiVersion, kind, response: {uid}}), "response.result.status was '', not 'Success'"],
    [(review) => success(review, []), 'it returned 0 objects, expected 1'],
    [(review) => success(review, [{}, {}]), 'it returned 2 objects, expected 1'],
    [(review) => success(review, ['text']), 'it returned an invalid object at index 0: it is no object'],
    [
      converting((object) => ({...object, apiVersion: `${group}/v1`})),
      `it returned an invalid object at index 0: invalid groupVersion (expected ${group}/v2, received ${group}/v1)`,
    ],
    [
      converting((object) => ({...object, kind: 'Gadget'})),
      'it returned an invalid object at index 0: invalid kind (expected Widget, received Gadget)',
    ],
    [() => 'oops: secret', /: the answer is not JSON$/],
    [({apiVersion, kind}) => ({apiVersion, kind, response: {uid: {a: 'secret'}}}), /^expected response\.uid="[0-9a-f-]{36}", got object$/],
    [() => ({apiVersion: 'x'.repeat(1000)}), /, got text of 1000 letters, Kind=$/],
  ];
  for (const [convert, expected] of answers) {
    webhook.convert = convert;
    const message = told(group, await client.get(`${v2}/w`));
    if (typeof expected === 'string') t.is(message, expected);
    else t.regex(message, expected);
  }
  t.is(webhook.reviews.length, answers.length, 'a failed call is not repeated');
  webhook.convert = faithful;
  t.is((await client.get(`${v2}/w`)).status, 200);
});

storeTest(
  'what a target answers that is no conversion does not come to the caller, who may have chosen the target',
  async (t, {client, path}) => {
    const group = freshGroup();
    const service = await webhookService(t, (_body, response) => {
      response.statusCode = 403;
      response.end('the secret of a neighbour');
    });
    await establishConverted(client, group, byWebhook(clientConfig(service)));
    t.is((await client.post(path('widgets', `${group}/v1`), widget(group, 'w', 'v1'))).status, 201);
    const message = told(group, await client.get(`${path('widgets', `${group}/v2`)}/w`));
    t.is(message, `Post "${service.url}/convert?timeout=30s": the service answers with status 403`);
  },
);

storeTest('a webhook must not touch what an object is', async (t, context) => {
  const {client} = context;
  const {group, webhook, v2} = await serve(t, context);
  const broken: [(metadata: Json) => unknown, string][] = [
    [() => undefined, 'missing metadata in converted object'],
    [() => 'text', 'invalid metadata of type string in converted object'],
    [(given) => ({...given, name: 'x'}), 'must have the same name: w != x'],
    [(given) => ({...given, namespace: 'other'}), 'must have the same namespace: NAMESPACE != other'],
    [(given) => ({...given, namespace: null}), 'must have the same namespace: NAMESPACE != '],
    [(given) => ({...given, uid: 'other'}), 'must have the same UID: UID != other'],
    [(given) => ({...given, labels: 'x'}), 'invalid metadata.labels of type string in converted object'],
    [(given) => ({...given, labels: {a: 5}}), 'metadata.labels[a] must be a string, but is number in converted object'],
    [
      (given) => ({...given, labels: {a: 'b c'}}),
      "metadata.labels: Invalid value: \"b c\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    ],
    [
      (given) => ({...given, annotations: {'a b': 'c'}}),
      "metadata.annotations: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    ],
  ];
  for (const [change, expected] of broken) {
    let original = {} as ApiObject['metadata'];
    webhook.convert = converting((object) => {
      original = object.metadata;
      return {...object, metadata: change(object.metadata)};
    });
    const message = told(group, await client.get(`${v2}/w`));
    const start = `it returned an invalid object at index 0: ${expected.replace('NAMESPACE', original.namespace!).replace('UID != ', `${original.uid} != `)}`;
    t.is(message.slice(0, start.length), start);
  }
});

storeTest('of the metadata a webhook changes labels and annotations, and nothing else', async (t, context) => {
  const {client} = context;
  const {webhook, v1, v2} = await serve(t, context);
  const before = (await client.get(`${v1}/w`)).json<ApiObject>().metadata;
  webhook.convert = converting((object) => {
    const {name, namespace, uid} = object.metadata;
    return {
      ...object,
      metadata: {
        name,
        namespace,
        uid,
        labels: {c: 'd'},
        finalizers: ['example.com/mine'],
        generation: 77,
        resourceVersion: '1',
        creationTimestamp: null,
        managedFields: [],
        ownerReferences: [{}],
        selfLink: '/x',
      },
    };
  });
  const after = (await client.get(`${v2}/w`)).json<ApiObject>().metadata;
  const {annotations: _dropped, ...rest} = before;
  t.deepEqual(after, {...rest, labels: {c: 'd'}});
  t.deepEqual((await client.get(`${v1}/w`)).json<ApiObject>().metadata, before);
});

const slowTest = testOnEachStore({configuration: {plugins: {apiextensions: {config: {conversionTimeoutMilliseconds: 1000}}}}});

slowTest(
  'a webhook that does not answer fails the request when the time limit is up, and other requests are served meanwhile',
  async (t, context) => {
    const {client} = context;
    const {group, webhook, v1, v2} = await serve(t, context);
    webhook.convert = () => silence;
    const begun = performance.now();
    let isOver = false;
    const slow = client.get(`${v2}/w`).finally(() => (isOver = true));
    t.is((await client.get(`${v1}/w`)).status, 200);
    t.false(isOver);
    t.regex(told(group, await slow), /^Post "https:.*\/convert\?timeout=1s": no answer within 1 s$/);
    t.true(performance.now() - begun >= 999);
  },
);
