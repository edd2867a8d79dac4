import type {TLSSocket} from 'node:tls';
import {setTimeout as delay} from 'node:timers/promises';
import {gunzipSync} from 'node:zlib';
import test, {type ExecutionContext} from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {gone, receive} from '../../../helpers/bare-server.js';
import {eventually} from '../../../helpers/eventually.js';
import {recordingLogger, type LoggedLine} from '../../../helpers/recording-logger.js';
import {connectTo, requestText} from '../../../helpers/server-connection.js';
import {userClient, userCredentials} from '../../../helpers/user-client.js';

const collection = '/api/v1/namespaces/default/configmaps';
/** Together enough to fill the buffers between client and server several times over. */
const objects = 8;
const bytesOfObject = 1_000_000;

interface Started {
  readonly server: TestServer;
  readonly lines: readonly LoggedLine[];
}

/** A server that lets everybody do everything, with 8 MB of objects. */
async function start(t: ExecutionContext, limits: Readonly<Record<string, string | number>> = {}): Promise<Started> {
  const {logger, lines} = recordingLogger();
  const server = await startTestServer({logger, limits, authorizationMode: ['AlwaysAllow']});
  t.teardown(() => server.stop());
  await Promise.all(
    Array.from({length: objects}, (_, index) => {
      const text = String.fromCodePoint(97 + (index % 26)).repeat(bytesOfObject);
      return server.client.post(collection, {metadata: {name: `c${index}`}, data: {text}});
    }),
  );
  return {server, lines};
}

/** A list whose answer has begun, and which nobody reads. */
async function unreadList(
  t: ExecutionContext,
  server: TestServer,
  accept: string,
  path = collection,
  credentials?: {cert: string; key: string},
): Promise<TLSSocket> {
  const socket = await connectTo(t, server, credentials);
  socket.write(requestText('GET', path, {accept}));
  await new Promise<void>((resolve) => socket.once('readable', resolve));
  return socket;
}

const hasActed = (lines: readonly LoggedLine[], limit: string) => lines.some(({fields}) => fields['limit'] === limit);

test('a large list arrives whole, as it is and compressed', async (t) => {
  const {server} = await start(t);
  const plain = await server.client.get(collection);
  t.is(plain.status, 200);
  t.is(Number(plain.headers['content-length']), plain.body.length);
  t.is(plain.json<{items: object[]}>().items.length, objects);
  const compressed = await server.client.get(collection, {headers: {'accept-encoding': 'gzip'}});
  t.is(compressed.headers['content-encoding'], 'gzip');
  t.true(compressed.body.length < plain.body.length / 10);
  // Their versions differ where the server has written something of its own in between.
  const itemsOf = (text: string) => JSON.stringify((JSON.parse(text) as {items: object[]}).items);
  t.true(itemsOf(gunzipSync(compressed.body).toString()) === itemsOf(plain.body.toString()));
  const yaml = await server.client.get(collection, {headers: {accept: 'application/yaml'}});
  // It is made while it is sent: nobody knows its length before.
  t.is(yaml.headers['transfer-encoding'], 'chunked');
  t.is(yaml.body.toString().split('\n- ').length - 1, objects);
});

test.serial('of lists that are not read a slice is in memory, not the whole', async (t) => {
  const {server} = await start(t);
  await server.client.get(collection);
  const before = process.memoryUsage().rss;
  await Promise.all(Array.from({length: 40}, () => unreadList(t, server, 'application/json')));
  const megabytes = Math.round((process.memoryUsage().rss - before) / 1024 / 1024);
  // What the clients of this process have received counts as well; 40 lists have 320 MB, and as much again encrypted.
  t.true(megabytes < 250, `${megabytes} MB`);
});

test('when answers that are not read take all the memory there is for them, large ones are refused with 429, and small ones are not', async (t) => {
  const {server, lines} = await start(t, {maxUnsentBytes: '3Mi', stallTimeout: '1h', requestTimeout: '1h'});
  const reader = await userClient(t, server, 'reader');
  // 2 MiB of each are made before it is sent; administrators may take half as much again as there is.
  const sockets = await Promise.all([1, 2].map(() => unreadList(t, server, 'application/yaml')));
  const refused = await reader.get(collection);
  t.is(refused.status, 429);
  t.is(refused.headers['retry-after'], '1');
  t.is((await reader.get(`${collection}/c0`)).status, 429);
  t.is((await reader.get(`${collection}?watch=1`)).status, 429);
  t.is((await reader.post(collection, {metadata: {name: 'large'}, data: {text: 'x'.repeat(20_000)}})).status, 429);
  t.is((await reader.post(collection, {metadata: {name: 'small'}})).status, 201);
  t.is((await reader.get(`${collection}/small`)).status, 200);
  t.true(hasActed(lines, 'maxUnsentBytes'));
  for (const socket of sockets) socket.destroy();
  await eventually(
    () => reader.get(collection),
    ({status}) => status === 200,
  );
});

test('one user cannot take all the memory there is for answers', async (t) => {
  const {server, lines} = await start(t, {maxUnsentBytes: '100Mi', maxUnsentBytesPerUser: '1Mi', stallTimeout: '1h', requestTimeout: '1h'});
  const [someone, other, credentials] = await Promise.all([
    userClient(t, server, 'someone'),
    userClient(t, server, 'other'),
    userCredentials(server, 'someone'),
  ]);
  const socket = await unreadList(t, server, 'application/yaml', collection, credentials);
  t.is((await someone.get(collection)).status, 429);
  t.is((await other.get(collection)).status, 200);
  t.true(hasActed(lines, 'maxUnsentBytesPerUser'));
  socket.destroy();
  await eventually(
    () => someone.get(collection),
    ({status}) => status === 200,
  );
});

test('behind answers that take the memory of a connection its further requests wait', async (t) => {
  const {server} = await start(t, {maxUnsentBytesPerConnection: '1Mi', stallTimeout: '1h', requestTimeout: '1h'});
  const socket = await connectTo(t, server);
  const body = JSON.stringify({metadata: {name: 'behind'}});
  socket.write(requestText('GET', collection, {accept: 'application/yaml'}));
  await new Promise<void>((resolve) => socket.once('readable', resolve));
  socket.write(requestText('POST', collection, {}, body));
  // Another connection's round trips show that the server has had its chance.
  for (let round = 0; round < 20; round++) t.is((await server.client.get(`${collection}/behind`)).status, 404);
  const received = receive(socket, /HTTP\/1\.1 201 /);
  t.regex(await received, /HTTP\/1\.1 201 /);
});

test('a client that takes nothing of its answer is cut when the time for that is over, and one that reads slowly is not', async (t) => {
  const {server, lines} = await start(t, {stallTimeout: '5s'});
  const stuck = await unreadList(t, server, 'application/json');
  await eventually(
    () => hasActed(lines, 'stallTimeout'),
    (acted) => acted,
  );
  await gone(stuck);
  const slow = await unreadList(t, server, 'application/json');
  const began = performance.now();
  let received = 0;
  for await (const chunk of slow) {
    received += (chunk as Buffer).length;
    // In all longer than a client may take nothing.
    const early = (received / (objects * bytesOfObject)) * 7000 - (performance.now() - began);
    if (early > 0) await delay(early);
    if (received > objects * bytesOfObject) break;
  }
  t.true(received > objects * bytesOfObject);
});

test('the time of a request runs until its answer has been taken', async (t) => {
  const {server, lines} = await start(t);
  const stuck = await unreadList(t, server, 'application/json', `${collection}?timeout=1s`);
  await eventually(
    () => hasActed(lines, 'requestTimeout'),
    (acted) => acted,
  );
  await gone(stuck);
  t.true(stuck.destroyed);
});

test('a watch whose client takes nothing ends when too much waits for it', async (t) => {
  const {server} = await start(t, {maxUnsentBytesPerConnection: '512Ki', stallTimeout: '1h'});
  const socket = await connectTo(t, server);
  const version = (await server.client.get(`${collection}?limit=1`)).json<{metadata: {resourceVersion: string}}>().metadata.resourceVersion;
  socket.write(requestText('GET', `${collection}?watch=1&resourceVersion=${version}`));
  await new Promise<void>((resolve) => socket.once('readable', resolve));
  // More than the buffers between client and server hold.
  for (let round = 0; round < 15; round++) {
    await server.client.request('PATCH', `${collection}/c0`, {
      headers: {'content-type': 'application/merge-patch+json'},
      body: {data: {text: String(round % 10).repeat(bytesOfObject)}},
    });
  }
  t.regex(await receive(socket, /"code":410/), /"type":"ERROR".*"code":410/s);
});
