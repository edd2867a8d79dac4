import {testOnEachStore} from '../../../helpers/each-store.js';
import {condition, eventually, template, WorkloadUnderTest} from './workload-under-test.js';

const eachStore = testOnEachStore({platform: 'kubernetes', cluster: true, controllers: ['*', '-garbagecollector']});
const storeTest: typeof eachStore = (title, run) => eachStore(title, run, {serial: true});

const spec = (replicas: number, more: object = {}) => ({
  replicas,
  selector: {matchLabels: {app: 'web'}},
  template: template('web'),
  ...more,
});

storeTest('a ReplicaSet has as many pods as it asks for, made of its template, and counts those that are ready', async (t, context) => {
  const set = await WorkloadUnderTest.create(context, 'replicasets', 'web', spec(3));
  const pods = await set.has(3);
  for (const {metadata, spec: made} of pods) {
    t.regex(metadata!.name!, /^web-[a-z0-9]{5}$/);
    t.like(metadata, {
      labels: {app: 'web'},
      ownerReferences: [{kind: 'ReplicaSet', name: 'web', controller: true, blockOwnerDeletion: true}],
    });
    t.is(made!.containers[0]!.image, 'registry.example.com/app:1');
  }
  t.deepEqual((await set.until(({replicas}) => replicas === 3)).status, {
    observedGeneration: 1,
    replicas: 3,
    fullyLabeledReplicas: 3,
    terminatingReplicas: 0,
  });
  await set.mark(pods[0]!.metadata!.name!);
  const {status} = await set.until(({readyReplicas}) => readyReplicas === 1);
  t.like(status, {replicas: 3, readyReplicas: 1, availableReplicas: 1});
  const events = await eventually(
    () => set.events(),
    ({length}) => length === 3,
  );
  t.deepEqual(events.toSorted(), pods.map(({metadata}) => `Normal SuccessfulCreate Created pod: ${metadata!.name} (1)`).toSorted());
});

storeTest('a smaller ReplicaSet deletes pods that are not ready first, then those that cost least', async (t, context) => {
  const set = await WorkloadUnderTest.create(context, 'replicasets', 'web', spec(4));
  const names = (await set.has(4)).map(({metadata}) => metadata!.name!);
  const [first, second, third, fourth] = names as [string, string, string, string];
  for (const name of [second, third, fourth]) await set.mark(name);
  const cost = (name: string, value: string) =>
    set.send('patch', set.path('pods', name), {metadata: {annotations: {'controller.kubernetes.io/pod-deletion-cost': value}}});
  await cost(second, '10');
  await cost(third, '-1');
  await cost(fourth, '5');
  await set.until(({readyReplicas}) => readyReplicas === 3);
  const left = async (count: number) => {
    await set.patch({spec: {replicas: count}});
    return (await set.has(count)).map(({metadata}) => metadata!.name!).toSorted();
  };
  t.deepEqual(await left(3), [second, third, fourth].toSorted());
  t.deepEqual(await left(2), [second, fourth].toSorted());
  t.deepEqual(await left(1), [second]);
  t.false((await set.pods()).some(({metadata}) => metadata!.name === first));
});

storeTest(
  'pods that match and belong to nobody are adopted, and those that no longer match are released and replaced',
  async (t, context) => {
    const made = await WorkloadUnderTest.create(context, 'pods', 'alone', template('web').spec, {labels: {app: 'web'}});
    const set = await WorkloadUnderTest.create(context, 'replicasets', 'web', spec(2));
    const pods = await set.has(2);
    t.true(pods.some(({metadata}) => metadata!.name === 'alone'));
    await eventually(
      () => made.get(),
      ({metadata}) => metadata.ownerReferences?.[0]?.name === 'web',
    );
    await made.patch({metadata: {labels: {app: 'other'}}});
    await set.has(3);
    const released = await eventually(
      () => made.get(),
      ({metadata}) => !metadata.ownerReferences,
    );
    t.is(released.metadata.labels?.['app'], 'other');
  },
);

storeTest('pods that the server refuses are a condition and an event of the set, and come once they are allowed', async (t, context) => {
  const quota = {metadata: {name: 'none'}, spec: {hard: {pods: '1'}}};
  t.is((await context.client.post(context.path('resourcequotas'), quota)).status, 201);
  await eventually(
    async () => (await context.client.get(`${context.path('resourcequotas')}/none`)).json<{status?: {hard?: object}}>(),
    ({status}) => Boolean(status?.hard),
  );
  const set = await WorkloadUnderTest.create(context, 'replicasets', 'web', spec(3));
  const refused = await set.until(({conditions = [], replicas}) => conditions.length > 0 && replicas === 1);
  t.regex(
    condition(refused, 'ReplicaFailure'),
    /^True FailedCreate pods "web-[a-z0-9]{5}" is forbidden: exceeded quota: none, requested: pods=1, used: pods=1, limited: pods=1$/,
  );
  const events = await eventually(
    () => set.events(),
    (all) => all.some((text) => text.includes('FailedCreate')),
  );
  t.true(events.some((text) => /^Warning FailedCreate Error creating: pods "web-[a-z0-9]{5}" is forbidden: exceeded quota/.test(text)));
  t.is((await context.client.delete(`${context.path('resourcequotas')}/none`)).status, 200);
  await set.has(3);
  t.is(condition(await set.until(({conditions}) => !conditions), 'ReplicaFailure'), '');
});

storeTest('a pod is available once it has been ready for minReadySeconds by the clock of the server', async (t, context) => {
  const set = await WorkloadUnderTest.create(context, 'replicasets', 'web', spec(1, {minReadySeconds: 3600}));
  const [pod] = await set.has(1);
  await set.mark(pod!.metadata!.name!);
  t.falsy((await set.until(({readyReplicas}) => readyReplicas === 1)).status!['availableReplicas']);
  await context.server.advance(3_601_000);
  t.is((await set.until(({availableReplicas}) => availableReplicas === 1)).status!['readyReplicas'], 1);
});

storeTest('a ReplicationController keeps its pods likewise', async (t, context) => {
  const controller = await WorkloadUnderTest.create(context, 'replicationcontrollers', 'web', {
    replicas: 2,
    selector: {app: 'web'},
    template: template('web'),
  });
  const [pod] = await controller.has(2);
  t.like(pod!.metadata!.ownerReferences, [{apiVersion: 'v1', kind: 'ReplicationController', name: 'web'}]);
  await controller.delete('pods', pod!.metadata!.name!, '?gracePeriodSeconds=0');
  const {status} = await controller.runUntil(({readyReplicas}) => readyReplicas === 2);
  t.deepEqual(status, {observedGeneration: 1, replicas: 2, fullyLabeledReplicas: 2, readyReplicas: 2, availableReplicas: 2});
});
