import {testOnEachStore} from '../../../helpers/each-store.js';
import {eventually} from '../../../helpers/eventually.js';
import {SetUnderTest, webs} from './set-under-test.js';

const storeTest = testOnEachStore({
  platform: 'kubernetes',
  controllers: ['*', 'statefulset'],
});

const claimTemplate = (name: string) => ({
  metadata: {name, labels: {own: 'label'}},
  spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}},
});

storeTest('[A-STS-18] [A-STS-32] pods are created in order, each only after the one before it is ready', async (t, context) => {
  const set = await SetUnderTest.create(context, {replicas: 3});
  await set.has(webs(1));
  await set.settled(({replicas}) => replicas === 1);
  t.deepEqual(await set.names(), webs(1));
  await set.unready(0);
  await set.settled();
  t.deepEqual(await set.names(), webs(1));
  await set.ready(0);
  await set.has(webs(2));
  await set.settled(({replicas, readyReplicas}) => replicas === 2 && readyReplicas === 1);
  t.deepEqual(await set.names(), webs(2));
  await set.ready(1);
  await set.has(webs(3));
  await set.ready(2);
  const {status} = await set.settled(({readyReplicas}) => readyReplicas === 3);
  t.like(status, {replicas: 3, availableReplicas: 3, currentReplicas: 3, updatedReplicas: 3, collisionCount: 0});
  t.is(status!.currentRevision, status!.updateRevision);
});

storeTest(
  '[A-STS-19] a set that is scaled down loses its pods in reverse order, each when the one after it is gone',
  async (t, context) => {
    const set = await SetUnderTest.create(context, {replicas: 3});
    await set.run();
    const at = `${context.path('pods')}/web-2`;
    t.is((await context.client.patch(at, {metadata: {finalizers: ['example.com/hold']}})).status, 200);
    t.is((await context.client.patch(`${set.path}/scale`, {spec: {replicas: 1}})).status, 200);
    await eventually(
      () => set.pod(2),
      (pod) => Boolean(pod?.metadata.deletionTimestamp),
    );
    await set.settled();
    t.falsy((await set.pod(1))?.metadata.deletionTimestamp);
    t.is((await context.client.patch(at, {metadata: {finalizers: null}})).status, 200);
    await set.has(webs(1));
    t.is((await set.settled(({replicas}) => replicas === 1)).status!.replicas, 1);
  },
);

storeTest('[A-STS-20] with Parallel all pods are created and deleted at once', async (t, context) => {
  const set = await SetUnderTest.create(context, {replicas: 4, podManagementPolicy: 'Parallel'});
  await set.has(webs(4));
  for (const ordinal of [1, 2, 3]) {
    const at = `${context.path('pods')}/web-${ordinal}`;
    t.is((await context.client.patch(at, {metadata: {finalizers: ['example.com/hold']}})).status, 200);
  }
  await set.patch({spec: {replicas: 1}});
  const isDeleted = await eventually(
    async () => (await set.pods()).map(({metadata}) => Boolean(metadata.deletionTimestamp)),
    (deleted) => deleted.filter(Boolean).length === 3,
  );
  t.deepEqual(isDeleted, [false, true, true, true]);
});

storeTest('[A-STS-30] replica indices lie in [start, start + replicas)', async (t, context) => {
  const set = await SetUnderTest.create(context, {replicas: 2, ordinals: {start: 5}, podManagementPolicy: 'Parallel'});
  await set.has(webs(7, 5));
  await set.run();
  await set.patch({spec: {ordinals: {start: 6}}});
  await set.has(webs(8, 6));
  t.pass();
});

storeTest('[A-STS-33] the host name of a pod is its name, its subdomain the name of the service', async (t, context) => {
  const set = await SetUnderTest.create(context, {serviceName: 'mesh'});
  await set.has(webs(1));
  const {metadata, spec} = (await set.pod(0))!;
  t.like(spec, {hostname: 'web-0', subdomain: 'mesh'});
  t.like(metadata.labels, {app: 'db', 'statefulset.kubernetes.io/pod-name': 'web-0'});
  t.is(metadata.labels!['controller-revision-hash'], (await set.settled()).status!.updateRevision);
  t.like(metadata.ownerReferences![0], {kind: 'StatefulSet', name: 'web', controller: true, blockOwnerDeletion: true});
});

storeTest(
  '[A-STS-23] [A-STS-35] each pod gets a claim for each template, which come before volumes of the same name',
  async (t, context) => {
    const set = await SetUnderTest.create(context, {
      replicas: 2,
      podManagementPolicy: 'Parallel',
      volumeClaimTemplates: [claimTemplate('data'), claimTemplate('log')],
      template: {
        metadata: {labels: {app: 'db'}},
        spec: {
          containers: [{name: 'db', image: 'db:1'}],
          volumes: [
            {name: 'data', emptyDir: {}},
            {name: 'tmp', emptyDir: {}},
          ],
        },
      },
    });
    await set.has(webs(2));
    const {items} = (await context.client.get(context.path('persistentvolumeclaims'))).json<{
      items: {metadata: {name: string; labels: unknown; ownerReferences?: unknown}}[];
    }>();
    t.deepEqual(items.map(({metadata}) => metadata.name).sort(), ['data-web-0', 'data-web-1', 'log-web-0', 'log-web-1']);
    t.deepEqual(items[0]!.metadata.labels, {own: 'label', app: 'db'});
    const volumes = (await set.pod(1))!.spec!.volumes!.filter(({name}) => !name!.startsWith('kube-api-access'));
    t.deepEqual(volumes, [
      {name: 'data', persistentVolumeClaim: {claimName: 'data-web-1'}},
      {name: 'log', persistentVolumeClaim: {claimName: 'log-web-1'}},
      {name: 'tmp', emptyDir: {}},
    ]);
  },
);

storeTest('[A-STS-34] a pod that is replaced keeps its name and its claims; claims outlast scaling down', async (t, context) => {
  const set = await SetUnderTest.create(context, {replicas: 2, volumeClaimTemplates: [claimTemplate('data')]});
  await set.run();
  const uids = async () => {
    const {items} = (await context.client.get(context.path('persistentvolumeclaims'))).json<{
      items: {metadata: {name: string; uid: string}}[];
    }>();
    return items.map(({metadata}) => `${metadata.name} ${metadata.uid}`).sort();
  };
  const claims = await uids();
  t.is(claims.length, 2);
  const before = (await set.pod(1))!.metadata.uid;
  t.is((await context.client.delete(`${context.path('pods')}/web-1`)).status, 200);
  const pod = await eventually(
    () => set.pod(1),
    (found) => found !== undefined && found.metadata.uid !== before,
  );
  t.is(pod!.spec!.volumes![0]!.persistentVolumeClaim!.claimName, 'data-web-1');
  await set.fail(1);
  await eventually(
    () => set.pod(1),
    (found) => found !== undefined && found.metadata.uid !== pod!.metadata.uid,
  );
  await set.run();
  await set.patch({spec: {replicas: 0}});
  await set.has([]);
  await set.patch({spec: {replicas: 2}});
  await set.run();
  t.deepEqual(await uids(), claims);
});

storeTest('[A-STS-38] availableReplicas counts the pods that have been ready for minReadySeconds', async (t, context) => {
  const set = await SetUnderTest.create(context, {replicas: 2, minReadySeconds: 3600, podManagementPolicy: 'Parallel'});
  await set.ready(0, new Date(Date.now() - 3_700_000));
  await set.ready(1);
  t.is((await set.settled(({readyReplicas}) => readyReplicas === 2)).status!.availableReplicas, 1);
  // By itself, without any change of a pod.
  await set.ready(1, new Date(Date.now() - 3_598_000));
  await set.settled(({availableReplicas}) => availableReplicas === 2);
});
