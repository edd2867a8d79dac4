import {testOnEachStore, type StoreContext} from '../../helpers/each-store.js';
import {until} from '../../helpers/eventually.js';

const storeTest = testOnEachStore({
  platform: 'kubernetes',
  release: '1.36',
  featureGates: {GenericWorkload: true},
  runtimeConfig: {'scheduling.k8s.io/v1alpha2': true},
  controllers: ['podgroup-protection-controller', 'serviceaccount'],
});

interface Group {
  readonly metadata: {readonly finalizers?: readonly string[]; readonly deletionTimestamp?: string};
}

const finalizer = 'scheduling.k8s.io/podgroup-protection';

class Groups {
  readonly #context: StoreContext;

  constructor(context: StoreContext) {
    this.#context = context;
  }

  path(name = ''): string {
    return `${this.#context.path('podgroups', 'scheduling.k8s.io/v1alpha2')}${name && `/${name}`}`;
  }

  async create(name: string, metadata: object = {}): Promise<Group> {
    const made = await this.#context.client.post(this.path(), {metadata: {name, ...metadata}, spec: {schedulingPolicy: {basic: {}}}});
    if (made.status !== 201) throw new Error(made.body.toString());
    return made.json<Group>();
  }

  async addPod(name: string, group: string): Promise<string> {
    const spec = {schedulingGroup: {podGroupName: group}, containers: [{name: 'c', image: 'i'}], terminationGracePeriodSeconds: 0};
    const made = await this.#context.client.post(this.#context.path('pods'), {metadata: {name}, spec});
    if (made.status !== 201) throw new Error(made.body.toString());
    return `${this.#context.path('pods')}/${name}`;
  }

  async isGone(name: string): Promise<void> {
    await until(`${name} is gone`, async () => (await this.#context.client.get(this.path(name))).status === 404);
  }
}

storeTest(
  '[B-ADM-38] a new group of pods has a finalizer, and goes when it has no pods but those that have finished',
  async (t, context) => {
    const {client} = context;
    const groups = new Groups(context);
    t.deepEqual((await groups.create('empty', {finalizers: ['example.com/own', finalizer]})).metadata.finalizers, [
      'example.com/own',
      finalizer,
    ]);
    t.deepEqual((await groups.create('used')).metadata.finalizers, [finalizer]);
    const finishing = await groups.addPod('finishing', 'used');
    const deleted = await groups.addPod('deleted', 'used');
    for (const name of ['empty', 'used']) t.truthy((await client.delete(groups.path(name))).json<Group>().metadata.deletionTimestamp);
    await until('the finalizer is gone', async () => {
      const {metadata} = (await client.get(groups.path('empty'))).json<Group>();
      return metadata.finalizers?.join() === 'example.com/own';
    });
    t.is((await client.patch(groups.path('empty'), {metadata: {finalizers: null}})).status, 200);

    t.is((await client.delete(`${deleted}?gracePeriodSeconds=0`)).status, 200);
    // One that is looked at later has gone: by then this one has been looked at.
    await groups.create('later');
    await client.delete(groups.path('later'));
    await groups.isGone('later');
    t.deepEqual((await client.get(groups.path('used'))).json<Group>().metadata.finalizers, [finalizer]);
    const finished = await client.patch(`${finishing}/status`, {status: {phase: 'Succeeded'}});
    t.is(finished.status, 200, finished.body.toString());
    await groups.isGone('used');
  },
);
