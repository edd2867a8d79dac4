import test from 'ava';
import type {ApiObject} from '../../../../sdk/index.js';
import {faultyFields, servedGroup} from '../served-group.js';

const client = servedGroup(test);
const path = '/api/v1/namespaces/default/pods';
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';

interface Answer extends ApiObject {
  message?: string;
  reason?: string;
  spec: Record<string, unknown>;
  status: {
    conditions?: {type: string; status: string; reason?: string}[];
    disruptionsAllowed?: number;
    disruptedPods?: Record<string, string>;
  };
  details?: {causes?: {reason: string; message: string}[]; retryAfterSeconds?: number};
}

async function made(name: string, labels: Record<string, string> = {}): Promise<Answer> {
  const response = await client().post(path, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {name, labels},
    spec: {containers: [{name: 'main', image: 'web:1'}]},
  });
  if (response.status !== 201) throw new Error(response.body.toString());
  return response.json<Answer>();
}

/** A pod that serves, and counts for its budget. */
async function serving(name: string, labels: Record<string, string>): Promise<void> {
  await made(name, labels);
  await client().patch(`${path}/${name}/status`, {status: {phase: 'Running', conditions: [{type: 'Ready', status: 'True'}]}});
}

const binding = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Binding',
  metadata: {name},
  target: {kind: 'Node', name: 'n1'},
  ...more,
});
const eviction = (name: string, more: object = {}) => ({apiVersion: 'policy/v1', kind: 'Eviction', metadata: {name}, ...more});
const evict = (name: string, body: unknown = eviction(name), query = '') => client().post(`${path}/${name}/eviction${query}`, body);

async function budget(name: string, app: string, status: object): Promise<void> {
  const made = await client().post(budgets, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: {name},
    spec: {minAvailable: 1, selector: {matchLabels: {app}}},
  });
  if (made.status !== 201) throw new Error(made.body.toString());
  await client().patch(`${budgets}/${name}/status`, {
    status: {observedGeneration: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2, ...status},
  });
}

test('a binding puts a pod on a machine, once', async (t) => {
  await made('bound');
  const first = await client().post(`${path}/bound/binding`, binding('bound', {metadata: {name: 'bound', annotations: {why: 'room'}}}));
  t.is(first.status, 201);
  t.is(first.json<Answer>().kind, 'Status');
  const pod = (await client().get(`${path}/bound`)).json<Answer>();
  t.is(pod.spec['nodeName'], 'n1');
  t.is(pod.metadata.annotations?.['why'], 'room');
  t.like(pod.status.conditions?.[0], {type: 'PodScheduled', status: 'True'});
  const second = await client().post(`${path}/bound/binding`, binding('bound'));
  t.is(second.status, 409);
  t.is(second.json<Answer>().message, 'Operation cannot be fulfilled on pods/binding "bound": pod bound is already assigned to node "n1"');
});

test('bindings as a type of their own do the same and store nothing', async (t) => {
  await made('bound-too');
  const bindings = '/api/v1/namespaces/default/bindings';
  t.is((await client().post(bindings, binding('bound-too'))).status, 201);
  t.is((await client().get(`${path}/bound-too`)).json<Answer>().spec['nodeName'], 'n1');
  t.is((await client().get(bindings)).status, 405);
});

test('a binding that cannot be is refused', async (t) => {
  await made('unbound');
  const post = (body: unknown) => client().post(`${path}/unbound/binding`, body);
  t.deepEqual(faultyFields(await post(binding('unbound', {target: {kind: 'Zone'}}))), ['target.kind', 'target.name']);
  t.is((await post(binding('other'))).status, 400);
  t.is((await post({...binding('unbound'), metadata: {}})).status, 400, 'it names its pod');
  t.is((await post(binding('unbound', {metadata: {name: 'unbound', uid: 'another'}}))).status, 409);
  t.is((await client().post(`${path}/none/binding`, binding('none'))).status, 404);
  t.is((await client().post(`${path}/unbound/binding?dryRun=All`, binding('unbound'))).status, 201);
  t.is((await client().get(`${path}/unbound`)).json<Answer>().spec['nodeName'], undefined);
});

test('of many schedulers one binds a pod', async (t) => {
  await made('wanted');
  const answers = await Promise.all(
    Array.from({length: 8}, (_, index) => client().post(`${path}/wanted/binding`, binding('wanted', {target: {name: `n${index}`}}))),
  );
  t.deepEqual(answers.map(({status}) => status).sort(), [201, 409, 409, 409, 409, 409, 409, 409]);
  const winner = answers.findIndex(({status}) => status === 201);
  t.is((await client().get(`${path}/wanted`)).json<Answer>().spec['nodeName'], `n${winner}`);
});

test('an eviction deletes a pod and stores no object of its own [A-SVC-8]', async (t) => {
  await made('evicted');
  const answer = await evict('evicted');
  t.is(answer.status, 201);
  t.like(answer.json<Answer>(), {kind: 'Status', status: 'Success'} as never);
  t.is((await client().get(`${path}/evicted`)).status, 404);
  t.is((await client().get('/apis/policy/v1/namespaces/default/evictions')).status, 404);
});

test('evictions are read in both versions of their group', async (t) => {
  await made('evicted-beta');
  t.is((await evict('evicted-beta', {...eviction('evicted-beta'), apiVersion: 'policy/v1beta1'})).status, 201);
  await made('kept');
  t.is((await evict('kept', {...eviction('kept'), apiVersion: 'policy/v2'})).status, 400);
  t.is((await evict('kept', eviction('other'))).status, 400);
  t.is((await evict('kept', {...eviction('kept'), metadata: {}})).status, 400, 'it names its pod');
  t.is((await evict('kept', eviction('kept', {deleteOptions: {preconditions: {uid: 'another'}}}))).status, 409);
  t.is((await evict('kept', eviction('kept'), '?dryRun=All')).status, 201);
  t.is((await evict('kept', eviction('kept', {deleteOptions: {dryRun: ['All']}}))).status, 201);
  t.is((await client().get(`${path}/kept`)).status, 200);
});

test('a budget lets as many pods go as it allows, and notes them', async (t) => {
  await serving('web-1', {app: 'web'});
  await serving('web-2', {app: 'web'});
  await budget('web', 'web', {disruptionsAllowed: 1});
  t.is((await evict('web-1', eviction('web-1'), '?dryRun=All')).status, 201);
  t.is((await client().get(`${budgets}/web`)).json<Answer>().status.disruptionsAllowed, 1);
  t.is((await evict('web-1')).status, 201);
  const {status} = (await client().get(`${budgets}/web`)).json<Answer>();
  t.is(status.disruptionsAllowed ?? 0, 0);
  t.deepEqual(Object.keys(status.disruptedPods ?? {}), ['web-1']);

  const refused = await evict('web-2');
  t.is(refused.status, 429);
  const body = refused.json<Answer>();
  t.is(body.message, "Cannot evict pod as it would violate the pod's disruption budget.");
  t.deepEqual(body.details?.causes, [
    {reason: 'DisruptionBudget', message: 'The disruption budget web does not allow evicting pods currently'},
  ]);
  t.is(refused.headers['retry-after'], undefined, 'clients would repeat the eviction by themselves until it is allowed');
  t.like(status.conditions, [{type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods'}]);
  t.is((await client().get(`${path}/web-2`)).status, 200);
});

test('a budget whose status is out of date lets nothing go', async (t) => {
  await serving('late-1', {app: 'late'});
  await budget('late', 'late', {disruptionsAllowed: 1, observedGeneration: 0});
  const refused = await evict('late-1');
  t.is(refused.status, 429);
  t.is(refused.json<Answer>().details?.causes?.[0]?.message, 'The disruption budget late is still being processed by the server.');
  t.is(refused.headers['retry-after'], '10');
});

test('a budget that has fewer healthy pods than it needs, or could not be counted, says so', async (t) => {
  await serving('few-1', {app: 'few'});
  await budget('few', 'few', {disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 2});
  const cause = async () => (await evict('few-1')).json<Answer>().details?.causes?.[0]?.message;
  t.is(await cause(), 'The disruption budget few needs 2 healthy pods and has 1 currently');
  const conditions = [
    {type: 'DisruptionAllowed', status: 'False', reason: 'SyncFailed', message: 'no scale', lastTransitionTime: '2026-01-01T00:00:00Z'},
  ];
  await client().patch(`${budgets}/few/status`, {status: {conditions}});
  t.is(await cause(), 'The disruption budget few does not allow evicting pods currently because it failed sync: no scale');
});

test('pods that serve nobody do not ask the budget', async (t) => {
  await budget('strict', 'strict', {disruptionsAllowed: 0});
  await made('strict-pending', {app: 'strict'});
  t.is((await evict('strict-pending')).status, 201);
  await made('strict-failed', {app: 'strict'});
  await client().patch(`${path}/strict-failed/status`, {status: {phase: 'Failed'}});
  t.is((await evict('strict-failed')).status, 201);
  // Not ready, and enough others are.
  await made('strict-unready', {app: 'strict'});
  await client().patch(`${path}/strict-unready/status`, {status: {phase: 'Running'}});
  t.is((await evict('strict-unready')).status, 201);
});

test('two budgets for one pod are too many', async (t) => {
  await serving('torn', {app: 'torn'});
  await budget('torn-1', 'torn', {disruptionsAllowed: 1});
  await budget('torn-2', 'torn', {disruptionsAllowed: 1});
  const refused = await evict('torn');
  t.is(refused.status, 500);
  t.regex(refused.json<Answer>().message!, /more than one PodDisruptionBudget/);
});
