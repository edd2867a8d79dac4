import type {Event, Pod} from '@orch-api/orch/types/unchecked/core/v1';
import {conditionsOf, stateOf, testOnCluster, type SimulatedCluster} from './cluster.js';

const clusterTest = testOnCluster(2);
const core = '/api/v1/namespaces/default';
const image = 'registry.example.com/app:1';

/** A pod of one container that mounts all of its volumes. */
function mounting(cluster: SimulatedCluster, name: string, volumes: {name: string; [source: string]: unknown}[], more: object = {}) {
  const volumeMounts = volumes.map((volume) => ({name: volume.name, mountPath: `/${volume.name}`}));
  return cluster.pod(name, {}, {volumes, containers: [{name: 'main', image, volumeMounts}], automountServiceAccountToken: false, ...more});
}

/** How often each event about a pod was seen. */
async function counts(cluster: SimulatedCluster, name: string, reason: string): Promise<Record<string, number>> {
  await cluster.server.settled();
  const {items} = await cluster.get<{items: (Event & {involvedObject: {name?: string}})[]}>(`${core}/events`);
  const own = items.filter((event) => event.involvedObject.name === name && event.reason === reason);
  return Object.fromEntries(own.map(({message, count}) => [message!, count!]));
}

clusterTest('a pod whose ConfigMap is missing waits for it, says so again and again, and goes on when it appears', async (t, cluster) => {
  await mounting(cluster, 'mounts', [{name: 'settings', configMap: {name: 'later'}}]);
  const waiting = await cluster.settledPod('mounts');
  t.is(waiting.status!.phase, 'Pending');
  t.is(stateOf(waiting), 'waiting ContainerCreating, 0 restarts');
  t.true(conditionsOf(waiting).includes('PodReadyToStartContainers False'), conditionsOf(waiting).join());
  t.is(waiting.status!.podIP, undefined);
  const note = 'MountVolume.SetUp failed for volume "settings" : configmap "later" not found';
  t.deepEqual(await counts(cluster, 'mounts', 'FailedMount'), {}, 'a kubelet needs a moment to find out');
  await cluster.server.advance(5000);
  // After 0.5, 1, 2 and 4 seconds.
  t.deepEqual(await counts(cluster, 'mounts', 'FailedMount'), {[note]: 4});
  await cluster.server.advance(600_000);
  // After 8, 16, 32, 64, 128, and then each 122 seconds.
  t.deepEqual(await counts(cluster, 'mounts', 'FailedMount'), {[note]: 12});
  await cluster.create(`${core}/configmaps`, {metadata: {name: 'later'}, data: {colour: 'blue'}});
  const pod = await cluster.settledPod('mounts');
  t.is(stateOf(pod), 'running, 0 restarts');
  t.truthy(pod.status!.podIP);
});

clusterTest(
  'what a volume of ConfigMaps and Secrets lacks is said as kubelets say it; what is optional, or not mounted, is not missed',
  async (t, cluster) => {
    await cluster.create(`${core}/configmaps`, {metadata: {name: 'there'}, data: {colour: 'blue'}, binaryData: {picture: 'AAAA'}});
    await cluster.create(`${core}/secrets`, {metadata: {name: 'key'}, stringData: {token: 'x'}});
    const cases: [name: string, source: object, fault: string | undefined][] = [
      ['secret', {secret: {secretName: 'none'}}, 'secret "none" not found'],
      [
        'config-key',
        {configMap: {name: 'there', items: [{key: 'size', path: 'size'}]}},
        'configmap references non-existent config key: size',
      ],
      ['secret-key', {secret: {secretName: 'key', items: [{key: 'name', path: 'name'}]}}, 'references non-existent secret key: name'],
      ['projected', {projected: {sources: [{configMap: {name: 'none'}}, {secret: {name: 'key'}}]}}, 'configmap "none" not found'],
      [
        'several',
        {projected: {sources: [{configMap: {name: 'none'}}, {secret: {name: 'none'}}, {configMap: {name: 'none'}}]}},
        '[configmap "none" not found, secret "none" not found]',
      ],
      ['optional', {configMap: {name: 'none', optional: true}}, undefined],
      ['optional-key', {secret: {secretName: 'key', optional: true, items: [{key: 'name', path: 'name'}]}}, undefined],
      [
        'binary',
        {
          configMap: {
            name: 'there',
            items: [
              {key: 'picture', path: 'p'},
              {key: 'colour', path: 'c'},
            ],
          },
        },
        undefined,
      ],
    ];
    for (const [name, source] of cases) await mounting(cluster, `volume-${name}`, [{name: 'v', ...source}]);
    await cluster.pod('volume-unused', {}, {volumes: [{name: 'v', configMap: {name: 'none'}}], automountServiceAccountToken: false});
    await cluster.server.settled();
    await cluster.server.advance(600);
    for (const [name, , fault] of [...cases, ['unused', {}, undefined] as const]) {
      const notes = Object.keys(await counts(cluster, `volume-${name}`, 'FailedMount'));
      t.deepEqual(notes, fault === undefined ? [] : [`MountVolume.SetUp failed for volume "v" : ${fault}`], name);
      const pod = await cluster.get<Pod>(`${core}/pods/volume-${name}`);
      t.is(pod.status!.phase, fault === undefined ? 'Running' : 'Pending', name);
    }
  },
);

clusterTest('a pod that is bound although its claim is missing says so, and goes on when the claim has a volume', async (t, cluster) => {
  await mounting(cluster, 'claims', [{name: 'data', persistentVolumeClaim: {claimName: 'own'}}], {nodeName: 'node-1'});
  await cluster.server.settled();
  await cluster.server.advance(600);
  const lists = 'unmounted volumes=[data], unattached volumes=[], failed to process volumes=[data]';
  const said = (fault: string) => `Unable to attach or mount volumes: ${lists}: error processing PVC default/own: ${fault}`;
  const missing = said('failed to fetch PVC from API server: persistentvolumeclaims "own" not found');
  t.deepEqual(await counts(cluster, 'claims', 'FailedMount'), {[missing]: 1});
  const storage = {accessModes: ['ReadWriteOnce'], storageClassName: ''};
  await cluster.create(`${core}/persistentvolumeclaims`, {
    metadata: {name: 'own'},
    spec: {...storage, resources: {requests: {storage: '1Gi'}}},
  });
  await cluster.server.settled();
  await cluster.server.advance(15_000);
  t.deepEqual(await counts(cluster, 'claims', 'FailedMount'), {[missing]: 1, [said('PVC is not bound')]: 1});
  await cluster.create('/api/v1/persistentvolumes', {
    metadata: {name: 'disk'},
    spec: {...storage, capacity: {storage: '1Gi'}, hostPath: {path: '/data'}},
  });
  t.is(stateOf(await cluster.settledPod('claims')), 'running, 0 restarts');
});

clusterTest('a container whose environment is missing is not created, says why, and is when it appears', async (t, cluster) => {
  const env = [{name: 'COLOUR', valueFrom: {configMapKeyRef: {name: 'colours', key: 'door'}}}];
  const own = 'registry.example.com/env:1';
  await cluster.pod('env', {}, {containers: [{name: 'main', image: own, env}], automountServiceAccountToken: false});
  const waiting = await cluster.settledPod('env');
  t.deepEqual(waiting.status!.containerStatuses![0]!.state, {
    waiting: {reason: 'CreateContainerConfigError', message: 'configmap "colours" not found'},
  });
  t.is(waiting.status!.phase, 'Pending');
  t.truthy(waiting.status!.podIP, 'its sandbox is there');
  t.deepEqual(await cluster.events('env'), [
    `Pulling: Pulling image "${own}"`,
    `Pulled: Successfully pulled image "${own}" in 0s (0s including waiting). Image size: 0 bytes.`,
    'Failed: Error: configmap "colours" not found',
  ]);
  await cluster.create(`${core}/configmaps`, {metadata: {name: 'colours'}, data: {window: 'blue'}});
  await cluster.server.settled();
  await cluster.server.advance(13_000);
  const keyless = await cluster.settledPod('env');
  t.like(keyless.status!.containerStatuses![0]!.state, {waiting: {message: "couldn't find key door in ConfigMap default/colours"}});
  await cluster.server.advance(25_000);
  t.like(await counts(cluster, 'env', 'Failed'), {"Error: couldn't find key door in ConfigMap default/colours": 3});
  await cluster.patch(`${core}/configmaps/colours`, {data: {door: 'red'}});
  const pod = await cluster.settledPod('env');
  t.is(stateOf(pod), 'running, 0 restarts');
  t.deepEqual((await cluster.events('env')).slice(-2), ['Created: Container created', 'Started: Container started']);
});

clusterTest('a container that is started again misses what was deleted meanwhile', async (t, cluster) => {
  await cluster.create(`${core}/secrets`, {metadata: {name: 'gone'}, stringData: {a: 'b'}});
  const containers = [{name: 'main', image, envFrom: [{secretRef: {name: 'gone'}}]}];
  await cluster.pod('again', {after: '30s', 'exit-code': '1'}, {containers, automountServiceAccountToken: false});
  t.is(stateOf(await cluster.settledPod('again')), 'running, 0 restarts');
  await cluster.remove(`${core}/secrets/gone`);
  await cluster.server.advance(31_000);
  const pod = await cluster.settledPod('again');
  t.is(stateOf(pod), 'waiting CreateContainerConfigError, 0 restarts, before Error 1');
  t.like(pod.status!.containerStatuses![0]!.state, {waiting: {message: 'secret "gone" not found'}});
  await cluster.create(`${core}/secrets`, {metadata: {name: 'gone'}, stringData: {a: 'b'}});
  t.is(stateOf(await cluster.settledPod('again')), 'running, 1 restarts, before Error 1');
});

clusterTest('a pod whose Secrets for its images are missing says so with each look at it, and runs', async (t, cluster) => {
  await cluster.create(`${core}/secrets`, {metadata: {name: 'there'}, stringData: {token: 'x'}});
  const imagePullSecrets = ['there', 'none', 'later'].map((name) => ({name}));
  await cluster.pod('pulling', {}, {imagePullSecrets});
  t.is(stateOf(await cluster.settledPod('pulling')), 'running, 0 restarts');
  const note = (names: string) => `Unable to retrieve some image pull secrets (${names}); attempting to pull the image may not succeed.`;
  const reason = 'FailedToRetrieveImagePullSecret';
  t.deepEqual(await counts(cluster, 'pulling', reason), {[note('none, later')]: 1});
  await cluster.server.advance(160_000);
  t.deepEqual(await counts(cluster, 'pulling', reason), {[note('none, later')]: 3});
  await cluster.create(`${core}/secrets`, {metadata: {name: 'later'}, stringData: {token: 'x'}});
  await cluster.server.advance(75_000);
  t.deepEqual(await counts(cluster, 'pulling', reason), {[note('none, later')]: 3, [note('none')]: 1});
  await cluster.create(`${core}/secrets`, {metadata: {name: 'none'}, stringData: {token: 'x'}});
  await cluster.server.advance(300_000);
  t.deepEqual(await counts(cluster, 'pulling', reason), {[note('none, later')]: 3, [note('none')]: 1});
});
