import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {eventually} from '../../helpers/eventually.js';
import {isWithin} from '../../helpers/longest-turn.js';

const configs = '/api/v1/namespaces/default/configmaps';
const crd = {
  apiVersion: 'apiextensions.orch/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'toys.example.com'},
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: {plural: 'toys', kind: 'Toy'},
    versions: [
      {name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object', 'x-orch-preserve-unknown-fields': true}}},
    ],
  },
};
const config = (name: string, data = {}) => ({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name}, data});
interface Body {
  metadata: {uid: string; resourceVersion: string};
  data: object;
}

for (const store of ['memory', 'embedded']) {
  test(`a restored server has the objects of the snapshot, and watchers see the way back as ordinary events (${store})`, async (t) => {
    await using server = await startTestServer({store});
    const {client} = server;
    const kept = (await client.post(configs, config('kept', {colour: 'red'}))).json<Body>();
    await client.post(configs, {...config('gone'), metadata: {name: 'gone', finalizers: ['example.com/never']}});
    const {metadata} = (await client.get(configs)).json<Body>();
    const snapshot = await server.snapshot();

    const stop = new AbortController();
    const watch = client.watch(`${configs}?watch=1&resourceVersion=${metadata.resourceVersion}`, {signal: stop.signal});
    await client.patch(`${configs}/kept`, {data: {colour: 'blue'}});
    await client.patch(`${configs}/gone`, {metadata: {finalizers: null}});
    await client.delete(`${configs}/gone`);
    await client.post(configs, {...config('new'), metadata: {name: 'new', finalizers: ['example.com/never']}});
    t.is((await client.post('/apis/apiextensions.orch/v1/customresourcedefinitions', crd)).status, 201);
    await eventually(
      async () => (await client.get('/apis/example.com/v1/toys')).status,
      (status) => status === 200,
    );
    await client.post('/apis/example.com/v1/namespaces/default/toys', {apiVersion: 'example.com/v1', kind: 'Toy', metadata: {name: 'one'}});
    const before = (await client.get(configs)).json<Body>().metadata.resourceVersion;

    await server.restore(snapshot);
    const back = (await client.get(`${configs}/kept`)).json<Body>();
    t.is(back.metadata.uid, kept.metadata.uid);
    t.deepEqual(back.data, {colour: 'red'});
    t.true(BigInt(back.metadata.resourceVersion) > BigInt(before));
    t.is((await client.get(`${configs}/gone`)).status, 200);
    t.is((await client.get(`${configs}/new`)).status, 404);
    await eventually(
      async () => (await client.get('/apis/example.com/v1/toys')).status,
      (status) => status === 404,
    );
    const seen: string[] = [];
    for await (const {type, object} of watch) {
      seen.push(`${type} ${(object as {metadata: {name: string}}).metadata.name}`);
      if (seen.length === 7) stop.abort();
    }
    t.deepEqual(seen.slice(0, 4), ['MODIFIED kept', 'MODIFIED gone', 'DELETED gone', 'ADDED new']);
    t.deepEqual(seen.slice(4).toSorted(), ['ADDED gone', 'DELETED new', 'MODIFIED kept']);

    // Again, to the same place: what did not change is not written.
    const version = back.metadata.resourceVersion;
    await server.restore(snapshot);
    t.is((await client.get(`${configs}/kept`)).json<Body>().metadata.resourceVersion, version);
    t.is((await client.patch(`${configs}/kept`, {data: {colour: 'green'}})).status, 200);
  });
}

test('dependents that come back with their owner are not collected', async (t) => {
  await using server = await startTestServer({controllers: ['garbagecollector']});
  const {client} = server;
  const {uid} = (await client.post(configs, config('owner'))).json<Body>().metadata;
  const ownerReferences = [{apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid}];
  await client.post(configs, {...config('dependent'), metadata: {name: 'dependent', ownerReferences}});
  const snapshot = await server.snapshot();
  await client.delete(`${configs}/owner`);
  await eventually(
    async () => (await client.get(`${configs}/dependent`)).status,
    (status) => status === 404,
  );
  await server.restore(snapshot);
  await client.post(configs, {
    ...config('second'),
    metadata: {name: 'second', ownerReferences: [{...ownerReferences[0], uid: 'no-such-owner'}]},
  });
  await eventually(
    async () => (await client.get(`${configs}/second`)).status,
    (status) => status === 404,
  );
  t.is((await client.get(`${configs}/dependent`)).status, 200);
});

test('1,000 objects that were made since are gone at once, over HTTP', async (t) => {
  await using server = await startTestServer({controllers: ['-*']});
  const {client} = server;
  const {id, objects} = (await client.post('/orch/testing/snapshot', undefined)).json<{id: string; objects: number}>();
  t.true(objects > 0);
  for (let block = 0; block < 10; block++) {
    await Promise.all(Array.from({length: 100}, (_, index) => client.post(configs, config(`made-${block}-${index}`))));
  }
  const used = process.cpuUsage();
  const restored = await client.post(`/orch/testing/restore?snapshot=${id}`, undefined);
  const {user, system} = process.cpuUsage(used);
  t.deepEqual(restored.json(), {written: 0, deleted: 1000} as never);
  t.log(`${Math.round((user + system) / 1000)} ms of CPU`);
  t.true(await isWithin((user + system) / 1000, 500));
  t.is((await client.post('/orch/testing/restore?snapshot=nothing', undefined)).status, 404);
  t.is((await client.post('/orch/testing/restore', undefined)).status, 400);
  t.is((await client.post('/orch/testing/snapshot', undefined, {anonymous: true})).status, 403);
});

test('a server that was not started for tests has no testing API', async (t) => {
  await using server = await startTestServer({enableTestingApi: false, controllers: ['-*']});
  t.is((await server.client.post('/orch/testing/snapshot', undefined)).status, 404);
});
