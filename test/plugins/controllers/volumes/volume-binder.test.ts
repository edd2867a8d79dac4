import {testOnEachStore} from '../../../helpers/each-store.js';
import {StorageUnderTest} from './storage-under-test.js';

const eachStore = testOnEachStore({platform: 'kubernetes', cluster: true, controllers: ['*', '-garbagecollector', '-kube-scheduler']});
const temporary = ['', 'tmp', ''].join('/');
const storeTest: typeof eachStore = (title, run) => eachStore(title, run, {serial: true});

storeTest('a claim gets the smallest volume that suits it, and both say so', async (t, context) => {
  const storage = new StorageUnderTest(context);
  await storage.volume('large', {capacity: {storage: '10Gi'}});
  const fit = await storage.volume('fit', {capacity: {storage: '3Gi'}});
  await storage.volume('small');
  await storage.volume('other', {capacity: {storage: '2Gi'}, storageClassName: 'other'});
  await storage.volume('many', {capacity: {storage: '2Gi'}, accessModes: ['ReadWriteOnce', 'ReadOnlyMany']});
  await storage.volume('block', {capacity: {storage: '2Gi'}, volumeMode: 'Block'});
  await storage.volumeUntil(fit, (volume) => volume?.status?.phase === 'Available');
  const made = await storage.claim('data', {resources: {requests: {storage: '2Gi'}}});
  const claim = await storage.bound('data');
  t.is(claim.spec!.volumeName, fit);
  t.deepEqual(claim.status, {phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: {storage: '3Gi'}});
  t.like(claim.metadata.annotations, {'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes'});
  const volume = await storage.volumeUntil(fit, (found) => found?.status?.phase === 'Bound');
  t.like(volume!.spec!.claimRef, {kind: 'PersistentVolumeClaim', name: 'data', namespace: context.namespace, uid: made.metadata.uid!});
  t.is(volume!.metadata.annotations?.['pv.kubernetes.io/bound-by-controller'], 'yes');
});

storeTest('claims choose by labels and by name; volumes that are reserved for a claim are left to it', async (t, context) => {
  const storage = new StorageUnderTest(context);
  const labelled = await storage.volume('labelled', {}, {labels: {disk: 'fast'}});
  const reserved = await storage.volume('reserved', {claimRef: {namespace: context.namespace, name: 'reserving'}});
  const named = await storage.volume('named', {capacity: {storage: '5Gi'}});
  for (const name of [labelled, reserved, named]) await storage.volumeUntil(name, (volume) => volume?.status?.phase === 'Available');
  await storage.claim('byname', {volumeName: named});
  await storage.claim('bylabel', {selector: {matchLabels: {disk: 'fast'}}});
  t.is((await storage.bound('byname')).spec!.volumeName, named);
  t.is((await storage.bound('bylabel')).spec!.volumeName, labelled);
  await storage.claim('none');
  t.true(
    (await storage.events('none', 'ProvisioningFailed')).includes(
      `Warning ProvisioningFailed storageclass.storage.k8s.io "${context.namespace}" not found`,
    ),
  );
  await storage.claim('reserving');
  t.is((await storage.bound('reserving')).spec!.volumeName, reserved);
  t.is((await storage.volumeUntil(reserved, () => true))!.metadata.annotations?.['pv.kubernetes.io/bound-by-controller'], undefined);
});

storeTest('a claim whose volume does not suit it, or has another claim, says why and waits', async (t, context) => {
  const storage = new StorageUnderTest(context);
  const small = await storage.volume('small');
  await storage.claim('data', {volumeName: small, resources: {requests: {storage: '2Gi'}}});
  t.deepEqual(await storage.events('data', 'VolumeMismatch'), [
    `Warning VolumeMismatch Cannot bind to requested volume "${small}": requested PV is too small`,
  ]);
  await storage.claim('first', {volumeName: small});
  await storage.bound('first');
  await storage.claim('second', {volumeName: small});
  t.deepEqual(await storage.events('second', 'FailedBinding'), [
    `Warning FailedBinding volume "${small}" already bound to a different claim.`,
  ]);
  t.is((await storage.claimUntil('second', () => true)).status!.phase, 'Pending');
  await storage.claim('classless', {storageClassName: ''});
  t.deepEqual(await storage.events('classless', 'FailedBinding'), [
    'Normal FailedBinding no persistent volumes available for this claim and no storage class is set',
  ]);
});

storeTest('a volume whose claim is gone is released; what then happens is its policy', async (t, context) => {
  const storage = new StorageUnderTest(context);
  const kept = await storage.volume('kept');
  const failed = await storage.volume('failed', {
    persistentVolumeReclaimPolicy: 'Delete',
    hostPath: {path: '/data/x'},
    storageClassName: 'f',
  });
  const deleted = await storage.volume('deleted', {
    persistentVolumeReclaimPolicy: 'Delete',
    hostPath: {path: `${temporary}x`},
    storageClassName: 'd',
  });
  const recycled = await storage.volume('recycled', {persistentVolumeReclaimPolicy: 'Recycle', storageClassName: 'r'});
  for (const [name, volumeName, storageClassName] of [
    ['a', kept, context.namespace],
    ['b', failed, 'f'],
    ['c', deleted, 'd'],
    ['d', recycled, 'r'],
  ] as const) {
    await storage.claim(name, {volumeName, storageClassName});
    await storage.bound(name);
    await storage.remove(name);
  }
  await storage.volumeUntil(kept, (volume) => volume?.status?.phase === 'Released');
  const broken = await storage.volumeUntil(failed, (volume) => volume?.status?.phase === 'Failed');
  t.is(broken!.status!.message, `host_path deleter only supports ${temporary}.+ but received provided /data/x`);
  await storage.volumeUntil(deleted, (volume) => volume === undefined);
  const free = await storage.volumeUntil(recycled, (volume) => volume?.status?.phase === 'Available');
  // The claim named its volume, so the volume was bound by the controller.
  t.is(free!.spec!.claimRef, undefined);
});

storeTest('a claim of a simulated class gets a volume, which goes with it', async (t, context) => {
  const storage = new StorageUnderTest(context);
  const storageClassName = await storage.storageClass('disk', {allowVolumeExpansion: true});
  const made = await storage.claim('data', {storageClassName, resources: {requests: {storage: '7Gi'}}});
  const claim = await storage.bound('data');
  const name = `pvc-${made.metadata.uid}`;
  t.is(claim.spec!.volumeName, name);
  t.is(claim.metadata.annotations?.['volume.kubernetes.io/storage-provisioner'], 'simulate.orch/disk');
  const volume = await storage.volumeUntil(name, (found) => found?.status?.phase === 'Bound');
  t.like(volume!.spec, {
    capacity: {storage: '7Gi'},
    persistentVolumeReclaimPolicy: 'Delete',
    storageClassName,
    volumeMode: 'Filesystem',
    csi: {driver: 'disk.simulate.orch', volumeHandle: name},
  });
  t.like(volume!.metadata, {
    annotations: {'pv.kubernetes.io/provisioned-by': 'simulate.orch/disk', 'pv.kubernetes.io/bound-by-controller': 'yes'},
  });
  t.true(
    (await storage.events('data', 'ProvisioningSucceeded')).includes(
      `Normal ProvisioningSucceeded Successfully provisioned volume ${name} using simulate.orch/disk`,
    ),
  );
  await storage.remove('data');
  await storage.volumeUntil(name, (found) => found === undefined);
});

storeTest('other provisioners are waited for; a claim without a class gets the default one when there is one', async (t, context) => {
  const storage = new StorageUnderTest(context);
  const foreign = await storage.storageClass('foreign', {provisioner: 'csi.example.com'});
  await storage.claim('data', {storageClassName: foreign});
  t.deepEqual(await storage.events('data', 'ExternalProvisioning'), [
    "Normal ExternalProvisioning Waiting for a volume to be created either by the external provisioner 'csi.example.com' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.",
  ]);
  const claim = await storage.claimUntil(
    'data',
    ({metadata}) => metadata.annotations?.['volume.kubernetes.io/storage-provisioner'] !== undefined,
  );
  t.is(claim.metadata.annotations?.['volume.beta.kubernetes.io/storage-provisioner'], 'csi.example.com');
  await storage.claim('later', {storageClassName: undefined});
  await storage.events('later', 'FailedBinding');
  const byDefault = await storage.storageClass('default', {
    metadata: {name: storage.name('default'), annotations: {'storageclass.kubernetes.io/is-default-class': 'true'}},
  });
  t.is((await storage.bound('later')).spec!.storageClassName, byDefault);
  await context.client.delete(`/apis/storage.k8s.io/v1/storageclasses/${byDefault}`);
});

storeTest('a claim whose class waits for its first pod is not bound before, and says what it waits for', async (t, context) => {
  const storage = new StorageUnderTest(context);
  const storageClassName = await storage.storageClass('late', {volumeBindingMode: 'WaitForFirstConsumer'});
  await storage.claim('data', {storageClassName});
  t.deepEqual(await storage.events('data', 'WaitForFirstConsumer'), [
    'Normal WaitForFirstConsumer waiting for first consumer to be created before binding',
  ]);
  t.is((await storage.claimUntil('data', () => true)).status!.phase, 'Pending');
  await storage.send('post', '/api/v1/nodes', {metadata: {name: storage.name('one'), labels: {rack: 'r1'}}});
  await storage.change('data', {metadata: {annotations: {'volume.kubernetes.io/selected-node': storage.name('one')}}});
  await storage.bound('data');
});

storeTest('a claim that loses its volume is lost', async (t, context) => {
  const storage = new StorageUnderTest(context);
  const name = await storage.volume('gone');
  await storage.claim('data', {volumeName: name});
  await storage.bound('data');
  await context.client.delete(`/api/v1/persistentvolumes/${name}`);
  await storage.send('patch', `/api/v1/persistentvolumes/${name}`, {metadata: {finalizers: null}});
  await storage.claimUntil('data', ({status}) => status?.phase === 'Lost');
  t.deepEqual(
    (await storage.events('data', 'ClaimLost')).filter((text) => text.includes('ClaimLost')),
    ['Warning ClaimLost Bound claim has lost its PersistentVolume. Data on the volume is lost!'],
  );
});
