import test from 'ava';
import type {ApiObject} from '../../../../sdk/index.js';
import {causesOf, faultyFields, servedGroup, tableRows} from '../served-group.js';

const client = servedGroup(test);
const volumes = '/api/v1/persistentvolumes';
const claims = '/api/v1/namespaces/default/persistentvolumeclaims';

interface Answer extends ApiObject {
  spec: Record<string, unknown>;
  status: Record<string, unknown>;
}

const csi = {driver: 'disk.example.com', volumeHandle: 'h'};
const volume = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: {name},
  spec: {capacity: {storage: '1Gi'}, accessModes: ['ReadWriteOnce'], csi, ...spec},
});
const claim = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: {name},
  spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}, ...spec},
});

test('a new volume is Pending and kept when its claim goes', async (t) => {
  const made = (await client().post(volumes, {...volume('fresh'), status: {phase: 'Bound'}})).json<Answer>();
  t.deepEqual(made.status, {phase: 'Pending'});
  t.like(made.spec, {persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem'});
});

const faultyVolumes: [string, object, string[]][] = [
  [
    'needs modes, a size and a source',
    {accessModes: [], capacity: {}, csi: null},
    ['spec.accessModes', 'spec.capacity', 'spec.capacity', 'spec'],
  ],
  ['has a size above nothing', {capacity: {storage: '0'}}, ['spec.capacity[storage]']],
  ['has a size and nothing else', {capacity: {storage: '1', cpu: '1'}}, ['spec.capacity']],
  ['has one source', {nfs: {server: 's', path: '/'}}, ['spec.csi']],
  [
    'names its driver and handle',
    {csi: {nodePublishSecretRef: {name: 's'}}},
    ['spec.csi.driver', 'spec.csi.driver', 'spec.csi.volumeHandle', 'spec.csi.nodePublishSecretRef.namespace'],
  ],
  ['says where a local disk is', {csi: null, local: {path: '/d'}}, ['spec.nodeAffinity']],
  [
    'does not clear a whole machine',
    {csi: null, hostPath: {path: '/'}, persistentVolumeReclaimPolicy: 'Recycle'},
    ['spec.persistentVolumeReclaimPolicy'],
  ],
  [
    'has known words',
    {persistentVolumeReclaimPolicy: 'Burn', volumeMode: 'Tape', accessModes: ['ReadWriteOncePod']},
    ['spec.accessModes', 'spec.persistentVolumeReclaimPolicy', 'spec.volumeMode'],
  ],
];
for (const [title, spec, fields] of faultyVolumes) {
  test(`a volume ${title}`, async (t) => {
    t.deepEqual(faultyFields(await client().post(volumes, volume('faulty', spec))), fields);
  });
}

test('the source of a volume stays, its size and class may change', async (t) => {
  await client().post(volumes, volume('fixed'));
  const patch = (spec: object) => client().patch(`${volumes}/fixed`, {spec});
  t.is((await patch({capacity: {storage: '2Gi'}, storageClassName: 'fast', claimRef: {namespace: 'default', name: 'c'}})).status, 200);
  t.is((await patch({csi: {controllerExpandSecretRef: {name: 's', namespace: 'n'}}})).status, 200, 'a secret for growing may come later');
  t.deepEqual(faultyFields(await patch({csi: {volumeHandle: 'other'}, volumeMode: 'Block'})), [
    'spec.persistentvolumesource',
    'spec.volumeMode',
  ]);
  const affinity = {required: {nodeSelectorTerms: [{matchExpressions: [{key: 'zone', operator: 'In', values: ['a']}]}]}};
  t.is((await patch({nodeAffinity: affinity})).status, 200);
  t.deepEqual(faultyFields(await patch({nodeAffinity: null})), ['spec.nodeAffinity']);
});

test('a claim is a wish with a size', async (t) => {
  t.deepEqual((await client().post(claims, {...claim('fresh'), status: {phase: 'Bound'}})).json<Answer>().status, {phase: 'Pending'});
  t.deepEqual(
    faultyFields(
      await client().post(
        claims,
        claim('faulty', {
          accessModes: [],
          resources: {},
          storageClassName: '!',
          selector: {matchExpressions: [{key: 'a', operator: 'In'}]},
        }),
      ),
    ),
    ['spec.accessModes', 'spec.selector.matchExpressions[0].values', 'spec.resources[storage]', 'spec.storageClassName'],
  );
});

test('what a volume is filled from stands in both fields', async (t) => {
  const source = {kind: 'PersistentVolumeClaim', name: 'old'};
  t.like((await client().post(claims, claim('copy', {dataSource: source}))).json<Answer>().spec, {
    dataSource: source,
    dataSourceRef: source,
  });
  const populator = {apiGroup: 'example.com', kind: 'Populator', name: 'p'};
  t.like((await client().post(claims, claim('populated', {dataSourceRef: populator}))).json<Answer>().spec, {
    dataSource: populator,
    dataSourceRef: populator,
  });
  const dropped = (await client().post(claims, claim('dropped', {dataSource: populator}))).json<Answer>();
  t.is(dropped.spec['dataSource'], undefined);
  t.is(dropped.spec['dataSourceRef'], undefined);
  t.is((await client().patch(`${claims}/dropped`, {spec: {dataSource: populator}})).status, 200, 'dropped from a change too');
  t.deepEqual(faultyFields(await client().post(claims, claim('faulty', {dataSource: source, dataSourceRef: {...source, name: 'other'}}))), [
    'spec',
  ]);
  const foreign = (await client().post(claims, claim('foreign', {dataSourceRef: {...populator, namespace: 'elsewhere'}}))).json<Answer>();
  t.is(foreign.spec['dataSourceRef'], undefined, 'the feature is off');
});

test('a claim is named a volume once, a class where it has none, and grows when it is bound', async (t) => {
  const fast = {metadata: {name: 'fast'}, provisioner: 'example.com/disk', allowVolumeExpansion: true};
  await client().post('/apis/storage.orch/v1/storageclasses', fast);
  await client().post(claims, claim('bound'));
  const patch = (spec: object) => client().patch(`${claims}/bound`, {spec});
  const immutable = ['spec: Forbidden: spec is immutable after creation except resources.requests for bound claims'];
  t.deepEqual(causesOf(await patch({resources: {requests: {storage: '2Gi'}}})), immutable, 'not bound yet');
  t.is((await patch({storageClassName: 'fast'})).status, 200);
  t.deepEqual(causesOf(await patch({storageClassName: 'slow'})), immutable);
  t.is((await patch({volumeName: 'v'})).status, 200);
  t.deepEqual(causesOf(await patch({volumeName: 'w'})), immutable);
  t.deepEqual(causesOf(await patch({accessModes: ['ReadOnlyMany']})), immutable);
  await client().patch(`${claims}/bound/status`, {status: {phase: 'Bound', capacity: {storage: '1Gi'}}});
  t.is((await patch({resources: {requests: {storage: '2Gi'}}})).status, 200);
  t.deepEqual(causesOf(await patch({resources: {requests: {storage: '1Gi'}}})), [
    'spec.resources.requests.storage: Forbidden: field can not be less than previous value',
  ]);
});

test('the status of a claim has amounts, and no fields of features that are off', async (t) => {
  await client().post(claims, claim('reported'));
  const report = (status: object) => client().patch(`${claims}/reported/status`, {status});
  t.deepEqual(faultyFields(await report({capacity: {storage: '-1'}})), ['status.capacity[storage]']);
  const reported = (
    await report({capacity: {storage: '1Gi'}, allocatedResources: {storage: '2Gi'}, resizeStatus: 'NodeExpansionPending'})
  ).json<Answer>();
  t.deepEqual(reported.status, {phase: 'Pending', capacity: {storage: '1Gi'}});
});

test('the Tables of volumes and claims', async (t) => {
  await client().post(
    volumes,
    volume('shown', {
      accessModes: ['ReadOnlyMany', 'ReadWriteOnce'],
      claimRef: {namespace: 'default', name: 'shown'},
      storageClassName: 'fast',
    }),
  );
  await client().post(claims, {
    ...claim('shown', {volumeName: 'shown', storageClassName: 'fast'}),
    metadata: {name: 'shown', annotations: {'volume.beta.orch/storage-class': 'older'}},
  });
  await client().patch(`${claims}/shown/status`, {status: {phase: 'Bound', capacity: {storage: '1Gi'}, accessModes: ['ReadWriteOnce']}});
  const rowOf = async (path: string) => (await tableRows(client(), path)).find(({Name: name}) => name === 'shown');
  t.like(await rowOf(volumes), {
    Capacity: '1Gi',
    'Access Modes': 'RWO,ROX',
    'Reclaim Policy': 'Retain',
    Status: 'Pending',
    Claim: 'default/shown',
    StorageClass: 'fast',
    VolumeMode: 'Filesystem',
  });
  t.like(await rowOf(claims), {
    Status: 'Bound',
    Volume: 'shown',
    Capacity: '1Gi',
    'Access Modes': 'RWO',
    StorageClass: 'older',
    VolumeMode: 'Filesystem',
  });
});
