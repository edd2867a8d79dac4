import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import type {Event, Pod} from '@orch-api/orch/types/unchecked/core/v1';
import type {ResourceClaim} from '@orch-api/orch/types/unchecked/resource/v1';
import {SimulatedCluster, testOnCluster} from '../simulated-nodes/cluster.js';

const clusterTest = testOnCluster(2, {release: '1.36'});

const api = '/apis/resource.k8s.io/v1';
const claims = `${api}/namespaces/default/resourceclaims`;
const pods = '/api/v1/namespaces/default/pods';
const gpu = 'example.com/gpu';

const asking = (amount: string, more: object = {}) => ({
  containers: [{name: 'main', image: 'registry.example.com/app:1', resources: {limits: {[gpu]: amount}}}],
  ...more,
});

async function makeDevices(cluster: SimulatedCluster): Promise<void> {
  const selectors = [{cel: {expression: 'device.driver == "gpu.example.com"'}}];
  await cluster.create(`${api}/deviceclasses`, {metadata: {name: 'gpu'}, spec: {selectors, extendedResourceName: gpu}});
  await cluster.create(`${api}/resourceslices`, {
    metadata: {name: 'node-2'},
    spec: {
      driver: 'gpu.example.com',
      nodeName: 'node-2',
      pool: {name: 'node-2', generation: 1, resourceSliceCount: 1},
      devices: [{name: 'gpu-0'}, {name: 'gpu-1'}],
    },
  });
}

const allClaims = async (cluster: SimulatedCluster) => (await cluster.get<{items: ResourceClaim[]}>(claims)).items;

clusterTest('a pod that asks for a resource which a class gives runs with a claim of its own, which goes with it', async (t, cluster) => {
  await makeDevices(cluster);
  await cluster.pod('two', {}, asking('2'));
  const pod = await cluster.settledPod('two');
  t.is(pod.spec!.nodeName, 'node-2');
  t.is(pod.status!.phase, 'Running');
  const [claim, ...others] = await allClaims(cluster);
  t.is(others.length, 0);
  const {resourceClaimName, requestMappings} = pod.status!.extendedResourceClaimStatus!;
  t.is(resourceClaimName, claim!.metadata.name);
  t.regex(resourceClaimName!, /^two-extended-resources-\w{5}$/);
  t.deepEqual(requestMappings, [{containerName: 'main', resourceName: gpu, requestName: 'container-0-request-0'}]);
  t.deepEqual(
    claim!.status!.allocation!.devices!.results!.map(({request, device}) => `${request} ${device}`),
    ['container-0-request-0 gpu-0', 'container-0-request-0 gpu-1'],
  );
  t.deepEqual(claim!.status!.reservedFor, [{resource: 'pods', name: 'two', uid: pod.metadata.uid}]);
  await cluster.pod('more', {after: '1s', 'exit-code': '0'}, asking('1', {restartPolicy: 'Never'}));
  const waiting = await cluster.settledPod('more');
  t.regex(waiting.status!.conditions!.find(({type}) => type === 'PodScheduled')!.message!, /2 cannot allocate all claims. still not sche/);
  await cluster.remove(`${pods}/two?gracePeriodSeconds=0`);
  await cluster.server.advance(10_000);
  t.is((await cluster.settledPod('more')).status!.phase, 'Succeeded');
  t.deepEqual(await allClaims(cluster), [], 'what has ended needs no devices');
  await cluster.remove(`${pods}/more?gracePeriodSeconds=0`);
});

clusterTest('a claim of an earlier attempt goes before the pod gets another', async (t, cluster) => {
  await cluster.pod('again', {}, asking('1', {schedulingGates: [{name: 'example.com/wait'}]}));
  const {metadata} = await cluster.settledPod('again');
  const owner = {apiVersion: 'v1', kind: 'Pod', name: 'again', uid: metadata.uid, controller: true};
  await cluster.create(claims, {
    metadata: {
      name: 'stale',
      annotations: {'resource.kubernetes.io/extended-resource-claim': 'true'},
      ownerReferences: [owner],
      finalizers: ['resource.kubernetes.io/delete-protection'],
    },
    spec: {devices: {requests: [{name: 'container-0-request-0', exactly: {deviceClassName: 'gpu'}}]}},
  });
  await cluster.patch(`${pods}/again`, {spec: {schedulingGates: null}});
  await cluster.server.settled();
  await cluster.server.advance(10_000);
  t.is((await cluster.settledPod('again')).spec!.nodeName, 'node-2');
  const notes = (await cluster.get<{items: Event[]}>('/api/v1/namespaces/default/events')).items
    .filter(({reason, message}) => reason === 'FailedScheduling' && message?.includes('extended resource claim'))
    .map(({message}) => message);
  t.deepEqual(notes, [
    '0/2 nodes are available: 2 cannot schedule extended resource claim. deletion of ResourceClaim completed, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
  ]);
  const left = await allClaims(cluster);
  t.deepEqual(
    left.map(({metadata: {generateName}}) => generateName),
    ['again-extended-resources-'],
  );
  await cluster.remove(`${pods}/again?gracePeriodSeconds=0`);
});

clusterTest(
  'a pod that asks before there is a class gets its devices when there is one, and of two classes those of the newer',
  async (t, cluster) => {
    await cluster.remove(`${api}/deviceclasses/gpu`);
    await cluster.pod('early', {}, asking('1'));
    const waiting = await cluster.settledPod('early');
    t.regex(waiting.status!.conditions!.find(({type}) => type === 'PodScheduled')!.message!, /2 Insufficient example.com\/gpu/);
    for (const name of ['older', 'newer']) {
      const expression = name === 'older' ? 'false' : 'device.driver == "gpu.example.com"';
      await cluster.create(`${api}/deviceclasses`, {metadata: {name}, spec: {selectors: [{cel: {expression}}], extendedResourceName: gpu}});
      await cluster.server.settled();
      await cluster.server.advance(10_000);
    }
    t.is((await cluster.settledPod('early')).spec!.nodeName, 'node-2');
    const [claim] = await allClaims(cluster);
    t.is(claim!.spec!.devices!.requests![0]!.exactly!.deviceClassName, 'newer');
    await cluster.remove(`${pods}/early?gracePeriodSeconds=0`);
  },
);

test.serial('without the gate DRAExtendedResource only nodes give resources', async (t) => {
  await using server = await startTestServer({
    platform: 'kubernetes',
    release: '1.36',
    cluster: {nodes: 2},
    featureGates: {DRAExtendedResource: false},
  });
  const cluster = new SimulatedCluster(server);
  await makeDevices(cluster);
  await cluster.pod('one', {}, asking('1'));
  const {status} = await cluster.settledPod('one');
  t.regex((status as Pod['status'])!.conditions!.find(({type}) => type === 'PodScheduled')!.message!, /2 Insufficient example.com\/gpu/);
  t.deepEqual(await allClaims(cluster), []);
});
