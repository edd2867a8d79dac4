import {on} from 'node:events';
import test, {type ExecutionContext} from 'ava';
import {orch} from '../../../../core/api/naming/orch.js';
import {SchemaCatalog} from '../../../../core/api/object-schema/schema-catalog.js';
import {MetricRegistry} from '../../../../core/metrics/metric-registry.js';
import {AdmissionBroadcast} from '../../../../core/registry/write/admission-events.js';
import {ServerExpressions} from '../../../../core/catalog/server-expressions.js';
import {MutatingAdmissionWebhook} from '../../../../plugins/admission/mutating-webhook/plugin.js';
import {WebhookServices} from '../../../../plugins/families/admission-webhooks/webhook-controller.js';
import {HttpsWebhookCaller} from '../../../../plugins/webhooks/https/plugin.js';
import {
  StatusError,
  type AccessReviewer,
  type AdmissionRequest,
  type ResourceClient,
  type WebhookCallEvent,
} from '../../../../sdk/index.js';
import {admissionRequest} from '../../../helpers/admission-request.js';
import {recordingLogger} from '../../../helpers/recording-logger.js';
import {answer, webhookService} from '../../../helpers/webhook-service.js';
import {patching} from './hook-tests.js';

const served = {
  group: 'admissionregistration.orch',
  version: 'v1',
  resource: 'mutatingwebhookconfigurations',
  kind: 'X',
  namespaced: false,
  verbs: [],
};

/** The controller with one webhook per given definition, which a real service answers. */
async function setUp(t: ExecutionContext, definitions: readonly object[], reply: (path: string) => object | number) {
  const service = await webhookService(t, (body, response, request) => {
    const {apiVersion, request: asked} = JSON.parse(body) as {apiVersion: string; request: {uid: string}};
    const said = reply(new URL(request.url!, 'https://x').pathname);
    if (typeof said === 'number') answer(response, {}, said);
    else answer(response, {apiVersion, kind: 'AdmissionReview', response: {uid: asked.uid, ...said}});
  });
  const webhooks = definitions.map((definition, index) => ({
    name: `h${index}.example.com`,
    clientConfig: {url: `${service.url}/h${index}`, caBundle: Buffer.from(service.ca).toString('base64')},
    rules: [{operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*']}],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...definition,
  }));
  const resources = {
    resources: () => [served],
    list: () => Promise.resolve({items: [{metadata: {name: 'stored'}, webhooks}], metadata: {resourceVersion: '1'}}),
    // Nothing changes until the controller stops.
    watch: (_ref: unknown, _namespace: string, {signal}: {signal: AbortSignal}) => on(new EventTarget(), 'change', {signal}),
  } as unknown as ResourceClient;
  const events = new AdmissionBroadcast();
  const told: WebhookCallEvent[] = [];
  events.listen({webhookDone: (call) => void told.push(call)});
  const caller = new HttpsWebhookCaller(resources, orch);
  const expressions = new ServerExpressions(new SchemaCatalog(orch));
  const {logger} = recordingLogger();
  // Only match conditions ask what users may do.
  const access = {} as AccessReviewer;
  const configurations = {get: () => undefined};
  const gates = {enabled: () => false};
  const metrics = new MetricRegistry();
  const services = new WebhookServices(resources, orch, caller, events, configurations, gates, expressions, access, metrics, logger);
  const controller = new MutatingAdmissionWebhook(services);
  await controller.start();
  t.teardown(async () => {
    await controller.stop();
    await caller.stop();
  });
  return {controller, told};
}

/** A request that keeps its notes, by level. */
function noting(change: Partial<AdmissionRequest> = {}) {
  const notes: [level: string, key: string, value: unknown][] = [];
  const request = admissionRequest({
    annotate: (key, value, level = 'Metadata') => void notes.push([level, key, value.startsWith('{') ? JSON.parse(value) : value]),
    patch: () => Promise.resolve(true),
    ...change,
  });
  return {request, notes};
}

test('a call that patched leaves a note of level Request with the patch, beside the one that every call leaves [B-AUDIT-1] [B-AUDIT-2] [B-AUDIT-4]', async (t) => {
  const patch = [{op: 'add', path: '/data', value: {a: 'b'}}];
  const {controller} = await setUp(t, [{}, {}], (path) => (path === '/h1' ? patching(patch) : {allowed: true}));
  const {request, notes} = noting();
  await controller.admit(request);
  const [configuration, first, second] = ['stored', 'h0.example.com', 'h1.example.com'];
  t.deepEqual(notes, [
    ['Metadata', 'mutation.webhook.admission.orch/round_0_index_0', {configuration, webhook: first, mutated: false}],
    ['Request', 'patch.webhook.admission.orch/round_0_index_1', {configuration, webhook: second, patch, patchType: 'JSONPatch'}],
    ['Metadata', 'mutation.webhook.admission.orch/round_0_index_1', {configuration, webhook: second, mutated: true}],
  ]);
});

test('a stored webhook without a review version that the server knows fails when it is called, and its policy decides [B-HOOK-31]', async (t) => {
  const versions = {admissionReviewVersions: ['v2']};
  const strict = await setUp(t, [versions], () => ({allowed: true}));
  const error = await t.throwsAsync<StatusError>(async () => strict.controller.admit(noting().request), {instanceOf: StatusError});
  t.is(error.code, 500);
  t.is(
    error.message,
    'Internal error occurred: failed calling webhook "h0.example.com": could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
  );
  const open = await setUp(t, [{...versions, failurePolicy: 'Ignore'}], () => ({allowed: true}));
  t.is(await open.controller.admit(noting().request), false);
});

test('a dry run never reaches a stored webhook with side effects, whatever its policy is [A-DRY-12]', async (t) => {
  let calls = 0;
  const {controller} = await setUp(t, [{sideEffects: 'Some', failurePolicy: 'Ignore'}], () => ({allowed: ++calls > 0}));
  const error = await t.throwsAsync<StatusError>(async () => controller.admit(noting({dryRun: true}).request), {instanceOf: StatusError});
  t.is(error.message, 'admission webhook "h0.example.com" does not support dry run');
  t.is(error.code, 400);
  t.is(calls, 0);
});

test('whoever counts is told of each call: what came of it, how long it took, and why it failed', async (t) => {
  const replies: readonly (object | number)[] = [
    {allowed: true},
    500,
    {allowed: false, status: {code: 403}},
    500,
    {allowed: false, status: {code: 700}},
    {allowed: true, patchType: 'JSONPatch', patch: 'bm9uZQ=='},
  ];
  const {controller, told} = await setUp(
    t,
    replies.map((_, index) => ({failurePolicy: index === 1 ? 'Ignore' : 'Fail', objectSelector: {matchLabels: {[`h${index}`]: 'yes'}}})),
    (path) => replies[Number(path.slice(2))]!,
  );
  const common = {type: 'admit', operation: 'CREATE'};
  const expected = [
    {code: 200, error: 'no_error', rejected: false, failedOpen: false},
    {code: 0, error: 'calling_webhook_error', rejected: false, failedOpen: true},
    {code: 403, error: 'no_error', rejected: true, failedOpen: false},
    {code: 0, error: 'calling_webhook_error', rejected: true, failedOpen: false},
    {code: 600, error: 'no_error', rejected: true, failedOpen: false},
    {code: 0, error: 'apiserver_internal_error', rejected: true, failedOpen: false},
  ];
  for (const index of replies.keys()) {
    const {request} = noting({object: {metadata: {name: 'a', labels: {[`h${index}`]: 'yes'}}}});
    await Promise.resolve(controller.admit(request)).catch(() => undefined);
  }
  t.deepEqual(
    told.map(({seconds, ...call}) => (t.true(seconds > 0), call)),
    expected.map((call, index) => ({name: `h${index}.example.com`, ...common, ...call})) as never,
  );
});
