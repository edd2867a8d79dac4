import type {Node} from '@orch-api/orch/types/unchecked/core/v1';
import {conditionsOf, testOnCluster} from './cluster.js';

const clusterTest = testOnCluster('3:cpu=8,memory=32Gi,zones=a+b,labels=disk=ssd');

interface Lease {
  readonly metadata: {readonly ownerReferences?: readonly object[]};
  readonly spec: {readonly holderIdentity: string; readonly leaseDurationSeconds: number; readonly renewTime: string};
}

clusterTest('simulated nodes report what kubelets report, are ready, and hold leases', async (t, cluster) => {
  const nodes = await cluster.nodes();
  t.deepEqual(
    nodes.map(({metadata}) => metadata.name),
    ['node-1', 'node-2', 'node-3'],
  );
  const [node] = nodes;
  t.deepEqual(node!.metadata.labels, {
    'beta.kubernetes.io/arch': 'amd64',
    'beta.kubernetes.io/os': 'linux',
    disk: 'ssd',
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': 'node-1',
    'kubernetes.io/os': 'linux',
    'topology.kubernetes.io/zone': 'a',
  });
  t.is(node!.spec?.taints, undefined);
  t.deepEqual(node!.spec?.podCIDRs, [node!.spec?.podCIDR]);
  t.like(node!.status, {
    capacity: {cpu: '8', memory: '32Gi', pods: '110', 'ephemeral-storage': '100Gi'},
    allocatable: {cpu: '8', memory: '32Gi'},
    nodeInfo: {kubeletVersion: 'v1.36.0', operatingSystem: 'linux', architecture: 'amd64'},
    daemonEndpoints: {kubeletEndpoint: {Port: 10_250}},
  });
  t.deepEqual(conditionsOf(node!), [
    'DiskPressure False KubeletHasNoDiskPressure kubelet has no disk pressure',
    'MemoryPressure False KubeletHasSufficientMemory kubelet has sufficient memory available',
    'PIDPressure False KubeletHasSufficientPID kubelet has sufficient PID available',
    'Ready True KubeletReady kubelet is posting ready status',
  ]);
  t.is(new Set(nodes.flatMap(({status, spec}) => [status!.addresses![0]!.address, spec!.podCIDR])).size, 6);
  await cluster.server.advance(10_000);
  await cluster.server.settled();
  const lease = await cluster.get<Lease>('/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/node-1');
  t.like(lease.spec, {holderIdentity: 'node-1', leaseDurationSeconds: 40});
  t.like(lease.metadata.ownerReferences![0], {kind: 'Node', name: 'node-1', uid: node!.metadata.uid});
  await cluster.server.advance(20_000);
  const later = await cluster.get<Lease>('/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/node-1');
  t.true(Date.parse(later.spec.renewTime) - Date.parse(lease.spec.renewTime) >= 10_000);
});

clusterTest('nodes that came together report at times that are spread over five minutes', async (t, cluster) => {
  const names = Array.from({length: 40}, (_, index) => `spread-${index}`);
  for (const name of names) await cluster.create('/api/v1/nodes', {metadata: {name, annotations: {'simulate.orch/node': 'true'}}});
  await cluster.server.settled();
  const heard = async () => (await cluster.nodes()).filter(({metadata}) => names.includes(metadata.name!)).map(heartbeat);
  const first = await heard();
  await cluster.server.advance(310_000);
  await cluster.server.settled();
  const again = (await heard()).filter((time, index) => time !== first[index]).length;
  t.true(again > 0 && again < names.length, `${again} of ${names.length}`);
  for (const name of names) await cluster.remove(`/api/v1/nodes/${name}`);
});

clusterTest('a Node with the annotation is simulated, and others are left alone', async (t, cluster) => {
  await cluster.create('/api/v1/nodes', {
    metadata: {name: 'mine', annotations: {'simulate.orch/node': 'true'}},
    status: {capacity: {cpu: '2', pods: '5'}},
  });
  await cluster.create('/api/v1/nodes', {metadata: {name: 'real'}});
  await cluster.server.settled();
  const [mine, , , , real] = await cluster.nodes();
  t.like(mine!.status, {capacity: {cpu: '2', pods: '5'}, allocatable: {cpu: '2', pods: '5'}});
  t.true(conditionsOf(mine!).includes('Ready True KubeletReady kubelet is posting ready status'));
  t.is(mine!.spec!.taints, undefined);
  t.deepEqual(conditionsOf(real!), []);
  t.is(real!.status?.nodeInfo?.kubeletVersion ?? '', '');
  await cluster.pod('on-real', {}, {nodeName: 'real'});
  t.is((await cluster.settledPod('on-real')).status!.phase, 'Pending');
  await cluster.remove('/api/v1/nodes/mine');
  await cluster.remove('/api/v1/nodes/real');
});

clusterTest('a node that is down says nothing, and its pods stand still until it is back', async (t, cluster) => {
  const heard = async () =>
    (await cluster.get<Lease>('/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/node-1')).spec.renewTime;
  await cluster.server.advance(11_000);
  await cluster.patch('/api/v1/nodes/node-1', {metadata: {annotations: {'simulate.orch/fault': 'down'}}});
  await cluster.server.settled();
  const last = await heard();
  await cluster.pod('waiting', {}, {nodeName: 'node-1', tolerations: [{operator: 'Exists'}]});
  await cluster.server.advance(30_000);
  t.is(await heard(), last);
  t.is((await cluster.settledPod('waiting')).status!.phase, 'Pending');
  await cluster.patch('/api/v1/nodes/node-1', {metadata: {annotations: {'simulate.orch/fault': null}}});
  t.is((await cluster.settledPod('waiting')).status!.phase, 'Running');
  await cluster.server.advance(11_000);
  t.not(await heard(), last);
});

clusterTest('a node that is full says so as a kubelet does', async (t, cluster) => {
  await cluster.patch('/api/v1/nodes/node-1', {metadata: {annotations: {'simulate.orch/fault': 'disk,memory'}}});
  await cluster.server.settled();
  const [node] = await cluster.nodes();
  t.true(conditionsOf(node!).includes('DiskPressure True KubeletHasDiskPressure kubelet has disk pressure'));
  await cluster.patch('/api/v1/nodes/node-1', {metadata: {annotations: {'simulate.orch/fault': null}}});
  t.true(conditionsOf(node!).includes('MemoryPressure True KubeletHasInsufficientMemory kubelet has insufficient memory available'));
});

clusterTest(
  'an extended resource that is written into the capacity of a node can be had by pods until it is taken out again',
  async (t, cluster) => {
    const node = '/api/v1/nodes/node-2/status';
    await cluster.patch(node, {status: {capacity: {'example.com/dongle': '4'}}});
    await cluster.server.settled();
    const allocatable = async () => (await cluster.get<Node>('/api/v1/nodes/node-2')).status!.allocatable!;
    t.like(await allocatable(), {cpu: '8', 'example.com/dongle': '4'});
    const resources = {limits: {'example.com/dongle': '3'}};
    await cluster.pod('plugged', {}, {containers: [{name: 'main', image: 'app:1', resources}]});
    t.is((await cluster.settledPod('plugged')).spec!.nodeName, 'node-2');
    await cluster.patch(node, {status: {capacity: {'example.com/dongle': null}}});
    await cluster.server.settled();
    t.false('example.com/dongle' in (await allocatable()));
  },
);

function heartbeat({status}: Node): string | null | undefined {
  return status?.conditions?.find(({type}) => type === 'Ready')?.lastHeartbeatTime;
}
