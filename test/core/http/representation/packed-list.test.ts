import {gunzipSync} from 'node:zlib';
import test, {type ExecutionContext} from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';

const collection = '/api/v1/namespaces/default/configmaps';
const count = 600;
const nameOf = (index: number) => `c${String(index).padStart(4, '0')}`;
const object = (index: number, text: string) => ({metadata: {name: nameOf(index), labels: {odd: String((index >> 1) % 2)}}, data: {text}});

/** A server with half a megabyte of objects, every second of the names free. */
async function start(t: ExecutionContext): Promise<TestServer> {
  const server = await startTestServer({authorizationMode: ['AlwaysAllow'], controllers: []});
  t.teardown(() => server.stop());
  for (let index = 0; index < count; index += 1) await create(t, server, index * 2);
  return server;
}

async function create(t: ExecutionContext, {client}: TestServer, index: number): Promise<void> {
  const {status} = await client.post(collection, object(index, `${index} `.repeat(300)));
  t.is(status, 201);
}

/** A token for the next page is another one each time. */
const withoutToken = (body: Buffer) => body.toString().replace(/"continue":"[^"]+"/, '');

/** The list as it is and compressed are the same text. */
async function isSame(t: ExecutionContext, server: TestServer, query: string, what: string): Promise<void> {
  const {plain, packed} = await bothOf(server, query, 'application/json');
  t.is(packed.headers['content-encoding'], 'gzip', what);
  t.is(packed.headers['vary'], 'Accept-Encoding', what);
  // Compared as a whole: a difference in a long text would take minutes to be shown.
  t.true(withoutToken(gunzipSync(packed.body)) === withoutToken(plain.body), what);
  t.true(packed.body.length < plain.body.length / 3, what);
  if (query.includes('limit')) return;
  const binary = await bothOf(server, query, 'application/vnd.orch.protobuf');
  t.is(binary.packed.headers['content-encoding'], 'gzip', what);
  t.true(gunzipSync(binary.packed.body).equals(binary.plain.body), `${what}, binary`);
}

async function bothOf({client}: TestServer, query: string, accept: string) {
  const plain = await client.get(collection + query, {headers: {accept}});
  const packed = await client.get(collection + query, {headers: {accept, 'accept-encoding': 'gzip'}});
  return {plain, packed};
}

test('a compressed list says what the list says, as text and in the binary form, whatever has changed since it was compressed', async (t) => {
  const server = await start(t);
  const {client} = server;
  const queries = ['', '?limit=300', '?limit=301', '?labelSelector=odd%3D0', `?fieldSelector=metadata.name!%3D${nameOf(2)}`];
  const all = async (what: string) => {
    for (const query of queries) await isSame(t, server, query, `${what} ${query}`);
  };
  await all('at first');
  await all('again');
  for (const index of [0, 100, 2 * count - 2])
    t.is((await client.put(`${collection}/${nameOf(index)}`, object(index, 'changed'))).status, 200);
  await all('changed');
  for (const index of [2, 200, 300]) t.is((await client.delete(`${collection}/${nameOf(index)}`)).status, 200);
  await all('with members gone');
  for (let index = 101; index < 140; index += 2) {
    await create(t, server, index);
    await isSame(t, server, '', `with ${index} more`);
  }
  await all('with members between');
});
