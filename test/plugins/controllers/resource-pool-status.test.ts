import {testOnEachStore} from '../../helpers/each-store.js';
import {until} from '../../helpers/eventually.js';
import type {TestClient} from '@orch-api/orch/testing';

const storeTest = testOnEachStore({
  platform: 'kubernetes',
  release: '1.36',
  featureGates: {DRAResourcePoolStatus: true},
  runtimeConfig: {'resource.k8s.io/v1alpha3': true},
  controllers: ['resourcepoolstatusrequest-controller'],
});

const requests = '/apis/resource.k8s.io/v1alpha3/resourcepoolstatusrequests';
const slices = '/apis/resource.k8s.io/v1/resourceslices';

interface Answer {
  readonly status?: {
    readonly poolCount: number;
    readonly pools?: readonly Record<string, unknown>[];
    readonly conditions: readonly {readonly type: string; readonly reason: string; readonly message: string}[];
  };
}

interface SliceParts {
  readonly pool: string;
  readonly devices: number;
  readonly generation?: number;
  readonly count?: number;
  readonly node?: string;
}

async function addSlice(
  client: TestClient,
  driver: string,
  name: string,
  {pool, devices, generation = 1, count = 1, node}: SliceParts,
): Promise<void> {
  const spec = {
    driver,
    pool: {name: pool, generation, resourceSliceCount: count},
    ...(node === undefined ? {allNodes: true} : {nodeName: node}),
    devices: Array.from({length: devices}, (_, index) => ({name: `d${index}`})),
  };
  const made = await client.post(slices, {metadata: {name: `${name}.${driver}`}, spec});
  if (made.status !== 201) throw new Error(made.body.toString());
}

async function answered(client: TestClient, name: string, spec: object): Promise<NonNullable<Answer['status']>> {
  const made = await client.post(requests, {metadata: {name}, spec});
  if (made.status !== 201) throw new Error(made.body.toString());
  return until(`${name} is answered`, async () => (await client.get(`${requests}/${name}`)).json<Answer>().status);
}

storeTest(
  'a request learns how many devices of a driver are in use, pool by pool, from the newest slices',
  async (t, {client, namespace, path}) => {
    const driver = `${namespace}.example.com`;
    await addSlice(client, driver, 'old', {pool: 'b', devices: 7});
    await addSlice(client, driver, 'one', {pool: 'b', devices: 2, generation: 2, count: 2, node: 'n1'});
    await addSlice(client, driver, 'two', {pool: 'b', devices: 1, generation: 2, count: 2, node: 'n1'});
    await addSlice(client, driver, 'shared', {pool: 'a', devices: 3});
    await addSlice(client, `other.${driver}`, 'x', {pool: 'a', devices: 3});
    const claims = path('resourceclaims', 'resource.k8s.io/v1');
    const made = await client.post(claims, {
      metadata: {name: 'c'},
      spec: {devices: {requests: [{name: 'r', exactly: {deviceClassName: 'k'}}]}},
    });
    t.is(made.status, 201, made.body.toString());
    const result = {request: 'r', driver, pool: 'b', device: 'd0'};
    const allocation = {devices: {results: [result]}};
    const allocated = await client.put(`${claims}/c/status`, {...made.json<object>(), status: {allocation}});
    t.is(allocated.status, 200, allocated.body.toString());
    // From the server's cache, which is a moment behind.
    await until('the claim is known', async () => {
      const {items} = (await client.get(`${claims}?resourceVersion=0`)).json<{items: {status?: {allocation?: object}}[]}>();
      return items.some(({status}) => status?.allocation);
    });

    const {conditions, ...all} = await answered(client, `${namespace}-all`, {driver});
    const counts = {resourceSliceCount: 1, totalDevices: 3, allocatedDevices: 0, availableDevices: 3, unavailableDevices: 0};
    const a = {driver, poolName: 'a', generation: 1, ...counts};
    const b = {
      driver,
      poolName: 'b',
      generation: 2,
      nodeName: 'n1',
      ...counts,
      resourceSliceCount: 2,
      allocatedDevices: 1,
      availableDevices: 2,
    };
    t.deepEqual(all, {poolCount: 2, pools: [a, b]});
    t.like(conditions[0], {type: 'Complete', reason: 'CalculationComplete', message: 'Calculated status for 2 pools'});
    t.deepEqual((await answered(client, `${namespace}-b`, {driver, poolName: 'b'})).pools, [b]);
    const first = await answered(client, `${namespace}-first`, {driver, limit: 1});
    t.deepEqual([first.poolCount, first.pools], [2, [a]]);
    t.like(await answered(client, `${namespace}-none`, {driver: 'none.example.com'}), {poolCount: 0, pools: undefined});
  },
);

storeTest('a pool whose slices are missing is waited for, and then the answer says so', async (t, {start}) => {
  const server = await start();
  const {client} = server;
  await addSlice(client, 'd.example.com', 'one', {pool: 'p', devices: 2, count: 2});
  t.is((await client.post(requests, {metadata: {name: 'late'}, spec: {driver: 'd.example.com'}})).status, 201);
  const status = await until('it is answered', async () => {
    await server.advance(500);
    return (await client.get(`${requests}/late`)).json<Answer>().status;
  });
  t.deepEqual(status.pools, [
    {
      driver: 'd.example.com',
      poolName: 'p',
      generation: 1,
      validationError: 'pool d.example.com/p is incomplete: observed 1/2 slices at generation 1',
    },
  ]);
  t.is(status.conditions[0]!.message, 'Calculated status for 1 pools (1 incomplete)');
});

storeTest('a request is removed an hour after its answer', async (t, {start}) => {
  const server = await start();
  const {client} = server;
  await answered(client, 'r', {driver: 'd.example.com'});
  await server.advance(59 * 60_000);
  t.is((await client.get(`${requests}/r`)).status, 200);
  await server.advance(2 * 60_000);
  await until('it is gone', async () => (await client.get(`${requests}/r`)).status === 404);
});
