import type * as core from '@orch-api/orch/types/core/v1';
import {testOnEachStore, type StoreContext} from '../../../helpers/each-store.js';
import {eventually, template, WorkloadUnderTest} from './workload-under-test.js';

const eachStore = testOnEachStore({platform: 'kubernetes', cluster: true, controllers: ['*', '-garbagecollector', '-podgc']});
const storeTest: typeof eachStore = (title, run) => eachStore(title, run, {serial: true});

type Json = Record<string, unknown>;

/** Nodes for the pods of one test: they have a label that its DaemonSets select. */
class Nodes {
  readonly #context: StoreContext;

  constructor(context: StoreContext) {
    this.#context = context;
  }

  name(short: string): string {
    return `${this.#context.namespace}-${short}`;
  }

  async add(short: string, {labels = {}, taints = null}: {labels?: Json; taints?: Json[] | null} = {}): Promise<string> {
    const {client, namespace} = this.#context;
    const name = this.name(short);
    await client.post('/api/v1/nodes', {metadata: {name, labels: {test: namespace, ...labels}}});
    await this.change(short, {spec: {taints}});
    const allocatable = {cpu: '4', memory: '8Gi', pods: '110'};
    await client.patch(`/api/v1/nodes/${name}/status`, {status: {allocatable, capacity: allocatable}});
    return name;
  }

  async change(short: string, patch: object): Promise<void> {
    const answer = await this.#context.client.patch(`/api/v1/nodes/${this.name(short)}`, patch);
    if (answer.status !== 200) throw new Error(answer.body.toString());
  }

  async remove(short: string): Promise<void> {
    await this.#context.client.delete(`/api/v1/nodes/${this.name(short)}`);
  }
}

function spec({namespace}: StoreContext, more: object = {}, image?: string, pod: object = {}) {
  const made = template('agent', image);
  return {
    selector: {matchLabels: {app: 'agent'}},
    template: {...made, spec: {...made.spec, nodeSelector: {test: namespace}, ...pod}},
    ...more,
  };
}

/** Plays the kubelets: pods that are to go are gone. */
async function sweep(set: WorkloadUnderTest): Promise<void> {
  for (const {metadata} of await set.list<core.Pod>('pods'))
    if (metadata!.deletionTimestamp) await set.delete('pods', metadata!.name!, '?gracePeriodSeconds=0');
}

/** Nodes of the pods that are there, when they are these. */
const on = (set: WorkloadUnderTest, nodes: readonly string[]) =>
  eventually(
    async () => {
      await sweep(set);
      return (await set.pods()).map(({spec: made}) => made!.nodeName ?? '').toSorted();
    },
    (found) => found.join(' ') === nodes.toSorted().join(' '),
  );

/** Resolves with the DaemonSet when its status is as wanted; its pods run. */
const runAll = (set: WorkloadUnderTest, isWanted: (status: Json) => boolean) =>
  eventually(
    async () => {
      await sweep(set);
      const pending = (await set.pods()).filter(({spec: made, status}) => made!.nodeName && status?.phase === 'Pending');
      await Promise.allSettled(pending.map(({metadata}) => set.mark(metadata!.name!)));
      return set.get();
    },
    ({metadata, status = {}}) => status['observedGeneration'] === metadata.generation && isWanted(status),
  );

storeTest('a DaemonSet has a pod on each node that it is for, also on those that come later', async (t, context) => {
  const nodes = new Nodes(context);
  const [one, two] = [await nodes.add('one'), await nodes.add('two')];
  const set = await WorkloadUnderTest.create(context, 'daemonsets', 'agent', spec(context));
  await on(set, [one, two]);
  const [pod] = await set.pods();
  t.regex(pod!.metadata!.name!, /^agent-[a-z0-9]{5}$/);
  t.deepEqual(pod!.spec!.affinity!.nodeAffinity!.requiredDuringSchedulingIgnoredDuringExecution, {
    nodeSelectorTerms: [{matchFields: [{key: 'metadata.name', operator: 'In', values: [pod!.spec!.nodeName!]}]}],
  });
  t.is(pod!.metadata!.labels!['pod-template-generation'], '1');
  const [revision] = await set.list('controllerrevisions');
  t.is(revision!.metadata.name, `agent-${pod!.metadata!.labels!['controller-revision-hash']}`);
  const keys = pod!.spec!.tolerations!.map(({key, effect}) => `${key}:${effect}`);
  for (const key of ['not-ready:NoExecute', 'unreachable:NoExecute', 'disk-pressure:NoSchedule', 'unschedulable:NoSchedule'])
    t.true(keys.includes(`node.kubernetes.io/${key}`), key);
  const {status} = await runAll(set, ({numberAvailable}) => numberAvailable === 2);
  t.deepEqual(status, {
    currentNumberScheduled: 2,
    desiredNumberScheduled: 2,
    numberAvailable: 2,
    numberMisscheduled: 0,
    numberReady: 2,
    observedGeneration: 1,
    updatedNumberScheduled: 2,
  });
  const three = await nodes.add('three');
  await on(set, [one, two, three]);
  const events = await eventually(
    () => set.events(),
    ({length}) => length === 3,
  );
  t.true(events.every((text) => text.startsWith('Normal SuccessfulCreate Created pod: agent-')));
});

storeTest('labels, taints and names decide on which nodes pods are, and which must go', async (t, context) => {
  const nodes = new Nodes(context);
  const free = await nodes.add('free');
  await nodes.add('kept', {taints: [{key: 'team', value: 'a', effect: 'NoSchedule'}]});
  const pressed = await nodes.add('pressed', {taints: [{key: 'node.kubernetes.io/memory-pressure', effect: 'NoSchedule'}]});
  const set = await WorkloadUnderTest.create(context, 'daemonsets', 'agent', spec(context));
  await on(set, [free, pressed]);
  await set.until(({desiredNumberScheduled}) => desiredNumberScheduled === 2);
  // Who is there may stay: it has been misplaced only since.
  await nodes.change('free', {spec: {taints: [{key: 'team', value: 'a', effect: 'NoSchedule'}]}});
  await nodes.change('pressed', {metadata: {labels: {test: 'another'}}});
  await on(set, [free]);
  await set.until(({numberMisscheduled, desiredNumberScheduled}) => numberMisscheduled === 1 && desiredNumberScheduled === 0);
  await nodes.change('free', {spec: {taints: [{key: 'team', value: 'a', effect: 'NoExecute'}]}});
  await on(set, []);
  await nodes.change('free', {spec: {taints: null}});
  await on(set, [free]);
  t.pass();
});

storeTest('a rolling update replaces as many pods as may be unavailable, and revisions say how it was', async (t, context) => {
  const nodes = new Nodes(context);
  const names = [await nodes.add('one'), await nodes.add('two'), await nodes.add('three')];
  const set = await WorkloadUnderTest.create(context, 'daemonsets', 'agent', spec(context));
  await on(set, names);
  await runAll(set, ({numberAvailable}) => numberAvailable === 3);
  await set.patch({spec: spec(context, {}, 'registry.example.com/app:2')});
  const images = async () => {
    await sweep(set);
    return (await set.pods()).map(({spec: made}) => made!.containers[0]!.image!.at(-1)).toSorted();
  };
  await eventually(images, (all) => all.join('') === '112');
  t.is((await set.until(({updatedNumberScheduled}) => updatedNumberScheduled === 1)).status!['numberAvailable'], 2);
  await runAll(set, ({updatedNumberScheduled, numberAvailable}) => updatedNumberScheduled === 3 && numberAvailable === 3);
  t.deepEqual(await images(), ['2', '2', '2']);
  const revisions = await set.list('controllerrevisions');
  t.deepEqual(revisions.map((each) => (each as unknown as {revision: number}).revision).toSorted(), [1, 2]);
  // A template that was there before has its revision again.
  await set.patch({spec: spec(context, {}, 'registry.example.com/app:1')});
  await runAll(set, ({updatedNumberScheduled, numberAvailable}) => updatedNumberScheduled === 3 && numberAvailable === 3);
  const after = await set.list('controllerrevisions');
  t.deepEqual(after.map((each) => (each as unknown as {revision: number}).revision).toSorted(), [2, 3]);
});

storeTest('with a surge a new pod is beside the old one until it is available', async (t, context) => {
  const nodes = new Nodes(context);
  const name = await nodes.add('one');
  const strategy = {updateStrategy: {type: 'RollingUpdate', rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}};
  const set = await WorkloadUnderTest.create(context, 'daemonsets', 'agent', spec(context, strategy));
  await on(set, [name]);
  await runAll(set, ({numberAvailable}) => numberAvailable === 1);
  const [old] = await set.pods();
  await set.patch({spec: spec(context, strategy, 'registry.example.com/app:2')});
  const both = await on(set, [name, name]);
  t.is(both.length, 2);
  const fresh = (await set.pods()).find(({metadata}) => metadata!.uid !== old!.metadata!.uid)!;
  await set.mark(fresh.metadata!.name!);
  await on(set, [name]);
  t.is((await set.pods())[0]!.metadata!.uid, fresh.metadata!.uid);
});

storeTest('with OnDelete pods are replaced as they are deleted', async (t, context) => {
  const nodes = new Nodes(context);
  const names = [await nodes.add('one'), await nodes.add('two')];
  const strategy = {updateStrategy: {type: 'OnDelete', rollingUpdate: null}};
  const set = await WorkloadUnderTest.create(context, 'daemonsets', 'agent', spec(context, strategy));
  await on(set, names);
  await runAll(set, ({numberAvailable}) => numberAvailable === 2);
  await set.patch({spec: spec(context, strategy, 'registry.example.com/app:2')});
  const {status} = await set.until(({observedGeneration}) => observedGeneration === 2);
  t.is(status!['updatedNumberScheduled'], undefined);
  const [first] = await set.pods();
  await set.delete('pods', first!.metadata!.name!, '?gracePeriodSeconds=0');
  await set.until(({updatedNumberScheduled}) => updatedNumberScheduled === 1);
  await on(set, names);
});

storeTest('pods that have ended are replaced, those that fail again after growing pauses', async (t, context) => {
  const nodes = new Nodes(context);
  const name = await nodes.add('one');
  const set = await WorkloadUnderTest.create(context, 'daemonsets', 'agent', spec(context));
  const next = async (before?: core.Pod): Promise<core.Pod> =>
    (
      await eventually(
        () => set.pods(),
        (pods) => pods.length === 1 && pods[0]!.metadata!.uid !== before?.metadata!.uid && Boolean(pods[0]!.spec!.nodeName),
      )
    )[0]!;
  const first = await next();
  await set.until(({observedGeneration}) => observedGeneration === 1);
  await set.mark(first.metadata!.name!, false, Date.now(), 'Failed');
  const second = await next(first);
  await set.mark(second.metadata!.name!, false, Date.now(), 'Succeeded');
  const third = await next(second);
  const events = await eventually(
    () => set.events(),
    (all) => all.some((text) => text.includes('SucceededDaemonPod')),
  );
  const pod = `${context.namespace}/${first.metadata!.name}`;
  t.true(events.includes(`Warning FailedDaemonPod Found failed daemon pod ${pod} on node ${name}, will try to kill it (1)`));
  // In the pause after the first failure nothing happens.
  await set.mark(third.metadata!.name!, false, Date.now(), 'Failed');
  await context.server.advance(1100);
  await next(third);
});

storeTest('a DaemonSet deletes pods that wait for a node that is gone', async (t, context) => {
  const nodes = new Nodes(context);
  const name = await nodes.add('one');
  const resources = {requests: {cpu: '100'}};
  const big = {containers: [{name: 'main', image: 'registry.example.com/app:1', resources}]};
  const set = await WorkloadUnderTest.create(context, 'daemonsets', 'agent', spec(context, {}, undefined, big));
  const [pod] = await set.has(1);
  t.is(pod!.spec!.nodeName, undefined);
  t.like(pod!.spec!.affinity!.nodeAffinity, {
    requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields: [{values: [name]}]}]},
  });
  await nodes.remove('one');
  await set.has(0);
  await set.until(({desiredNumberScheduled}) => desiredNumberScheduled === 0);
});
