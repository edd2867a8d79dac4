import test, {type ExecutionContext} from 'ava';
import {Random} from '../../../helpers/random.js';
import {testOnEachStore, type StoreContext} from '../../../helpers/each-store.js';
import {eventually} from '../../../helpers/eventually.js';
import {startTwoServers} from '../../../helpers/two-servers.js';
import {SetUnderTest} from './set-under-test.js';

const options = {platform: 'kubernetes', controllers: ['*', 'statefulset']} as const;
const storeTest = testOnEachStore(options);
const seed = Number(process.env.ORCH_TEST_SEED ?? Date.now() % 1_000_000);

/** What the images of a set's pods must be, by the rules for scaling, updates and partitions. */
class Model {
  images: number[] = [];
  replicas = 0;
  partition = 0;
  current = 1;
  update = 1;

  settle(): void {
    this.images.length = Math.min(this.images.length, this.replicas);
    // A pod that is missing below the partition is of the revision from before the update.
    for (let ordinal = this.images.length; ordinal < this.replicas; ordinal++)
      this.images.push(ordinal < this.partition ? this.current : this.update);
    for (let ordinal = this.partition; ordinal < this.replicas; ordinal++) this.images[ordinal] = this.update;
    if (this.images.every((image) => image === this.update)) this.current = this.update;
  }
}

async function follow(t: ExecutionContext, context: Pick<StoreContext, 'client' | 'path'>, random: Random): Promise<void> {
  const podManagementPolicy = random.pick(['OrderedReady', 'Parallel']);
  const set = await SetUnderTest.create(context, {
    replicas: 0,
    podManagementPolicy,
    updateStrategy: {type: 'RollingUpdate', rollingUpdate: {partition: 0}},
  });
  const model = new Model();
  const told = [podManagementPolicy];
  for (let step = 0; step < 12; step++) {
    const next = random.pick(['scale', 'update', 'partition', 'delete', 'fail'] as const);
    const ordinal = random.below(Math.max(model.replicas, 1));
    if (next === 'scale') {
      model.replicas = random.below(5);
      await set.patch({spec: {replicas: model.replicas}});
    } else if (next === 'update') {
      model.update = 1 + random.below(3);
      await set.update(`db:${model.update}`);
    } else if (next === 'partition') {
      model.partition = random.below(5);
      await set.patch({spec: {updateStrategy: {rollingUpdate: {partition: model.partition}}}});
    } else if (ordinal < model.replicas) {
      model.images[ordinal] = ordinal < model.partition ? model.current : model.update;
      const {uid} = (await set.pod(ordinal))!.metadata;
      if (next === 'delete') await context.client.delete(`${context.path('pods')}/web-${ordinal}`);
      else await set.fail(ordinal);
      await eventually(
        () => set.pod(ordinal),
        (pod) => pod !== undefined && pod.metadata.uid !== uid,
      );
    }
    model.settle();
    told.push(`${next} ${ordinal} replicas=${model.replicas} partition=${model.partition} update=${model.update}`);
    const wanted = model.images.map((image, index) => `web-${index}=db:${image}`).join();
    const updated = model.images.filter((image) => image === model.update).length;
    try {
      const isCurrent = updated === model.replicas;
      await eventually(
        async () => {
          await set.playKubelet();
          const {metadata, status} = await set.get();
          return {images: (await set.images()).join(), wanted, updated, generation: metadata.generation, status};
        },
        ({images, generation, status}) =>
          images === wanted &&
          status?.observedGeneration === generation &&
          status?.replicas === model.replicas &&
          (status.readyReplicas ?? 0) === model.replicas &&
          status.availableReplicas === model.replicas &&
          (status.updatedReplicas ?? 0) === updated &&
          (status.currentRevision === status.updateRevision) === isCurrent,
      );
    } catch (error) {
      t.fail(`seed ${seed}\n${told.join('\n')}\n${(error as Error).message}`);
      return;
    }
  }
  t.pass();
}

storeTest(`any sequence of scaling, updates, partitions and losses ends where the rules say (seed ${seed})`, async (t, context) => {
  await follow(t, context, new Random(seed));
});

test(`so it does with two servers that both run the controller (seed ${seed})`, async (t) => {
  const [server, other] = await startTwoServers(t, options);
  const path = (resource: string, groupVersion?: string) =>
    `/${groupVersion === undefined ? 'api/v1' : `apis/${groupVersion}`}/namespaces/default/${resource}`;
  await follow(t, {client: server.client, path}, new Random(seed + 1));
  t.is((await other.client.get(path('statefulsets', 'apps/v1'))).status, 200);
});
