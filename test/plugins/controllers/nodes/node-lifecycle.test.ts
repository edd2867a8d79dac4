import {testOnEachStore} from '../../../helpers/each-store.js';
import {NodesUnderTest, ready, taints} from './node-under-test.js';

const eachStore = testOnEachStore({platform: 'kubernetes'});
const storeTest: typeof eachStore = (title, run) => eachStore(title, run, {serial: true});

const cluster = (config: Readonly<Record<string, unknown>>) => ({
  cluster: true,
  controllers: ['*', '-garbagecollector', '-kube-scheduler'],
  configuration: {plugins: {'node-lifecycle-controller': {config}}},
});
const fast = {monitorSeconds: 0.2, monitorGraceSeconds: 4, startupGraceSeconds: 4, evictionRate: 10};

storeTest(
  'a node that falls silent is unknown, its pods are not ready, and it gets taints; one that is back loses them',
  async (t, context) => {
    const {client} = await context.start(cluster(fast));
    const nodes = new NodesUnderTest(context, client);
    const alive = new AbortController();
    t.teardown(() => alive.abort());
    await nodes.node('other', {'topology.kubernetes.io/zone': 'south'});
    nodes.keepAlive('other', alive.signal);
    const first = new AbortController();
    await nodes.node('one', {'topology.kubernetes.io/zone': 'north'});
    nodes.keepAlive('one', first.signal);
    await nodes.until('one', (node) => taints(node).length === 0);
    await client.post('/api/v1/namespaces', {metadata: {name: context.namespace}});
    await nodes.pod('web', 'one');
    first.abort();
    const silent = await nodes.until('one', (node) => taints(node).includes('unreachable:NoExecute') && taints(node).length > 1);
    t.deepEqual(taints(silent), ['unreachable:NoExecute', 'unreachable:NoSchedule']);
    t.true(silent.spec!.taints!.every(({timeAdded}) => timeAdded !== undefined));
    t.is(ready(silent), 'Unknown NodeStatusUnknown Kubelet stopped posting node status.');
    const pressure = silent.status!.conditions!.find(({type}) => type === 'MemoryPressure');
    t.like(pressure, {status: 'Unknown', reason: 'NodeStatusNeverUpdated', message: 'Kubelet never posted node status.'});
    const pod = await nodes.podUntil('web', (found) => found !== undefined && ready(found) === 'False');
    t.is(ready(pod!), 'False');
    const events = await nodes.events('default', nodes.name('one'), 'NodeNotReady');
    t.deepEqual(events, [
      `Normal RegisteredNode Node ${nodes.name('one')} event: Registered Node ${nodes.name('one')} in Controller (node-controller)`,
      `Normal NodeNotReady Node ${nodes.name('one')} status is now: NodeNotReady (node-controller)`,
    ]);
    t.deepEqual(await nodes.events(context.namespace, 'web', 'NodeNotReady'), ['Warning NodeNotReady Node is not ready (node-controller)']);
    t.deepEqual(taints(await nodes.until('other', () => true)), []);
    nodes.keepAlive('one', alive.signal);
    await nodes.report('one', 'False');
    await nodes.until('one', (node) => taints(node).join() === 'not-ready:NoExecute,not-ready:NoSchedule');
    await nodes.report('one', 'True', new Date(Date.now() + 1000));
    await nodes.until('one', (node) => taints(node).length === 0);
    await client.delete(`/api/v1/nodes/${nodes.name('one')}`);
    t.true(
      (await nodes.events('default', nodes.name('one'), 'RemovingNode'))
        .at(-1)!
        .includes(`Removing Node ${nodes.name('one')} from Controller`),
    );
  },
);

storeTest('a node that never reports is unknown after a while; where no node is ready pods need not leave', async (t, context) => {
  const {client} = await context.start(cluster(fast));
  const nodes = new NodesUnderTest(context, client);
  await client.post('/api/v1/nodes', {metadata: {name: nodes.name('one')}});
  const silent = await nodes.until('one', (node) => ready(node).startsWith('Unknown'));
  t.is(ready(silent), 'Unknown NodeStatusNeverUpdated Kubelet never posted node status.');
  const tainted = await nodes.until('one', (node) => taints(node).length > 0);
  t.deepEqual(taints(tainted), ['unreachable:NoSchedule']);
});

storeTest('a leap of the clock is no silence: nodes have as long as ever to show that they live afterwards', async (t, context) => {
  const graceSeconds = 5;
  // Not as a cluster, whose clock goes step by step.
  const server = await context.start({
    controllers: ['*', '-garbagecollector', 'nodelifecycle'],
    configuration: {plugins: {'node-lifecycle-controller': {config: {monitorSeconds: 0.5, monitorGraceSeconds: graceSeconds}}}},
  });
  const {client} = server;
  const nodes = new NodesUnderTest(context, client);
  const alive = new AbortController();
  t.teardown(() => alive.abort());
  for (const name of ['one', 'two']) await nodes.node(name);
  nodes.keepAlive('one', alive.signal);
  await nodes.events('default', nodes.name('two'), 'RegisteredNode');
  await server.advance(3_600_000);
  const leapt = performance.now();
  await nodes.until('two', (node) => ready(node).startsWith('Unknown'));
  const seconds = (performance.now() - leapt) / 1000;
  t.true(seconds > graceSeconds - 1, `unknown after ${seconds} s`);
  t.is(ready(await nodes.until('one', () => true)), 'True Kubelet');
});

storeTest('conditions and cordons of nodes are taints that keep pods away, and labels have their older names too', async (t, context) => {
  const {client} = await context.start(cluster({}));
  const nodes = new NodesUnderTest(context, client);
  await nodes.node('one', {'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'arm64'});
  const conditions = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable'].map((type) => ({type, status: 'True'}));
  await client.patch(`/api/v1/nodes/${nodes.name('one')}/status`, {status: {conditions}});
  await nodes.change('one', {spec: {unschedulable: true}});
  const node = await nodes.until(
    'one',
    (found) => taints(found).length === 5 && found.metadata.labels?.['beta.kubernetes.io/os'] !== undefined,
  );
  t.deepEqual(taints(node), [
    'disk-pressure:NoSchedule',
    'memory-pressure:NoSchedule',
    'network-unavailable:NoSchedule',
    'pid-pressure:NoSchedule',
    'unschedulable:NoSchedule',
  ]);
  t.is(node.metadata.labels?.['beta.kubernetes.io/arch'], 'arm64');
  await nodes.change('one', {spec: {unschedulable: null}});
  await nodes.until('one', (found) => !taints(found).includes('unschedulable:NoSchedule'));
});
