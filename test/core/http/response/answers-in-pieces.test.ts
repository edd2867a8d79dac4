import {gunzipSync} from 'node:zlib';
import test, {type ExecutionContext} from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../../helpers/eventually.js';
import {connectTo, requestText} from '../../../helpers/server-connection.js';

const path = '/api/v1/namespaces/default/configmaps';
/** More than is made before a list is sent, and than the buffers between client and server hold. */
const objects = 30;
const bytesOfObject = 400_000;

async function start(t: ExecutionContext): Promise<TestServer> {
  const server = await startTestServer({authorizationMode: ['AlwaysAllow'], controllers: []});
  t.teardown(() => server.stop());
  for (let index = 0; index < objects; index++) {
    const text = `${index} `.repeat(bytesOfObject / `${index} `.length);
    const made = await server.client.post(path, {metadata: {name: `c${String(index).padStart(3, '0')}`}, data: {text}});
    t.is(made.status, 201);
  }
  return server;
}

const asTable = 'application/json;as=Table;g=meta.orch;v=v1';

test.serial('a list that is made while it is sent says in each form what its pages say', async (t) => {
  const {client} = await start(t);
  type List = {items?: unknown[]; rows?: unknown[]; columnDefinitions?: unknown; metadata: object};
  const pages = async (accept: string) => {
    const found: unknown[] = [];
    for (let token = ''; ;) {
      const page = (await client.get(`${path}?limit=7&continue=${token}`, {headers: {accept}})).json<
        List & {metadata: {continue?: string}}
      >();
      found.push(...(page.items ?? page.rows)!);
      token = page.metadata.continue ?? '';
      if (token === '') return found;
    }
  };
  const withoutAges = (rows: unknown[]) => JSON.parse(JSON.stringify(rows).replaceAll(/"\d+s"/g, '"age"')) as unknown[];
  for (const accept of ['application/json', asTable, 'application/json;as=PartialObjectMetadataList;g=meta.orch;v=v1']) {
    const expected = withoutAges(await pages(accept));
    t.is(expected.length, objects);
    for (const query of ['', '?pretty=true', '?includeObject=Metadata'])
      for (const encoding of ['identity', 'gzip']) {
        const {status, headers, body} = await client.get(path + query, {headers: {accept, 'accept-encoding': encoding}});
        t.is(status, 200);
        const text = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
        const list = JSON.parse(text.toString()) as List;
        t.deepEqual(withoutAges((list.items ?? list.rows)!), expected, `${accept} ${query} ${encoding}`);
      }
  }
});

test.serial('the binary form of such a list has the length that stands before it', async (t) => {
  const {client} = await start(t);
  const accept = 'application/vnd.orch.protobuf';
  const plain = await client.get(path, {headers: {accept}});
  t.is(Number(plain.headers['content-length']), plain.body.length);
  t.true(plain.body.length > objects * bytesOfObject);
  const zipped = await client.get(path, {headers: {accept, 'accept-encoding': 'gzip'}});
  // Compared as a whole: a difference of megabytes would take minutes to be shown.
  t.true(gunzipSync(zipped.body).equals(plain.body));
  // The outer message ends with the body: its members are skipped one after the other.
  const body = plain.body.subarray(4);
  const varint = (from: number) => {
    let [at, value, shift] = [from, 0, 1];
    for (; ; at += 1, shift *= 128) {
      value += (body[at]! & 127) * shift;
      if (body[at]! < 128) return {value, next: at + 1};
    }
  };
  const lengths: number[] = [];
  for (let at = 0; at < body.length;) {
    const {value, next} = varint(varint(at).next);
    lengths.push(value);
    at = next + value;
    t.true(at <= body.length);
  }
  t.true(lengths.some((length) => length > objects * bytesOfObject));
});

for (const [name, accept] of [
  ['JSON', 'application/json'],
  ['the binary form', 'application/vnd.orch.protobuf'],
  ['a Table with objects', asTable],
] as const)
  test.serial(`of a list in ${name} that nobody reads, few pieces are in memory`, async (t) => {
    const server = await start(t);
    const socket = await connectTo(t, server);
    socket.write(requestText('GET', `${path}?includeObject=Object`, {accept}));
    await new Promise<void>((resolve) => socket.once('readable', resolve));
    const unsent = async () => Number(/^orch_http_unsent_bytes (\S+)$/m.exec((await server.client.get('/metrics')).body.toString())![1]);
    const held = await eventually(unsent, (bytes) => bytes > 100_000);
    t.true(held <= 3 * 1024 * 1024, `${held} bytes`);
    socket.destroy();
    await eventually(unsent, (bytes) => bytes < 100_000);
  });
