import type {ApiList, ApiObject, Status} from '@orch-api/orch/sdk';
import type {TestClient} from '@orch-api/orch/testing';
import {testOnEachStore} from '../../helpers/each-store.js';
import {until} from '../../helpers/eventually.js';

async function untilGone(client: TestClient, path: string): Promise<void> {
  await until(`${path} is gone`, async () => (await client.get(path)).status === 404);
}

const storeTest = testOnEachStore();
const ofPlatform = {orch: storeTest, kubernetes: testOnEachStore({platform: 'kubernetes'})};

for (const platform of ['orch', 'kubernetes'] as const) {
  ofPlatform[platform](
    `[A-NAME-7] [A-NAME-9] a deleted namespace takes the objects of every type in it along, and no others, platform ${platform}`,
    async (t, {client, namespace: other}) => {
      const team = `${other}-team`;
      t.is((await client.post('/api/v1/namespaces', {metadata: {name: team}})).status, 201);
      const leases = `/apis/coordination.${platform === 'orch' ? 'orch' : 'k8s.io'}/v1/namespaces`;
      for (const namespace of [team, other]) {
        for (const type of ['configmaps', 'secrets'])
          t.is((await client.post(`/api/v1/namespaces/${namespace}/${type}`, {metadata: {name: 'a'}})).status, 201);
        t.is((await client.post(`${leases}/${namespace}/leases`, {metadata: {name: 'a'}})).status, 201);
        const event = {metadata: {name: 'a'}, involvedObject: {namespace}};
        t.is((await client.post(`/api/v1/namespaces/${namespace}/events`, event)).status, 201);
      }
      const answer = await client.delete(`/api/v1/namespaces/${team}`);
      t.is(answer.status, 200);
      const terminating = answer.json<ApiObject & {status: {phase: string}}>();
      t.is(terminating.status.phase, 'Terminating');
      t.truthy(terminating.metadata.deletionTimestamp);
      await untilGone(client, `/api/v1/namespaces/${team}`);
      for (const list of ['/api/v1/configmaps', '/api/v1/secrets', '/api/v1/events', `${leases.replace('/namespaces', '')}/leases`]) {
        const {items} = (await client.get(list)).json<ApiList>();
        const namespaces = new Set(items.map(({metadata}) => metadata.namespace));
        t.deepEqual([namespaces.has(team), namespaces.has(other)], [false, true], list);
      }
    },
  );
}

storeTest(
  'a namespace waits for its contents, refuses new ones meanwhile, and goes soon after the last is gone',
  async (t, {client, namespace}) => {
    const team = `/api/v1/namespaces/${namespace}`;
    await client.post(`${team}/configmaps`, {metadata: {name: 'held', finalizers: ['example.com/hold']}});
    await client.delete(team);

    const refused = await client.post(`${team}/configmaps`, {metadata: {name: 'late'}});
    t.is(refused.status, 403);
    t.is(refused.json<Status>().details?.causes?.[0]?.reason, 'NamespaceTerminating');

    const condition = async () => {
      const {status} = (await client.get(team)).json<{status: {conditions?: {type: string; status: string}[]}}>();
      return status.conditions?.find(({type}) => type === 'NamespaceFinalizersRemaining')?.status;
    };
    await until('the condition is True', async () => (await condition()) === 'True');
    t.truthy((await client.get(`${team}/configmaps/held`)).json<ApiObject>().metadata.deletionTimestamp);
    await client.patch(`${team}/configmaps/held`, {metadata: {finalizers: null}});
    await untilGone(client, team);
    t.is((await client.post('/api/v1/namespaces', {metadata: {name: namespace}})).status, 201);
  },
);

storeTest(
  'the first deletion of a namespace without finalizers makes it Terminating; it goes when it is empty',
  async (t, {client, namespace}) => {
    const path = `/api/v1/namespaces/${namespace}`;
    const made = (await client.get(path)).json<ApiObject>();
    await client.post(`${path}/configmaps`, {metadata: {name: 'held', finalizers: ['example.com/hold']}});
    const freed = await client.put(`${path}/finalize`, {...made, spec: {finalizers: []}});
    t.is(freed.status, 200);
    t.deepEqual(freed.json<{spec: object}>().spec, {});

    const answer = await client.delete(path);
    t.is(answer.status, 200);
    const terminating = answer.json<ApiObject & {status: {phase: string}}>();
    t.is(terminating.kind, 'Namespace');
    t.is(terminating.status.phase, 'Terminating');
    t.truthy(terminating.metadata.deletionTimestamp);
    // What is in it is deleted before it goes.
    const held = async () => (await client.get(`${path}/configmaps/held`)).json<ApiObject>().metadata.deletionTimestamp;
    await until('the config map is being deleted', held);
    t.is((await client.get(path)).status, 200);
    await client.patch(`${path}/configmaps/held`, {metadata: {finalizers: null}});
    await untilGone(client, path);
  },
);

storeTest('a second deletion removes a namespace without finalizers', async (t, {start}) => {
  const {client} = await start({controllers: ['*', '-namespace']});
  const path = '/api/v1/namespaces/team';
  const made = (await client.post('/api/v1/namespaces', {metadata: {name: 'team'}})).json<ApiObject>();
  await client.put(`${path}/finalize`, {...made, spec: {finalizers: []}});
  const first = await client.delete(path);
  t.deepEqual([first.status, first.json<ApiObject>().kind], [200, 'Namespace']);
  t.is((await client.get(path)).status, 200);
  const second = await client.delete(path);
  t.deepEqual([second.status, second.json<ApiObject>().kind], [200, 'Namespace']);
  t.is((await client.get(path)).status, 404);
});

const ordered = {platform: 'kubernetes', disableAdmissionPlugins: ['ServiceAccount']} as const;

async function deletedWithHeldPod(client: TestClient): Promise<string> {
  const team = '/api/v1/namespaces/team';
  await client.post('/api/v1/namespaces', {metadata: {name: 'team'}});
  const spec = {containers: [{name: 'a', image: 'b'}]};
  await client.post(`${team}/pods`, {metadata: {name: 'held', finalizers: ['example.com/hold']}, spec});
  await client.post(`${team}/configmaps`, {metadata: {name: 'free'}});
  await client.delete(team);
  const held = async () => (await client.get(`${team}/pods/held`)).json<ApiObject>().metadata.deletionTimestamp;
  await until('the pod is being deleted', held);
  return team;
}

storeTest('where OrderedNamespaceDeletion is on everything else waits until no pod is left', async (t, {start}) => {
  const {client} = await start({...ordered, release: '1.36'});
  const team = await deletedWithHeldPod(client);
  const remaining = async () => {
    const {status} = (await client.get(team)).json<{status: {conditions?: {type: string; message: string}[]}}>();
    return status.conditions?.find(({type}) => type === 'NamespaceContentRemaining')?.message;
  };
  await until('the conditions say so', async () => (await remaining()) === 'Some resources are remaining: pods. has 1 resource instances');
  t.is((await client.get(`${team}/configmaps/free`)).json<ApiObject>().metadata.deletionTimestamp, undefined);
  await client.patch(`${team}/pods/held`, {metadata: {finalizers: null}});
  await untilGone(client, team);
  t.is((await client.get(`${team}/configmaps/free`)).status, 404);
});

storeTest('where OrderedNamespaceDeletion is off a pod that stays does not keep the rest', async (t, {start}) => {
  const {client} = await start({...ordered, release: '1.32'});
  const team = await deletedWithHeldPod(client);
  await untilGone(client, `${team}/configmaps/free`);
  t.is((await client.get(`${team}/pods/held`)).status, 200);
});
