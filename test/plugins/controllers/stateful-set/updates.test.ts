import {testOnEachStore, type StoreContext} from '../../../helpers/each-store.js';
import {eventually} from '../../../helpers/eventually.js';
import {SetUnderTest, webs} from './set-under-test.js';
import type {ControllerRevision} from '@orch-api/orch/types/unchecked/apps/v1';

const storeTest = testOnEachStore({
  platform: 'kubernetes',
  controllers: ['*', 'statefulset', '-garbagecollector'],
  featureGates: {MaxUnavailableStatefulSet: true},
});

const images = (...versions: readonly number[]) => versions.map((version, index) => `web-${index}=db:${version}`);

async function revisionsOf({client, path}: StoreContext): Promise<ControllerRevision[]> {
  const {items} = (await client.get(path('controllerrevisions', 'apps/v1'))).json<{items: ControllerRevision[]}>();
  return items.sort((a, b) => Number(a.revision) - Number(b.revision));
}

const rolling = (more: Record<string, unknown>) => ({updateStrategy: {type: 'RollingUpdate', rollingUpdate: more}});

storeTest(
  'a rolling update replaces one pod at a time, the highest number first, each when the one after it is ready',
  async (t, context) => {
    const set = await SetUnderTest.create(context, {replicas: 3});
    await set.run();
    await set.update('db:2');
    for (const [ordinal, expected] of [
      [2, images(1, 1, 2)],
      [1, images(1, 2, 2)],
      [0, images(2, 2, 2)],
    ] as const) {
      await eventually(
        () => set.images(),
        (found) => found.join() === expected.join(),
      );
      const {status} = await set.settled(({readyReplicas, replicas}) => readyReplicas === 2 && replicas === 3);
      t.deepEqual(await set.images(), expected);
      t.is(status!.updatedReplicas, 3 - ordinal);
      t.not(status!.currentRevision, status!.updateRevision);
      await set.ready(ordinal);
    }
    const {status} = await set.settled(({currentRevision, updateRevision}) => currentRevision === updateRevision);
    t.like(status, {currentReplicas: 3, updatedReplicas: 3, readyReplicas: 3});
  },
);

storeTest('[A-STS-9] pods below the partition are untouched, and a lost one comes back as it was', async (t, context) => {
  const set = await SetUnderTest.create(context, {replicas: 4, ...rolling({partition: 2})});
  await set.run();
  const uids = (await set.pods()).slice(0, 2).map(({metadata}) => metadata.uid);
  await set.update('db:2');
  await set.run();
  t.deepEqual(await set.images(), images(1, 1, 2, 2));
  t.deepEqual(
    (await set.pods()).slice(0, 2).map(({metadata}) => metadata.uid),
    uids,
  );
  t.is((await context.client.delete(`${context.path('pods')}/web-0`)).status, 200);
  await eventually(
    () => set.pod(0),
    (pod) => pod !== undefined && pod.metadata.uid !== uids[0],
  );
  await set.run();
  t.deepEqual(await set.images(), images(1, 1, 2, 2));
  await set.patch({spec: rolling({partition: 0})});
  await set.run();
  t.deepEqual(await set.images(), images(2, 2, 2, 2));
});

storeTest('with OnDelete a pod is replaced only after somebody has deleted it', async (t, context) => {
  const set = await SetUnderTest.create(context, {replicas: 2, updateStrategy: {type: 'OnDelete'}});
  await set.run();
  await set.update('db:2');
  await set.settled(({updatedReplicas}) => updatedReplicas === undefined);
  t.deepEqual(await set.images(), images(1, 1));
  t.is((await context.client.delete(`${context.path('pods')}/web-0`)).status, 200);
  await eventually(
    () => set.images(),
    (found) => found.join() === images(2, 1).join(),
  );
  t.pass();
});

storeTest('[A-STS-13] a percentage in maxUnavailable is taken of the desired pods and rounded down', async (t, context) => {
  // 60 % of 4 is 2.4.
  const set = await SetUnderTest.create(context, {replicas: 4, podManagementPolicy: 'Parallel', ...rolling({maxUnavailable: '60%'})});
  await set.run();
  await set.update('db:2');
  await eventually(
    () => set.images(),
    (found) => found.join() === images(1, 1, 2, 2).join(),
  );
  await set.settled(({readyReplicas, updatedReplicas}) => readyReplicas === 2 && updatedReplicas === 2);
  t.deepEqual(await set.images(), images(1, 1, 2, 2));
  await set.run();
  t.deepEqual(await set.images(), images(2, 2, 2, 2));
});

storeTest('[A-STS-15] maxUnavailable counts over all ordinals, also those below the partition', async (t, context) => {
  const set = await SetUnderTest.create(context, {
    replicas: 4,
    podManagementPolicy: 'Parallel',
    ...rolling({maxUnavailable: 2, partition: 1}),
  });
  await set.run();
  await set.unready(0);
  await set.settled(({readyReplicas}) => readyReplicas === 3);
  await set.update('db:2');
  await eventually(
    () => set.images(),
    (found) => found.join() === images(1, 1, 1, 2).join(),
  );
  await set.settled(({readyReplicas, updatedReplicas}) => readyReplicas === 2 && updatedReplicas === 1);
  t.deepEqual(await set.images(), images(1, 1, 1, 2));
  await set.ready(0);
  await eventually(
    () => set.images(),
    (found) => found.join() === images(1, 1, 2, 2).join(),
  );
});

storeTest('revisions: a new one for each template, the earlier one again for an earlier template, the oldest go', async (t, context) => {
  const set = await SetUnderTest.create(context, {replicas: 1, revisionHistoryLimit: 1});
  await set.run();
  const [first] = await revisionsOf(context);
  t.like(first, {revision: 1, data: {spec: {template: {$patch: 'replace', spec: {containers: [{image: 'db:1'}]}}}}});
  t.is(first!.metadata.name, `web-${first!.metadata.labels!['controller.kubernetes.io/hash']}`);
  t.like(first!.metadata.ownerReferences![0], {kind: 'StatefulSet', name: 'web', controller: true});
  t.is((await set.get()).status!.currentRevision, first!.metadata.name);

  await set.update('db:2');
  await set.run();
  await set.update('db:1');
  await set.run();
  const renumbered = await revisionsOf(context);
  t.deepEqual(
    renumbered.map(({revision}) => revision),
    [2, 3],
  );
  t.is(renumbered[1]!.metadata.uid, first!.metadata.uid);

  await set.update('db:3');
  await set.run();
  const left = await eventually(
    () => revisionsOf(context),
    (found) => found.map(({revision}) => revision).join() === '3,4',
  );
  t.is((await set.get()).status!.updateRevision, left[1]!.metadata.name);
});

storeTest('the name of a revision that is taken counts as a collision, and another one is found', async (t, context) => {
  const first = await SetUnderTest.create(context, {replicas: 1});
  await first.run();
  const [revision] = await revisionsOf(context);
  const {name, labels} = revision!.metadata;
  t.is((await context.client.delete(first.path)).status, 200);
  for (const at of [`${context.path('pods')}/web-0`, `${context.path('controllerrevisions', 'apps/v1')}/${name}`])
    await context.client.delete(at);
  const foreign = {metadata: {name, labels: {...labels, app: 'other'}}, data: {other: 'content'}, revision: 7};
  t.is((await context.client.post(context.path('controllerrevisions', 'apps/v1'), foreign)).status, 201);
  const set = await SetUnderTest.create(context, {replicas: 1});
  const {status} = await set.run();
  t.is(status!.collisionCount, 1);
  t.not(status!.updateRevision, name);
});

storeTest('a set takes over pods that nobody controls, and lets go those that it does not select any more', async (t, context) => {
  const pod = (name: string) => ({
    metadata: {name, labels: {app: 'db'}},
    spec: {containers: [{name: 'db', image: 'db:0'}], hostname: name, subdomain: 'db'},
  });
  for (const name of ['web-0', 'other-0', 'stray']) t.is((await context.client.post(context.path('pods'), pod(name))).status, 201);
  const set = await SetUnderTest.create(context, {replicas: 2, updateStrategy: {type: 'OnDelete'}});
  const owned = async () =>
    (await set.pods()).filter(({metadata}) => metadata.ownerReferences?.[0]?.name === 'web').map(({metadata}) => metadata.name!);
  await eventually(owned, (names) => names.join() === 'web-0');
  await set.ready(0);
  const adopted = await eventually(
    () => set.pod(0),
    (found) => found?.metadata.labels?.['statefulset.kubernetes.io/pod-name'] === 'web-0',
  );
  t.is(adopted!.spec!.containers![0]!.image, 'db:0');
  await set.ready(1);
  await set.settled(({readyReplicas}) => readyReplicas === 2);
  t.is((await context.client.patch(`${context.path('pods')}/web-1`, {metadata: {labels: {app: 'debugged'}}})).status, 200);
  const released = await eventually(
    () => set.pod(1),
    (found) => !found?.metadata.ownerReferences?.length,
  );
  t.truthy(released);
  t.is((await context.client.delete(`${context.path('pods')}/web-1`)).status, 200);
  await eventually(owned, (names) => names.join() === webs(2).join());
});

storeTest('a set that is being deleted does nothing more, and a later one of its name takes its pods over', async (t, context) => {
  const set = await SetUnderTest.create(context, {replicas: 2});
  await set.run();
  const uids = (await set.pods()).map(({metadata}) => metadata.uid);
  t.is((await context.client.delete(`${set.path}?propagationPolicy=Orphan`)).status, 200);
  // The test plays the garbage collector.
  for (const name of webs(2)) {
    const answer = await context.client.patch(`${context.path('pods')}/${name}`, {metadata: {ownerReferences: null}});
    t.is(answer.status, 200);
  }
  await eventually(
    () => set.get(),
    ({metadata, status}) => status?.observedGeneration === metadata.generation,
  );
  t.true((await set.pods()).every(({metadata}) => !metadata.ownerReferences?.length));
  t.is((await context.client.patch(set.path, {metadata: {finalizers: null}})).status, 200);
  const again = await SetUnderTest.create(context, {replicas: 2});
  await again.run();
  t.deepEqual(
    (await again.pods()).map(({metadata}) => metadata.uid),
    uids,
  );
});

storeTest('a revision that lacks nothing but defaults stays that of its template', async (t, context) => {
  const labels = {app: 'db'};
  const template = {metadata: {labels}, spec: {containers: [{name: 'db', image: 'db:1'}]}};
  const revision = {
    metadata: {name: 'web-before', labels},
    data: {spec: {template: {$patch: 'replace', ...template}}},
    revision: 1,
  };
  t.is((await context.client.post(context.path('controllerrevisions', 'apps/v1'), revision)).status, 201);
  const set = await SetUnderTest.create(context, {replicas: 1});
  await set.run();
  t.is((await set.get()).status!.updateRevision, 'web-before');
  t.deepEqual(
    (await revisionsOf(context)).map(({metadata}) => metadata.name),
    ['web-before'],
  );
  await set.update('db:2');
  await set.run();
  t.is((await revisionsOf(context)).length, 2);
});
