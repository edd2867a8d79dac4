import type {Pod} from '@orch-api/orch/types/unchecked/core/v1';
import type {ResourceClaim} from '@orch-api/orch/types/unchecked/resource/v1';
import {testOnCluster, type SimulatedCluster} from '../simulated-nodes/cluster.js';

const clusterTest = testOnCluster(2, {release: '1.36'});

const api = '/apis/resource.k8s.io/v1';
const claims = `${api}/namespaces/default/resourceclaims`;
const pods = '/api/v1/namespaces/default/pods';

const gpu = (name: string, model: string, memory: string, more: object = {}) => ({
  name,
  attributes: {model: {string: model}, driverVersion: {version: '1.2.3'}, 'example.com/numa': {int: name.endsWith('0') ? 0 : 1}},
  capacity: {memory: {value: memory}},
  ...more,
});

async function slice(cluster: SimulatedCluster, name: string, spec: object, devices: readonly object[]): Promise<void> {
  const pool = {name, generation: 1, resourceSliceCount: 1};
  await cluster.create(`${api}/resourceslices`, {metadata: {name}, spec: {driver: 'gpu.example.com', pool, devices, ...spec}});
}

async function deviceClass(cluster: SimulatedCluster, name: string, ...expressions: readonly string[]): Promise<void> {
  const selectors = expressions.map((expression) => ({cel: {expression}}));
  await cluster.create(`${api}/deviceclasses`, {metadata: {name}, spec: {selectors}});
}

async function claim(cluster: SimulatedCluster, name: string, devices: object): Promise<void> {
  await cluster.create(claims, {metadata: {name}, spec: {devices}});
}

const using = (...names: readonly string[]) => ({
  resourceClaims: names.map((name) => ({name, resourceClaimName: name})),
  containers: [{name: 'main', image: 'registry.example.com/app:1', resources: {claims: names.map((name) => ({name}))}}],
});

/** `REQUEST POOL/DEVICE` of what a claim has got. */
async function devicesOf(cluster: SimulatedCluster, name: string): Promise<string[] | undefined> {
  const {status} = await cluster.get<ResourceClaim>(`${claims}/${name}`);
  return status?.allocation?.devices?.results?.map(({request, pool, device}) => `${request} ${pool}/${device}`);
}

async function whyNot(cluster: SimulatedCluster, name: string): Promise<string | undefined> {
  const {status, spec} = await cluster.settledPod(name);
  return spec?.nodeName ? `on ${spec.nodeName}` : status?.conditions?.find(({type}) => type === 'PodScheduled')?.message;
}

clusterTest('pods get the devices that they claim, on a node that has them, and give them back', async (t, cluster) => {
  await deviceClass(cluster, 'gpu', 'device.driver == "gpu.example.com"');
  await slice(cluster, 'node-2', {nodeName: 'node-2'}, [gpu('gpu-0', 'small', '8Gi'), gpu('gpu-1', 'large', '80Gi')]);
  const request = (name: string, more: object = {}) => ({name, exactly: {deviceClassName: 'gpu', ...more}});
  const large = {selectors: [{cel: {expression: 'device.capacity["gpu.example.com"].memory.compareTo(quantity("40Gi")) >= 0'}}]};
  await claim(cluster, 'large', {requests: [request('card', large)]});
  await claim(cluster, 'any', {requests: [request('card')]});
  await claim(cluster, 'more', {requests: [request('card')]});
  await cluster.pod('one', {}, using('large', 'any'));
  t.is(await whyNot(cluster, 'one'), 'on node-2');
  t.deepEqual([await devicesOf(cluster, 'large'), await devicesOf(cluster, 'any')], [['card node-2/gpu-1'], ['card node-2/gpu-0']]);
  const {metadata, status} = await cluster.get<ResourceClaim>(`${claims}/large`);
  const pod = await cluster.get<Pod>(`${pods}/one`);
  t.deepEqual(metadata.finalizers, ['resource.kubernetes.io/delete-protection']);
  t.deepEqual(status!.reservedFor, [{resource: 'pods', name: 'one', uid: pod.metadata.uid}]);
  t.deepEqual(status!.allocation!.nodeSelector, {
    nodeSelectorTerms: [{matchFields: [{key: 'metadata.name', operator: 'In', values: ['node-2']}]}],
  });
  await cluster.pod('two', {}, using('more'));
  t.is(
    await whyNot(cluster, 'two'),
    '0/2 nodes are available: 2 cannot allocate all claims. still not schedulable, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
  );
  await cluster.remove(`${pods}/one?gracePeriodSeconds=0`);
  for (const name of ['large', 'any']) await cluster.remove(`${claims}/${name}`);
  await cluster.server.advance(10_000);
  t.is(await whyNot(cluster, 'two'), 'on node-2');
  await cluster.remove(`${pods}/two?gracePeriodSeconds=0`);
  await cluster.remove(`${claims}/more`);
});

clusterTest('claims are made from templates, shared by pods, and matched by what devices have in common', async (t, cluster) => {
  await cluster.create(`${api}/namespaces/default/resourceclaimtemplates`, {
    metadata: {name: 'pair'},
    spec: {
      spec: {
        devices: {
          requests: [{name: 'cards', exactly: {deviceClassName: 'gpu', count: 2}}],
          constraints: [{matchAttribute: 'gpu.example.com/driverVersion'}],
        },
      },
    },
  });
  const spec = {resourceClaims: [{name: 'pair', resourceClaimTemplateName: 'pair'}]};
  await cluster.pod('pair', {}, spec);
  t.is(await whyNot(cluster, 'pair'), 'on node-2');
  const {status} = await cluster.get<Pod>(`${pods}/pair`);
  t.deepEqual(await devicesOf(cluster, status!.resourceClaimStatuses![0]!.resourceClaimName!), [
    'cards node-2/gpu-0',
    'cards node-2/gpu-1',
  ]);
  await cluster.remove(`${pods}/pair?gracePeriodSeconds=0`);
  const requests = [
    {
      name: 'card',
      firstAvailable: [
        {name: 'huge', deviceClassName: 'gpu', selectors: [{cel: {expression: 'device.attributes["gpu.example.com"].model == "huge"'}}]},
        {
          name: 'fallback',
          deviceClassName: 'gpu',
          selectors: [
            {
              cel: {
                expression:
                  'device.attributes["gpu.example.com"].driverVersion.isGreaterThan(semver("1.0.0")) && !("x" in device.attributes["other"])',
              },
            },
          ],
        },
      ],
    },
  ];
  await claim(cluster, 'shared', {requests});
  for (const name of ['first', 'second']) await cluster.pod(name, {}, using('shared'));
  t.deepEqual([await whyNot(cluster, 'first'), await whyNot(cluster, 'second')], ['on node-2', 'on node-2']);
  t.deepEqual(await devicesOf(cluster, 'shared'), ['card/fallback node-2/gpu-0']);
  t.is((await cluster.get<ResourceClaim>(`${claims}/shared`)).status!.reservedFor!.length, 2);
  for (const name of ['first', 'second']) await cluster.remove(`${pods}/${name}?gracePeriodSeconds=0`);
  await cluster.remove(`${claims}/shared`);
});

clusterTest('a pod waits for its claims, their classes and devices that its claims tolerate', async (t, cluster) => {
  await cluster.pod('early', {}, using('late'));
  t.is(await whyNot(cluster, 'early'), undefined, 'it is not tried before its claim is there');
  await claim(cluster, 'late', {requests: [{name: 'card', exactly: {deviceClassName: 'fpga'}}]});
  t.is(
    await whyNot(cluster, 'early'),
    '0/2 nodes are available: request card: device class fpga does not exist. no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
  );
  await slice(cluster, 'fpgas', {driver: 'fpga.example.com', allNodes: true}, [
    {name: 'fpga-0', taints: [{key: 'broken', effect: 'NoSchedule'}]},
  ]);
  await deviceClass(cluster, 'fpga', 'device.driver == "fpga.example.com"');
  await cluster.server.advance(10_000);
  t.regex((await whyNot(cluster, 'early'))!, /2 cannot allocate all claims/);
  await cluster.remove(`${api}/resourceslices/fpgas`);
  await slice(cluster, 'fpgas', {driver: 'fpga.example.com', allNodes: true}, [{name: 'fpga-0'}]);
  await cluster.server.advance(10_000);
  t.regex((await whyNot(cluster, 'early'))!, /^on node-/);
  t.is((await cluster.get<ResourceClaim>(`${claims}/late`)).status!.allocation!.nodeSelector, undefined);
});

clusterTest('claims share a device as far as its capacity goes, and give their shares back', async (t, cluster) => {
  const device = {name: 'net-0', allowMultipleAllocations: true, capacity: {bandwidth: {value: '10G', requestPolicy: {default: '1G'}}}};
  const pool = {name: 'nets', generation: 1, resourceSliceCount: 1};
  await cluster.create(`${api}/resourceslices`, {
    metadata: {name: 'nets'},
    spec: {driver: 'net.example.com', pool, nodeName: 'node-1', devices: [device]},
  });
  await deviceClass(cluster, 'net', 'device.driver == "net.example.com"');
  const request = (bandwidth?: string) => ({
    name: 'card',
    exactly: {deviceClassName: 'net', ...(bandwidth ? {capacity: {requests: {bandwidth}}} : {})},
  });
  await claim(cluster, 'wide', {requests: [request('8G')]});
  await claim(cluster, 'usual', {requests: [request()]});
  await claim(cluster, 'broad', {requests: [request('4G')]});
  await cluster.pod('wide', {}, using('wide'));
  await cluster.pod('usual', {}, using('usual'));
  t.deepEqual([await whyNot(cluster, 'wide'), await whyNot(cluster, 'usual')], ['on node-1', 'on node-1']);
  const resultOf = async (name: string) =>
    (await cluster.get<ResourceClaim>(`${claims}/${name}`)).status!.allocation!.devices!.results![0]!;
  const [wide, usual] = [await resultOf('wide'), await resultOf('usual')];
  t.deepEqual([wide.consumedCapacity, usual.consumedCapacity], [{bandwidth: '8G'}, {bandwidth: '1G'}]);
  t.truthy(wide.shareID);
  t.not(wide.shareID, usual.shareID);
  await cluster.pod('broad', {}, using('broad'));
  t.regex((await whyNot(cluster, 'broad'))!, /^0\/2 nodes are available: 2 cannot allocate all claims\./);
  await cluster.remove(`${pods}/wide?gracePeriodSeconds=0`);
  await cluster.remove(`${claims}/wide`);
  await cluster.server.advance(10_000);
  t.is(await whyNot(cluster, 'broad'), 'on node-1');
  for (const name of ['usual', 'broad']) {
    await cluster.remove(`${pods}/${name}?gracePeriodSeconds=0`);
    await cluster.remove(`${claims}/${name}`);
  }
});

clusterTest('a pod gets its node when its device is ready there; one that fails or takes too long is taken back', async (t, cluster) => {
  const device = {name: 'card-0', bindingConditions: ['example.com/attached'], bindingFailureConditions: ['example.com/broken']};
  const pool = {name: 'cards', generation: 1, resourceSliceCount: 1};
  await cluster.create(`${api}/resourceslices`, {
    metadata: {name: 'cards'},
    spec: {driver: 'card.example.com', pool, nodeName: 'node-1', devices: [device]},
  });
  await deviceClass(cluster, 'card', 'device.driver == "card.example.com"');
  await claim(cluster, 'attached', {requests: [{name: 'card', exactly: {deviceClassName: 'card'}}]});
  await cluster.pod('waits', {}, using('attached'));
  const say = (type: string, message = '') =>
    cluster.patch(`${claims}/attached/status`, {
      status: {
        devices: [
          {
            driver: 'card.example.com',
            pool: 'cards',
            device: 'card-0',
            conditions: [{type, status: 'True', reason: 'Said', message, lastTransitionTime: '2026-01-01T00:00:00Z'}],
          },
        ],
      },
    });
  const allocatedAt = async () => (await cluster.get<ResourceClaim>(`${claims}/attached`)).status?.allocation?.allocationTimestamp;
  t.is(await whyNot(cluster, 'waits'), undefined);
  t.is((await cluster.get<Pod>(`${pods}/waits`)).status?.nominatedNodeName, 'node-1');
  const first = await allocatedAt();
  t.truthy(first);
  await say('example.com/broken', 'no power');
  const failure = 'running PreBind plugin "DynamicResources": device binding failed: claim=attached, reason=Said, message="no power"';
  t.is(await whyNot(cluster, 'waits'), failure);
  // It is tried again, and its device taken back, and given anew.
  await cluster.server.advance(20_000);
  await cluster.server.settled();
  const second = await allocatedAt();
  t.truthy(second);
  t.not(second, first);
  await cluster.server.advance(601_000);
  await cluster.server.settled();
  await cluster.server.advance(30_000);
  await cluster.server.settled();
  t.not(await allocatedAt(), second);
  const {items} = await cluster.get<{items: {note: string}[]}>('/apis/events.k8s.io/v1/namespaces/default/events');
  const timeout = 'running PreBind plugin "DynamicResources": device binding timeout: context deadline exceeded';
  t.true(
    items.some(({note}) => note === timeout),
    items.map(({note}) => note).join('\n'),
  );
  await say('example.com/attached');
  t.is(await whyNot(cluster, 'waits'), 'on node-1');
});
