import type * as core from '@orch-api/orch/types/core/v1';
import type * as policy from '@orch-api/orch/types/policy/v1';
import type {Pod} from '@orch-api/orch/types/unchecked/core/v1';
import {countBudget} from '../../../../plugins/controllers/disruption/budget-counts.js';
import {testOnEachStore, type StoreContext} from '../../../helpers/each-store.js';
import {eventually} from '../../../helpers/eventually.js';
import {SetUnderTest} from '../stateful-set/set-under-test.js';
import test from 'ava';

const storeTest = testOnEachStore({platform: 'kubernetes', controllers: ['*', 'statefulset', 'disruption', '-garbagecollector']});

type Status = policy.PodDisruptionBudgetStatus;
const at = ({path}: StoreContext, name: string) => `${path('poddisruptionbudgets', 'policy/v1')}/${name}`;

async function budget(context: StoreContext, name: string, spec: object): Promise<void> {
  const made = await context.client.post(context.path('poddisruptionbudgets', 'policy/v1'), {metadata: {name}, spec});
  if (made.status !== 201) throw new Error(made.body.toString());
}

/** The numbers of a budget's status once they are these: expected, desired, healthy, allowed. */
async function counts(context: StoreContext, name: string, ...wanted: readonly [number, number, number, number]): Promise<Status> {
  const object = await eventually(
    async () => (await context.client.get(at(context, name))).json<policy.PodDisruptionBudget>(),
    ({metadata, status}) =>
      status?.observedGeneration === metadata.generation &&
      [status?.expectedPods, status?.desiredHealthy, status?.currentHealthy, status?.disruptionsAllowed].join() === wanted.join(),
  );
  return object.status!;
}

async function pod({client, path}: StoreContext, name: string, labels: object = {}, isReady = true): Promise<void> {
  const made = await client.post(path('pods'), {metadata: {name, labels}, spec: {containers: [{name: 'a', image: 'x'}]}});
  if (made.status !== 201) throw new Error(made.body.toString());
  const conditions = [{type: 'Ready', status: isReady ? 'True' : 'False'}];
  await client.patch(`${path('pods')}/${name}/status`, {status: {phase: 'Running', conditions}});
}

const evict = ({client, path, namespace}: StoreContext, name: string) =>
  client.post(`${path('pods')}/${name}/eviction`, {apiVersion: 'policy/v1', kind: 'Eviction', metadata: {name, namespace}});

storeTest('[B-REM-17] an empty selector covers all pods of the namespace, an unset one none', async (t, context) => {
  await budget(context, 'all', {minAvailable: 1, selector: {}});
  await budget(context, 'none', {minAvailable: 1});
  await pod(context, 'a', {app: 'a'});
  await pod(context, 'b');
  const status = await counts(context, 'all', 2, 1, 2, 1);
  t.like(status.conditions![0], {type: 'DisruptionAllowed', status: 'True', reason: 'SufficientPods', observedGeneration: 1});
  const none = await counts(context, 'none', 0, 1, 0, 0);
  t.like(none.conditions![0], {type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods'});
  t.is((await evict(context, 'a')).status, 201);
  t.is((await evict(context, 'b')).status, 429);
});

storeTest('a budget follows its pods: ready, unready, relabelled, gone', async (t, context) => {
  await budget(context, 'web', {minAvailable: 1, selector: {matchLabels: {app: 'web'}}});
  await counts(context, 'web', 0, 1, 0, 0);
  await pod(context, 'a', {app: 'web'});
  await pod(context, 'b', {app: 'web'}, false);
  await counts(context, 'web', 2, 1, 1, 0);
  const conditions = [{type: 'Ready', status: 'True'}];
  await context.client.patch(`${context.path('pods')}/b/status`, {status: {conditions}});
  await counts(context, 'web', 2, 1, 2, 1);
  await context.client.patch(`${context.path('pods')}/b`, {metadata: {labels: {app: 'other'}}});
  await counts(context, 'web', 1, 1, 1, 0);
  await context.client.delete(`${context.path('pods')}/a`);
  await counts(context, 'web', 0, 1, 0, 0);
  t.pass();
});

storeTest('percentages and maxUnavailable are of what the owners of the pods want, rounded up', async (t, context) => {
  const set = await SetUnderTest.create(context, {replicas: 5, podManagementPolicy: 'Parallel'});
  await set.run();
  const selector = {matchLabels: {app: 'db'}};
  await budget(context, 'share', {minAvailable: '50%', selector});
  await budget(context, 'most', {maxUnavailable: '30%', selector});
  await counts(context, 'share', 5, 3, 5, 2);
  await counts(context, 'most', 5, 3, 5, 2);
  await set.unready(0);
  await counts(context, 'most', 5, 3, 4, 1);
  await set.patch({spec: {replicas: 2}});
  await counts(context, 'most', 2, 1, 1, 0);
  t.pass();
});

storeTest('a budget whose pods have an owner that is not there allows nothing, and says why', async (t, context) => {
  const {client, path} = context;
  await pod(context, 'a', {app: 'lost'});
  const owner = {apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'gone', uid: 'u', controller: true};
  t.is((await client.patch(`${path('pods')}/a`, {metadata: {ownerReferences: [owner]}})).status, 200);
  await budget(context, 'lost', {maxUnavailable: 1, selector: {matchLabels: {app: 'lost'}}});
  const {status} = await eventually(
    async () => (await client.get(at(context, 'lost'))).json<policy.PodDisruptionBudget>(),
    (found) => found.status?.conditions?.[0]?.reason === 'SyncFailed',
  );
  t.like(status, {disruptionsAllowed: 0});
  t.is(status!.conditions![0]!.message, 'found no controllers for pod "a"');
  t.is((await client.patch(`${path('pods')}/a`, {metadata: {ownerReferences: null}})).status, 200);
  await counts(context, 'lost', 0, 0, 1, 0);
});

/** Reasons and messages of the events about an object, when there are some. */
const eventsOf = ({client, path}: StoreContext, name: string) =>
  eventually(
    async () => {
      const {items} = (await client.get(path('events'))).json<{items: core.Event[]}>();
      return items.filter(({involvedObject}) => involvedObject.name === name).map(({reason, message}) => `${reason}: ${message}`);
    },
    ({length}) => length > 0,
  );

storeTest('a budget without pods says so, and a pod of two budgets is warned of', async (t, context) => {
  for (const name of ['one', 'two']) await budget(context, name, {minAvailable: 1, selector: {matchLabels: {app: 'both'}}});
  t.deepEqual(await eventsOf(context, 'one'), ['NoPods: No matching pods found']);
  await pod(context, 'a', {app: 'both'});
  const [event] = await eventsOf(context, 'a');
  const start = `MultiplePodDisruptionBudgets: Pod "${context.namespace}"/"a" matches multiple PodDisruptionBudgets.  Chose "`;
  t.true(event!.startsWith(start), event);
});

test('an evicted pod that is still there counts as gone for two minutes', (t) => {
  const noted = '2026-01-01T00:00:00Z';
  const running = (name: string): Pod => ({metadata: {name}, status: {phase: 'Running', conditions: [{type: 'Ready', status: 'True'}]}});
  const pods = ['a', 'b', 'c'].map(running);
  const budget = {metadata: {}, spec: {minAvailable: 1}, status: {disruptedPods: {a: noted, gone: noted}}};
  const soon = countBudget(budget, pods, 0, Date.parse(noted) + 100_000);
  t.like(soon, {currentHealthy: 2, disruptionsAllowed: 1, disruptedPods: {a: noted}, recountInMillis: 20_000});
  t.deepEqual(Object.keys(soon.disruptedPods), ['a']);
  const late = countBudget(budget, pods, 0, Date.parse(noted) + 120_000);
  t.like(late, {currentHealthy: 3, disruptionsAllowed: 2, recountInMillis: Infinity});
  t.deepEqual(late.disruptedPods, {});
  t.deepEqual([soon.notDeleted, late.notDeleted], [[], [pods[0]]]);
});
