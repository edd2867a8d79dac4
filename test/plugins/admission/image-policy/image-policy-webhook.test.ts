import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {AnswerCache} from '../../../../plugins/admission/image-policy-webhook/answer-cache.js';
import {startTestServer, type ServerOptions} from '@orch-api/orch/testing';
import {admissionConfiguration} from '../../../helpers/admission-configuration.js';
import {testOnEachStore, type StoreContext} from '../../../helpers/each-store.js';
import {recordingLogger} from '../../../helpers/recording-logger.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {answer, webhookService} from '../../../helpers/webhook-service.js';
import {assertFailure} from '../../../semantics/answers.js';

const eachStore = testOnEachStore();

interface ImageReview {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: {readonly containers: {image: string}[]; readonly annotations?: Record<string, string>; readonly namespace: string};
}

/** Settings of a server that asks the service at an address. */
function settings(t: ExecutionContext, url: string, ca: string, imagePolicy: object = {}): ServerOptions {
  const folder = tempFolder(t);
  const kubeConfigFile = join(folder, 'policy.kubeconfig');
  const cluster = {server: `${url}/policy`, 'certificate-authority-data': Buffer.from(ca).toString('base64')};
  writeFileSync(kubeConfigFile, JSON.stringify({clusters: [{name: 'policy', cluster}], users: [{name: 'me', user: {token: 'secret'}}]}));
  const configuration = {imagePolicy: {kubeConfigFile, retryBackoff: 1, ...imagePolicy}};
  return {
    admissionControlConfigFile: admissionConfiguration(t, 'ImagePolicyWebhook', configuration),
    enableAdmissionPlugins: ['ImagePolicyWebhook'],
    disableAdmissionPlugins: ['ServiceAccount'],
    runtimeConfig: {'imagepolicy.orch/v1alpha1': true},
  };
}

/** A service that answers what a test says, and a server that asks it. */
async function setUp(
  t: ExecutionContext,
  {start}: StoreContext,
  reply: (review: ImageReview) => object | number,
  imagePolicy: object = {},
) {
  const reviews: ImageReview[] = [];
  const requests: string[] = [];
  const service = await webhookService(t, (body, response, request) => {
    const review = JSON.parse(body) as ImageReview;
    reviews.push(review);
    requests.push(`${request.method} ${request.url} ${request.headers['content-type']} ${request.headers.authorization}`);
    const said = reply(review);
    if (typeof said === 'number') answer(response, {}, said);
    else answer(response, {apiVersion: review.apiVersion, kind: 'ImageReview', ...said});
  });
  const log = recordingLogger();
  const server = await start({...settings(t, service.url, service.ca, imagePolicy), logger: log.logger});
  const create = (name: string, image: string, metadata: object = {}, more: object = {}) =>
    server.client.post('/api/v1/namespaces/default/pods', {
      metadata: {name, ...metadata},
      spec: {containers: [{name: 'c', image}], ...more},
    });
  return {reviews, requests, create, server, log};
}

eachStore(
  'the service is asked about the images of a new pod, with the annotations that are meant for it [B-IMG-1] [B-IMG-3] [B-IMG-4]',
  async (t, context) => {
    const {reviews, requests, create} = await setUp(t, context, () => ({status: {allowed: true}}));
    const annotations = {'mine.image-policy.orch/ticket': 'any <text>', 'other.example.com/x': 'y', 'image-policy.orch/none': 'z'};
    const made = await create('one', 'a:1', {annotations}, {initContainers: [{name: 'i', image: 'b:2'}]});
    t.is(made.status, 201, made.body.toString());
    t.deepEqual(reviews, [
      {
        apiVersion: 'imagepolicy.orch/v1alpha1',
        kind: 'ImageReview',
        metadata: {},
        spec: {
          containers: [{image: 'a:1'}, {image: 'b:2'}],
          annotations: {'mine.image-policy.orch/ticket': 'any <text>'},
          namespace: 'default',
        },
        status: {allowed: false},
      } as never,
    ]);
    t.deepEqual(requests, ['POST /policy application/json Bearer secret']);
  },
);

eachStore('pods are admitted and rejected as the service says, whatever it says of the spec [B-IMG-5] [B-IMG-6]', async (t, context) => {
  const {create} = await setUp(t, context, ({spec}) => {
    const [{image} = {image: ''}] = spec.containers;
    if (image === 'plain') return {status: {allowed: false}, spec: {containers: [{image: 'good'}]}};
    return {status: {allowed: image === 'good', reason: 'not scanned'}, spec: {containers: [], namespace: 'x'}};
  });
  const made = await create('good', 'good');
  t.is(made.status, 201);
  t.is(made.json<{spec: {containers: {image: string}[]}}>().spec.containers[0]!.image, 'good');
  const refused = assertFailure(t, await create('bad', 'bad'), 403, 'Forbidden');
  t.is(refused.message, 'pods "bad" is forbidden: image policy webhook backend denied one or more images: not scanned');
  t.is(
    assertFailure(t, await create('plain', 'plain'), 403, 'Forbidden').message,
    'pods "plain" is forbidden: one or more images rejected by webhook backend',
  );
});

eachStore(
  'ephemeral containers are reviewed when they are added, by themselves; other updates only ask what is known',
  async (t, context) => {
    const {reviews, create, server} = await setUp(t, context, ({spec}) => ({
      status: {allowed: spec.containers.every(({image}) => image !== 'evil')},
    }));
    await create('one', 'a');
    await server.client.patch('/api/v1/namespaces/default/pods/one', {metadata: {labels: {a: 'b'}}});
    t.is(reviews.length, 1);
    const debug = (image: string) =>
      server.client.request('PATCH', '/api/v1/namespaces/default/pods/one/ephemeralcontainers', {
        headers: {'content-type': 'application/strategic-merge-patch+json'},
        body: {spec: {ephemeralContainers: [{name: `d-${image}`, image}]}},
      });
    assertFailure(t, await debug('evil'), 403, 'Forbidden');
    t.is((await debug('tools')).status, 200);
    t.deepEqual(
      reviews.map(({spec}) => spec.containers.map(({image}) => image)),
      [['a'], ['evil'], ['tools']],
    );
    const changed = await server.client.patch('/api/v1/namespaces/default/pods/one', {spec: {containers: [{name: 'c', image: 'evil'}]}});
    assertFailure(t, changed, 403, 'Forbidden');
  },
);

eachStore('answers are remembered for a time, or not at all', async (t, context) => {
  const cached = await setUp(t, context, () => ({status: {allowed: true}}), {allowTTL: 50, denyTTL: -1});
  for (const name of ['one', 'two']) t.is((await cached.create(name, 'same')).status, 201);
  t.is(cached.reviews.length, 1);
  const forgetful = await setUp(t, context, () => ({status: {allowed: true}}), {allowTTL: -1});
  for (const name of ['one', 'two']) await forgetful.create(name, 'same');
  t.is(forgetful.reviews.length, 2);
});

eachStore('a service that cannot be asked is tried five times; then the default decides, and the log says so once', async (t, context) => {
  const strict = await setUp(t, context, () => 503);
  assertFailure(
    t,
    await strict.create('one', 'a'),
    403,
    'Forbidden',
    /the image policy webhook cannot be called: the service answers with status 503/,
  );
  t.is(strict.reviews.length, 5);
  await strict.create('one', 'b');
  t.is(strict.log.lines.filter(({message}) => message === 'the image policy webhook fails').length, 1);
  const open = await setUp(t, context, () => 404, {defaultAllow: true});
  t.is((await open.create('one', 'a')).status, 201);
  // What will not be better at the next try is not tried again.
  t.is(open.reviews.length, 1);
});

test('the callback needs its group to be turned on, and a configuration that can be used [B-IMG-2]', async (t) => {
  const good = settings(t, 'https://127.0.0.1:1', 'x');
  t.regex(
    (await t.throwsAsync(startTestServer({...good, runtimeConfig: {}}))).message,
    /needs the group of its review: --runtime-config=imagepolicy\.orch\/v1alpha1=true/,
  );
  const without = {enableAdmissionPlugins: ['ImagePolicyWebhook'], runtimeConfig: {'imagepolicy.orch/v1alpha1': true}};
  t.regex((await t.throwsAsync(startTestServer(without))).message, /needs a configuration with imagePolicy/);
  for (const [fault, message] of [
    [{allowTTL: 1801}, /imagePolicy\.allowTTL must be a number from 1 to 1800, or -1 for none, not 1801/],
    [{retryBackoff: 'x'}, /imagePolicy\.retryBackoff must be a number/],
    [{defaultAllow: 'yes'}, /defaultAllow must be true or false/],
    [{kubeConfigFile: 'here.yaml'}, /kubeConfigFile must be an absolute path/],
    [{allowTtl: 1}, /unknown field allowTtl/],
  ] as const)
    t.regex((await t.throwsAsync(startTestServer(settings(t, 'https://127.0.0.1:1', 'x', fault)))).message, message);
});

test('no more answers are kept than the cache has room for, and the one used longest ago goes', (t) => {
  const cache = new AnswerCache<number>();
  for (let index = 0; index < 1024; index += 1) cache.set(String(index), index, 1000, 0);
  t.is(cache.get('0', 1), 0);
  cache.set('new', 1, 1000, 1);
  t.is(cache.size, 1024);
  t.is(cache.get('1', 1), undefined);
  t.is(cache.get('0', 1), 0);
  t.is(cache.get('0', 1000), undefined);
});

eachStore('what a service says at length is cut: its answers are remembered', async (t, context) => {
  const long = 'x'.repeat(300_000);
  const {create} = await setUp(t, context, () => ({status: {allowed: false, reason: long, auditAnnotations: {[long]: '', note: long}}}));
  const refused = assertFailure(t, await create('bad', 'bad'), 403, 'Forbidden');
  t.true(refused.message.length < 5000, `${refused.message.length} characters`);
});
