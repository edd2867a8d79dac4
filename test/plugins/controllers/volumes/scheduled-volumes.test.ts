import {testOnEachStore} from '../../../helpers/each-store.js';
import {ClusterUnderTest} from '../scheduler/cluster-under-test.js';
import {StorageUnderTest} from './storage-under-test.js';

const eachStore = testOnEachStore({platform: 'kubernetes', cluster: true, controllers: ['*', '-garbagecollector', '-nodelifecycle']});
const storeTest: typeof eachStore = (title, run) => eachStore(title, run, {serial: true});

const using = (claimName: string) => ({volumes: [{name: 'data', persistentVolumeClaim: {claimName}}]});

storeTest('a claim that waits for its first pod gets a volume near the node of that pod, and further pods go there', async (t, context) => {
  const [cluster, storage] = [new ClusterUnderTest(context), new StorageUnderTest(context)];
  await cluster.node('one', {cpu: '1', labels: {rack: 'north'}});
  await cluster.node('two', {cpu: '4', labels: {rack: 'south'}});
  const late = {volumeBindingMode: 'WaitForFirstConsumer', parameters: {topologyKey: 'rack'}};
  const storageClassName = await storage.storageClass('late', late);
  await storage.claim('data', {storageClassName, accessModes: ['ReadWriteMany']});
  await cluster.pod('first', {...using('data'), nodeSelector: {test: context.namespace, rack: 'north'}});
  t.is(await cluster.placeOf('first'), 'one');
  const claim = await storage.bound('data');
  t.is(claim.metadata.annotations?.['volume.kubernetes.io/selected-node'], cluster.nodeName('one'));
  const volume = await storage.volumeUntil(claim.spec!.volumeName!, () => true);
  t.deepEqual(volume!.spec!.nodeAffinity!.required!.nodeSelectorTerms, [
    {matchExpressions: [{key: 'rack', operator: 'In', values: ['north']}]},
  ]);
  await cluster.pod('second', using('data'));
  t.is(await cluster.placeOf('second'), 'one');
});

storeTest(
  'volumes that are there are used where they can be reached; where there is none left the pod waits and says why',
  async (t, context) => {
    const [cluster, storage] = [new ClusterUnderTest(context), new StorageUnderTest(context)];
    for (const name of ['one', 'two']) await cluster.node(name);
    const storageClassName = await storage.storageClass('local', {
      provisioner: 'kubernetes.io/no-provisioner',
      volumeBindingMode: 'WaitForFirstConsumer',
    });
    const terms = [{matchExpressions: [{key: 'kubernetes.io/hostname', operator: 'In', values: [cluster.nodeName('two')]}]}];
    const name = await storage.volume('disk', {storageClassName, nodeAffinity: {required: {nodeSelectorTerms: terms}}});
    await storage.volumeUntil(name, (volume) => volume?.status?.phase === 'Available');
    for (const claim of ['first', 'second']) await storage.claim(claim, {storageClassName});
    await cluster.pod('a', using('first'));
    t.is(await cluster.placeOf('a'), 'two');
    t.is((await storage.bound('first')).spec!.volumeName, name);
    await cluster.pod('b', using('second'));
    const message = await cluster.refusal('b');
    t.true(message.includes("2 node(s) didn't find available persistent volumes to bind"), message);
  },
);

storeTest('the claims of ephemeral volumes are made for their pod, and the pod gets a node', async (t, context) => {
  const [cluster, storage] = [new ClusterUnderTest(context), new StorageUnderTest(context)];
  await cluster.node('one');
  const storageClassName = await storage.storageClass('disk', {volumeBindingMode: 'WaitForFirstConsumer'});
  const spec = {storageClassName, accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}};
  const volumes = [{name: 'scratch', ephemeral: {volumeClaimTemplate: {metadata: {labels: {kind: 'scratch'}}, spec}}}];
  await cluster.pod('web', {volumes});
  t.is(await cluster.placeOf('web'), 'one');
  const {metadata} = await storage.bound('web-scratch');
  t.is(metadata.labels?.['kind'], 'scratch');
  t.like(metadata.ownerReferences, [{kind: 'Pod', name: 'web', controller: true, blockOwnerDeletion: true}]);
  await storage.claim('late-scratch', spec);
  await cluster.pod('late', {volumes});
  const events = await storage.events('late', 'FailedBinding');
  const {namespace} = context;
  t.true(
    events.includes(
      `Warning FailedBinding ephemeral volume scratch: PVC ${namespace}/late-scratch was not created for pod ${namespace}/late (pod is not owner)`,
    ),
  );
});

storeTest('a claim that asks for more gets it if its volume is simulated', async (t, context) => {
  const storage = new StorageUnderTest(context);
  const storageClassName = await storage.storageClass('disk', {allowVolumeExpansion: true});
  await storage.claim('data', {storageClassName});
  await storage.bound('data');
  await storage.change('data', {spec: {resources: {requests: {storage: '5Gi'}}}});
  const claim = await storage.claimUntil('data', ({status}) => status?.capacity?.['storage'] === '5Gi');
  t.is((await storage.volumeUntil(claim.spec!.volumeName!, () => true))!.spec!.capacity!['storage'], '5Gi');
  t.true(
    (await storage.events('data', 'VolumeResizeSuccessful')).includes(
      `Normal VolumeResizeSuccessful ExpandVolume succeeded for volume ${context.namespace}/data`,
    ),
  );
  const foreign = await storage.storageClass('foreign', {provisioner: 'csi.example.com', allowVolumeExpansion: true});
  const volume = await storage.volume('foreign', {
    storageClassName: foreign,
    csi: {driver: 'csi.example.com', volumeHandle: 'x'},
    hostPath: undefined,
  });
  await storage.claim('other', {storageClassName: foreign, volumeName: volume});
  await storage.bound('other');
  await storage.change('other', {spec: {resources: {requests: {storage: '5Gi'}}}});
  t.true(
    (await storage.events('other', 'ExternalExpanding')).includes(
      'Normal ExternalExpanding waiting for an external controller to expand this PVC',
    ),
  );
});
