import {testOnEachStore, type StoreContext} from '../../helpers/each-store.js';
import {eventually} from '../../helpers/eventually.js';

const storeTest = testOnEachStore({platform: 'kubernetes', controllers: ['*', '-garbagecollector']});

type Json = Record<string, unknown>;
interface Meta {
  metadata: {finalizers?: string[]; deletionTimestamp?: string; uid: string};
}

const claim = (name: string, metadata: Json = {}) => ({
  metadata: {name, ...metadata},
  spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}},
});
const volume = (name: string) => ({
  metadata: {name},
  spec: {accessModes: ['ReadWriteOnce'], capacity: {storage: '1Gi'}, hostPath: {path: '/a'}},
});
const pod = (name: string, claimName: string, spec: Json = {nodeName: 'n'}) => ({
  metadata: {name},
  spec: {
    terminationGracePeriodSeconds: 0,
    containers: [{name: 'a', image: 'x'}],
    volumes: [{name: 'v', persistentVolumeClaim: {claimName}}],
    ...spec,
  },
});

/** Resolves when an object that was deleted later, and is not used, is gone: by then the earlier ones have been looked at. */
async function isLookedAt(context: StoreContext, collection: string, later: {metadata: {name: string}}): Promise<void> {
  await context.client.post(collection, later);
  await context.client.delete(`${collection}/${later.metadata.name}`);
  await isGone(context, `${collection}/${later.metadata.name}`);
}

async function isGone({client}: StoreContext, path: string): Promise<void> {
  await eventually(
    () => client.get(path),
    ({status}) => status === 404,
  );
}

storeTest('[B-ADM-27] [B-ADM-30] new claims and volumes have a protection finalizer, and go when they are not used', async (t, context) => {
  const {client, path, namespace} = context;
  const volumes = '/api/v1/persistentvolumes';
  for (const [collection, object, finalizer] of [
    [path('persistentvolumeclaims'), claim('c', {finalizers: ['example.com/own']}), 'kubernetes.io/pvc-protection'],
    [volumes, volume(namespace), 'kubernetes.io/pv-protection'],
  ] as const) {
    const own = 'finalizers' in object.metadata ? ['example.com/own'] : [];
    const made = await client.post(collection, object);
    t.is(made.status, 201, made.body.toString());
    t.deepEqual(made.json<Meta>().metadata.finalizers, [...own, finalizer]);
    const at = `${collection}/${object.metadata.name}`;
    t.is((await client.delete(at)).status, 200);
    if (own.length > 0) {
      await eventually(
        () => client.get(at),
        (answer) => answer.json<Meta>().metadata.finalizers?.join() === own.join(),
      );
      t.is((await client.patch(at, {metadata: {finalizers: null}})).status, 200);
    }
    await isGone(context, at);
  }
});

storeTest('a claim stays for as long as a pod on a node uses it', async (t, context) => {
  const {client, path} = context;
  const at = `${path('persistentvolumeclaims')}/c`;
  t.is((await client.post(path('persistentvolumeclaims'), claim('c'))).status, 201);
  t.is((await client.post(path('pods'), pod('waiting', 'c', {}))).status, 201);
  t.is((await client.post(path('pods'), pod('other', 'd'))).status, 201);
  t.is((await client.post(path('pods'), pod('user', 'c'))).status, 201);
  t.truthy((await client.delete(at)).json<Meta>().metadata.deletionTimestamp);
  await isLookedAt(context, path('persistentvolumeclaims'), claim('later'));
  t.deepEqual((await client.get(at)).json<Meta>().metadata.finalizers, ['kubernetes.io/pvc-protection']);
  t.is((await client.delete(`${path('pods')}/user?gracePeriodSeconds=0`)).status, 200);
  await isGone(context, at);
});

storeTest('the claim of an ephemeral volume stays for as long as the pod that owns it', async (t, context) => {
  const {client, path} = context;
  const template = {spec: claim('x').spec};
  const made = await client.post(
    path('pods'),
    pod('p', '', {nodeName: 'n', volumes: [{name: 'v', ephemeral: {volumeClaimTemplate: template}}]}),
  );
  t.is(made.status, 201, made.body.toString());
  const owner = {apiVersion: 'v1', kind: 'Pod', name: 'p', uid: made.json<Meta>().metadata.uid, controller: true};
  t.is((await client.post(path('persistentvolumeclaims'), claim('p-v', {ownerReferences: [owner]}))).status, 201);
  const at = `${path('persistentvolumeclaims')}/p-v`;
  t.is((await client.delete(at)).status, 200);
  await isLookedAt(context, path('persistentvolumeclaims'), claim('later'));
  t.is((await client.get(at)).status, 200);
  t.is((await client.delete(`${path('pods')}/p?gracePeriodSeconds=0`)).status, 200);
  await isGone(context, at);
});

storeTest('a volume stays for as long as it is bound', async (t, context) => {
  const {client, namespace} = context;
  const at = `/api/v1/persistentvolumes/${namespace}`;
  t.is((await client.post('/api/v1/persistentvolumes', volume(namespace))).status, 201);
  t.is((await client.patch(`${at}/status`, {status: {phase: 'Bound'}})).status, 200);
  t.is((await client.delete(at)).status, 200);
  t.is((await client.patch(at, {metadata: {labels: {a: 'b'}}})).status, 200);
  await isLookedAt(context, '/api/v1/persistentvolumes', volume(`${namespace}-later`));
  t.is((await client.get(at)).status, 200);
  t.is((await client.patch(`${at}/status`, {status: {phase: 'Released'}})).status, 200);
  await isGone(context, at);
});

storeTest('a claim that has lost its finalizer gets it again', async (t, {client, path}) => {
  const at = `${path('persistentvolumeclaims')}/c`;
  t.is((await client.post(path('persistentvolumeclaims'), claim('c'))).status, 201);
  t.is((await client.patch(at, {metadata: {finalizers: null}})).status, 200);
  await eventually(
    () => client.get(at),
    (answer) => answer.json<Meta>().metadata.finalizers?.[0] === 'kubernetes.io/pvc-protection',
  );
  t.is((await client.delete(at)).status, 200);
});

storeTest('a namespace with claims and the pods that use them goes', async (t, context) => {
  const {client, path, namespace} = context;
  t.is((await client.post(path('persistentvolumeclaims'), claim('c'))).status, 201);
  t.is((await client.post(path('pods'), pod('p', 'c'))).status, 201);
  t.is((await client.delete(`/api/v1/namespaces/${namespace}`)).status, 200);
  await eventually(
    () => client.get(`/api/v1/namespaces/${namespace}`),
    ({status}) => status === 404,
  );
});

const classTest = testOnEachStore({platform: 'kubernetes', release: '1.36', controllers: ['*', '-garbagecollector']});

classTest(
  '[B-ADM-27] a class of the attributes of volumes has a finalizer, and stays for as long as claims and volumes name it',
  async (t, context) => {
    const {client, path, namespace} = context;
    const classes = '/apis/storage.k8s.io/v1/volumeattributesclasses';
    const attributes = (name: string) => ({metadata: {name}, driverName: 'csi.example', parameters: {iops: '100'}});
    const made = await client.post(classes, attributes(namespace));
    t.is(made.status, 201, made.body.toString());
    t.deepEqual(made.json<Meta>().metadata.finalizers, ['kubernetes.io/vac-protection']);
    const using = claim('c');
    const claimAt = `${path('persistentvolumeclaims')}/c`;
    const named = {...using, spec: {...using.spec, volumeAttributesClassName: namespace}};
    t.is((await client.post(path('persistentvolumeclaims'), named)).status, 201);
    const volumeAt = `/api/v1/persistentvolumes/${namespace}`;
    const csi = {driver: 'csi.example', volumeHandle: 'v'};
    const {hostPath: _, ...spec} = volume(namespace).spec;
    const ofClass = {metadata: {name: namespace}, spec: {...spec, csi, volumeAttributesClassName: namespace}};
    t.is((await client.post('/api/v1/persistentvolumes', ofClass)).status, 201);

    const at = `${classes}/${namespace}`;
    t.truthy((await client.delete(at)).json<Meta>().metadata.deletionTimestamp);
    await isLookedAt(context, classes, attributes(`${namespace}-later`));
    t.is((await client.get(at)).status, 200);
    t.is((await client.delete(claimAt)).status, 200);
    await isGone(context, claimAt);
    await isLookedAt(context, classes, attributes(`${namespace}-last`));
    t.is((await client.get(at)).status, 200, 'the volume still names it');
    t.is((await client.delete(volumeAt)).status, 200);
    await isGone(context, at);
  },
);
