import {testOnCluster, type SimulatedCluster} from './cluster.js';

const clusterTest = testOnCluster('2:cpu=2,memory=1Gi,pods=3,labels=disk=ssd');

const onFirst = {nodeName: 'node-1'};

function asking(requests: Record<string, string>, more: object = {}) {
  return {...onFirst, ...more, containers: [{name: 'main', image: 'registry.example.com/app:1', resources: {requests}}]};
}

function withPort(hostPort: number, more: object = {}) {
  const ports = [{containerPort: 80, hostPort, ...more}];
  return {...onFirst, containers: [{name: 'main', image: 'registry.example.com/app:1', ports}]};
}

async function outcome(cluster: SimulatedCluster, name: string): Promise<string> {
  const {status} = await cluster.settledPod(name);
  return status!.phase === 'Failed' ? `${status!.reason}: ${status!.message}` : status!.phase!;
}

async function removeAll(cluster: SimulatedCluster, ...names: string[]): Promise<void> {
  for (const name of names) await cluster.remove(`/api/v1/namespaces/default/pods/${name}?gracePeriodSeconds=0`);
}

clusterTest('a kubelet refuses pods for which its node has no room, in the words of kubelets', async (t, cluster) => {
  await cluster.pod('first', {}, asking({cpu: '1500m', memory: '512Mi'}));
  t.is(await outcome(cluster, 'first'), 'Running');
  await cluster.pod('cpu', {}, asking({cpu: '600m'}));
  const lack = "Pod was rejected: Node didn't have enough resource: ";
  t.is(await outcome(cluster, 'cpu'), `OutOfcpu: ${lack}cpu, requested: 600, used: 1500, capacity: 2000`);
  t.deepEqual(await cluster.events('cpu'), [`OutOfcpu: Node didn't have enough resource: cpu, requested: 600, used: 1500, capacity: 2000`]);
  await cluster.pod('memory', {}, asking({memory: '600Mi'}));
  t.is(await outcome(cluster, 'memory'), `OutOfmemory: ${lack}memory, requested: 629145600, used: 536870912, capacity: 1073741824`);
  // Those that were refused take nothing.
  await cluster.pod('second', {}, asking({cpu: '500m'}));
  t.is(await outcome(cluster, 'second'), 'Running');
  await cluster.pod('third', {}, asking({}));
  await cluster.pod('fourth', {}, asking({}));
  const outcomes = [await outcome(cluster, 'third'), await outcome(cluster, 'fourth')];
  t.deepEqual(outcomes, ['Running', `OutOfpods: ${lack}pods, requested: 1, used: 3, capacity: 3`]);
  await removeAll(cluster, 'first', 'cpu', 'memory', 'second', 'third', 'fourth');
});

clusterTest('pods that have ended or gone take nothing of their node', async (t, cluster) => {
  await cluster.pod('short', {'exit-code': '0'}, asking({cpu: '2'}, {restartPolicy: 'Never'}));
  t.is((await cluster.settledPod('short')).status!.phase, 'Succeeded');
  await cluster.pod('long', {}, asking({cpu: '2'}));
  t.is(await outcome(cluster, 'long'), 'Running');
  await removeAll(cluster, 'long');
  await cluster.pod('longer', {}, asking({cpu: '2'}));
  t.is(await outcome(cluster, 'longer'), 'Running');
  await removeAll(cluster, 'short', 'longer');
});

clusterTest('a port of a machine is taken by one pod alone', async (t, cluster) => {
  const failed = "NodePorts: Pod was rejected: Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports";
  await cluster.pod('one', {}, withPort(8080, {hostIP: '127.0.0.1'}));
  t.is(await outcome(cluster, 'one'), 'Running');
  await cluster.pod('other-address', {}, withPort(8080, {hostIP: '127.0.0.2'}));
  t.is(await outcome(cluster, 'other-address'), 'Running');
  await cluster.pod('any-address', {}, withPort(8080));
  t.is(await outcome(cluster, 'any-address'), failed);
  await cluster.pod('other-protocol', {}, withPort(8080, {protocol: 'UDP'}));
  t.is(await outcome(cluster, 'other-protocol'), 'Running');
  await removeAll(cluster, 'one', 'other-address', 'any-address', 'other-protocol');
});

clusterTest('a pod that was bound to a node that it does not want is refused', async (t, cluster) => {
  await cluster.pod('elsewhere', {}, {...onFirst, nodeSelector: {disk: 'tape'}});
  const affinity = "NodeAffinity: Pod was rejected: Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector";
  t.is(await outcome(cluster, 'elsewhere'), affinity);
  await cluster.pod('windows', {}, {...onFirst, os: {name: 'windows'}});
  t.is(await outcome(cluster, 'windows'), "PodOSNotSupported: Pod was rejected: Failed to admit pod as the OS field doesn't match node OS");
  await cluster.pod('matching', {}, {...onFirst, nodeSelector: {disk: 'ssd'}});
  t.is(await outcome(cluster, 'matching'), 'Running');
  await removeAll(cluster, 'elsewhere', 'windows', 'matching');
});
