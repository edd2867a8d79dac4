import {testOnEachStore} from '../../../helpers/each-store.js';
import {eventually} from '../../../helpers/eventually.js';
import {ClusterUnderTest, container} from './cluster-under-test.js';

// Nobody reports for the nodes of these tests.
const eachStore = testOnEachStore({platform: 'kubernetes', cluster: true, controllers: ['*', '-nodelifecycle', '-tainteviction']});
const storeTest: typeof eachStore = (title, run) => eachStore(title, run, {serial: true});
const zone = 'topology.kubernetes.io/zone';

storeTest('a pod gets a node that has room for it, and an event says which', async (t, context) => {
  const cluster = new ClusterUnderTest(context);
  await cluster.node('small', {cpu: '1'});
  const large = await cluster.node('large', {cpu: '8'});
  await cluster.pod('a', {containers: [container({cpu: '3'})]});
  t.is(await cluster.placeOf('a'), 'large');
  t.deepEqual(await cluster.events('a', 'Scheduled'), [`Scheduled: Successfully assigned ${context.namespace}/a to ${large}`]);
  const {status} = await cluster.get('a');
  t.like(
    status!.conditions!.find(({type}) => type === 'PodScheduled'),
    {status: 'True'},
  );
});

storeTest('a pod that fits nowhere says why, and is placed when a node comes that helps', async (t, context) => {
  const cluster = new ClusterUnderTest(context);
  await cluster.node('a', {cpu: '1'});
  await cluster.pod('big', {containers: [container({cpu: '3'})]});
  const message = await cluster.refusal('big');
  // Tests that run beside this one have nodes too.
  t.regex(
    message,
    /^0\/\d+ nodes are available: (\d+ [^:]+, )?1 Insufficient cpu(, \d+ [^:]+)?\. no new claims to deallocate, preemption: 0\/\d+ nodes are available: \d+ Preemption is not helpful for scheduling\.$/,
  );
  const events = await cluster.events('big', 'FailedScheduling');
  t.true(events.every((each) => each.startsWith('FailedScheduling: 0/')));
  await cluster.node('b', {cpu: '4'});
  t.is(await cluster.placeOf('big'), 'b');
});

storeTest('pods take the room of a node, and give it back when they go', async (t, context) => {
  const cluster = new ClusterUnderTest(context);
  await cluster.node('a', {cpu: '2'});
  await cluster.pod('first', {containers: [container({cpu: '2'})]});
  await cluster.placeOf('first');
  await cluster.pod('second', {containers: [container({cpu: '2'})]});
  t.regex(await cluster.refusal('second'), /1 Insufficient cpu/);
  await cluster.remove('first');
  t.is(await cluster.placeOf('second'), 'a');
});

storeTest('a pod with gates is left alone until they are gone', async (t, context) => {
  const cluster = new ClusterUnderTest(context);
  await cluster.node('a');
  await cluster.pod('gated', {schedulingGates: [{name: 'example.com/wait'}]});
  await cluster.pod('free');
  await cluster.placeOf('free');
  const {spec, status} = await cluster.get('gated');
  t.falsy(spec!.nodeName);
  t.like(
    status!.conditions!.find(({type}) => type === 'PodScheduled'),
    {status: 'False', reason: 'SchedulingGated'},
  );
  const opened = await context.client.patch(`${context.path('pods')}/gated`, {spec: {schedulingGates: null}});
  t.is(opened.status, 200);
  t.is(await cluster.placeOf('gated'), 'a');
});

storeTest('a pod for another scheduler is left alone', async (t, context) => {
  const cluster = new ClusterUnderTest(context);
  await cluster.node('a');
  await cluster.pod('other', {schedulerName: 'somebody-else'});
  await cluster.pod('own');
  await cluster.placeOf('own');
  t.falsy((await cluster.get('other')).spec!.nodeName);
});

storeTest('taints and cordons keep pods away that do not tolerate them', async (t, context) => {
  const cluster = new ClusterUnderTest(context);
  await cluster.node('a', {spec: {taints: [{key: 'dedicated', value: 'db', effect: 'NoSchedule'}]}});
  await cluster.node('b', {spec: {unschedulable: true}});
  await cluster.pod('web');
  // Nodes of other tests may be there too.
  const names = (message: string) =>
    /\d node\(s\) had untolerated taint\(s\)/.test(message) && /\d node\(s\) were unschedulable/.test(message);
  t.truthy(await cluster.refusal('web', names));
  await cluster.pod('db', {tolerations: [{key: 'dedicated', operator: 'Equal', value: 'db'}]});
  t.is(await cluster.placeOf('db'), 'a');
  await cluster.changeNode('b', {spec: {unschedulable: null, taints: null}});
  t.is(await cluster.placeOf('web'), 'b');
});

storeTest('pods that want to be apart get different nodes, and wait when there are no more', async (t, context) => {
  const cluster = new ClusterUnderTest(context);
  await cluster.node('a');
  await cluster.node('b');
  const apart = {
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          {topologyKey: 'kubernetes.io/hostname', labelSelector: {matchLabels: {app: 'db'}}},
        ],
      },
    },
  };
  for (const name of ['x', 'y', 'z']) await cluster.pod(name, apart, {labels: {app: 'db'}});
  t.deepEqual([await cluster.placeOf('x'), await cluster.placeOf('y')].sort(), ['a', 'b']);
  t.regex(await cluster.refusal('z'), /2 node\(s\) didn't match pod anti-affinity rules/);
  await cluster.remove('x');
  t.truthy(await cluster.placeOf('z'));
});

storeTest('pods that want to be near others follow them', async (t, context) => {
  const cluster = new ClusterUnderTest(context);
  await cluster.node('a', {labels: {[zone]: 'one'}});
  await cluster.node('b', {labels: {[zone]: 'two'}});
  const near = {
    affinity: {
      podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone, labelSelector: {matchLabels: {app: 'cache'}}}]},
    },
  };
  await cluster.pod('web', near);
  t.regex(await cluster.refusal('web'), /2 node\(s\) didn't match pod affinity rules/);
  await cluster.pod('cache', {nodeSelector: {test: context.namespace, [zone]: 'two'}}, {labels: {app: 'cache'}});
  t.is(await cluster.placeOf('web'), 'b');
});

storeTest('pods are spread over zones as their constraints demand', async (t, context) => {
  const cluster = new ClusterUnderTest(context);
  for (const name of ['one', 'two', 'three']) await cluster.node(name, {labels: {[zone]: name}});
  const labelSelector = {matchLabels: {app: 'web'}};
  const spread = {topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: 'DoNotSchedule', labelSelector}]};
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (const name of names) await cluster.pod(name, spread, {labels: {app: 'web'}});
  const places = await Promise.all(names.map((name) => cluster.placeOf(name)));
  for (const node of ['one', 'two', 'three']) t.is(places.filter((place) => place === node).length, 2);
});

storeTest('a more important pod makes others leave, and gets their room', async (t, context) => {
  const cluster = new ClusterUnderTest(context);
  await cluster.node('a', {cpu: '2'});
  const {client, namespace} = context;
  for (const [name, value] of [
    ['low', 1],
    ['high', 1000],
  ] as const)
    await client.post('/apis/scheduling.k8s.io/v1/priorityclasses', {metadata: {name: `${namespace}-${name}`}, value});
  const asks = {containers: [container({cpu: '1'})]};
  await cluster.pod('kept', {...asks, priorityClassName: `${namespace}-high`});
  await cluster.placeOf('kept');
  await cluster.pod('victim', {...asks, priorityClassName: `${namespace}-low`, terminationGracePeriodSeconds: 0});
  await cluster.placeOf('victim');
  const {uid} = (await cluster.get('victim')).metadata;
  await cluster.pod('urgent', {...asks, priorityClassName: `${namespace}-high`});
  const told = await cluster.events('victim', 'Preempted');
  const urgent = await cluster.get('urgent');
  t.true(told.includes(`Preempted: Preempted by pod ${urgent.metadata.uid} on node ${cluster.nodeName('a')}`));
  const victim = await cluster.get('victim');
  t.true(victim.metadata?.uid !== uid || victim.status!.conditions!.some(({reason}) => reason === 'PreemptionByScheduler'));
  await cluster.remove('victim');
  t.is(await cluster.placeOf('urgent'), 'a');
  t.is((await cluster.get('kept')).spec!.nodeName, cluster.nodeName('a'));
});

storeTest('all of many pods are placed, none where there is no room', async (t, context) => {
  const cluster = new ClusterUnderTest(context);
  for (let index = 0; index < 5; index += 1) await cluster.node(`n${index}`, {cpu: '2', pods: '20'});
  const names = Array.from({length: 100}, (_, index) => `p${index}`);
  await Promise.all(names.map((name) => cluster.pod(name, {containers: [container({cpu: '100m'})]}, {labels: {app: 'many'}})));
  const {items} = await eventually(
    async () => (await context.client.get(context.path('pods'))).json<{items: {spec: {nodeName?: string}}[]}>(),
    (list) => list.items.every(({spec}) => spec.nodeName),
  );
  const counts = new Map<string, number>();
  for (const {spec} of items) counts.set(spec.nodeName!, (counts.get(spec.nodeName!) ?? 0) + 1);
  t.deepEqual([...counts.values()], [20, 20, 20, 20, 20]);
});
