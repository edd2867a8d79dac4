import type * as core from '@orch-api/orch/types/core/v1';
import {testOnEachStore, type StoreContext} from '../../../helpers/each-store.js';
import {eventually} from '../../../helpers/eventually.js';
import {SetUnderTest} from './set-under-test.js';

const storeTest = testOnEachStore({controllers: ['*', 'statefulset', '-garbagecollector'], featureGates: {StatefulSetAutoDeletePVC: true}});

const claims = {
  volumeClaimTemplates: [{metadata: {name: 'data'}, spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}}}],
};

/** The owners of a claim, as `KIND/NAME`. */
async function ownersOf({client, path}: StoreContext, name: string): Promise<string> {
  const answer = await client.get(`${path('persistentvolumeclaims')}/${name}`);
  const {metadata} = answer.json<core.PersistentVolumeClaim>();
  return (metadata.ownerReferences ?? []).map((owner) => `${owner.kind}/${owner.name}`).join();
}

const owners = (context: StoreContext, name: string, wanted: string) =>
  eventually(
    () => ownersOf(context, name),
    (found) => found === wanted,
  );

/** Keeps a pod from going for as long as the test looks at its claims. */
async function hold({client, path}: StoreContext, name: string): Promise<void> {
  await client.patch(`${path('pods')}/${name}`, {metadata: {finalizers: ['example.com/hold']}});
}

storeTest('claims are owned by nobody by default, and by their set when they go with it', async (t, context) => {
  const set = await SetUnderTest.create(context, {...claims, replicas: 1});
  await set.run();
  t.is(await ownersOf(context, 'data-web-0'), '');
  await set.patch({spec: {persistentVolumeClaimRetentionPolicy: {whenDeleted: 'Delete', whenScaled: 'Retain'}}});
  await owners(context, 'data-web-0', 'StatefulSet/web');
  await set.patch({spec: {persistentVolumeClaimRetentionPolicy: {whenDeleted: 'Retain', whenScaled: 'Retain'}}});
  await owners(context, 'data-web-0', '');
});

storeTest(
  'with whenScaled: Delete the claims of a removed pod go with it, and its successor waits for them to be gone',
  async (t, context) => {
    const set = await SetUnderTest.create(context, {
      ...claims,
      replicas: 2,
      persistentVolumeClaimRetentionPolicy: {whenDeleted: 'Delete', whenScaled: 'Delete'},
    });
    await set.run();
    await owners(context, 'data-web-1', 'StatefulSet/web');
    await hold(context, 'web-1');
    await set.patch({spec: {replicas: 1}});
    await owners(context, 'data-web-1', 'Pod/web-1');
    t.is(await ownersOf(context, 'data-web-0'), 'StatefulSet/web');
    t.is((await context.client.patch(`${context.path('pods')}/web-1`, {metadata: {finalizers: null}})).status, 200);
    await set.has(['web-0']);
    await set.patch({spec: {replicas: 2}});
    await set.settled();
    t.deepEqual(await set.names(), ['web-0']);
    // The test plays the garbage collector.
    t.is((await context.client.delete(`${context.path('persistentvolumeclaims')}/data-web-1`)).status, 200);
    await set.has(['web-0', 'web-1']);
    await owners(context, 'data-web-1', 'StatefulSet/web');
  },
);
