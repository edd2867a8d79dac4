import test from 'ava';
import type {ApiList, ApiObject} from '@orch-api/orch/sdk';
import {startTestServer, type TestResponse, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../helpers/eventually.js';
import {isWithin, longestTurn} from '../../helpers/longest-turn.js';

/** Milliseconds of processor for which nobody else may have to wait (decision 52), on a machine of the usual speed. */
const mostMillis = 100;
const dependents = 2000;

let server: TestServer;
test.before(async () => {
  server = await startTestServer();
});
test.after.always(() => server?.stop());

const maps = '/api/v1/namespaces/default/configmaps';
const json = {headers: {'content-type': 'application/json'}};
const table = {headers: {accept: 'application/json;as=Table;g=meta.orch;v=v1'}};

/** As many values as an object may have. */
function largeMap(name: string, value: string): Buffer {
  const data = Object.fromEntries(Array.from({length: 29_000}, (_, index) => [`k${index}`, value]));
  return Buffer.from(JSON.stringify({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name}, data}));
}

async function succeeded(request: Promise<TestResponse>): Promise<TestResponse> {
  const response = await request;
  if (response.status >= 300) throw new Error(`${response.status} ${response.body.toString().slice(0, 300)}`);
  return response;
}

/** Makes the owner with its dependents, some at a time. */
async function makeDependents(): Promise<void> {
  const {client} = server;
  const {uid} = (await succeeded(client.post(maps, {metadata: {name: 'owner'}}))).json<ApiObject>().metadata;
  const ownerReferences = [{apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid}];
  let next = 0;
  const make = async () => {
    while (next < dependents)
      await succeeded(client.post(maps, {metadata: {name: `dependent-${next++}`, ownerReferences}, data: {text: 'x'.repeat(500)}}));
  };
  await Promise.all(Array.from({length: 16}, make));
}

async function collected(): Promise<void> {
  await succeeded(server.client.delete(`${maps}/owner`));
  await eventually(
    async () => (await server.client.get(`${maps}?limit=1`)).json<ApiList>().items.length,
    (left) => left === 0,
  );
}

test('no turn of the event loop takes long, whatever the server does', async (t) => {
  const {client} = server;
  const works: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['a large create', () => succeeded(client.post(maps, largeMap('large', 'a'), json))],
    ['a large update', () => succeeded(client.put(`${maps}/large`, largeMap('large', 'b'), json))],
    ['a large merge patch', () => succeeded(client.patch(`${maps}/large`, largeMap('large', 'c')))],
    ['the deletion of a large object', () => succeeded(client.delete(`${maps}/large`))],
    ['many creates', makeDependents],
    ['a large list', () => succeeded(client.get(maps))],
    ['a large table', () => succeeded(client.get(maps, table))],
    ['a scrape of metrics', () => succeeded(client.get('/metrics'))],
    ['the documents of all types', () => succeeded(client.get('/openapi/v3'))],
    ['the collection of many dependents', collected],
  ];
  // What only the first request loads and compiles is no part of the work.
  await succeeded(client.post(maps, largeMap('first', ''), json));
  await succeeded(client.patch(`${maps}/first`, largeMap('first', 'b')));
  await succeeded(client.delete(`${maps}/first`));
  await succeeded(client.get('/metrics'));
  const long: string[] = [];
  for (const [name, work] of works) {
    const {longestMillis} = await longestTurn(work);
    t.log(`${name}: ${longestMillis.toFixed(1)} ms of ${mostMillis}`);
    if (!(await isWithin(longestMillis, mostMillis))) long.push(`${name}: ${longestMillis.toFixed(0)} ms`);
  }
  t.deepEqual(long, []);
});
