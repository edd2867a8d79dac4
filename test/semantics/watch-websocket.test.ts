import {once} from 'node:events';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import {WebSocket} from 'ws';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {recordingLogger} from '../helpers/recording-logger.js';

async function open(
  server: TestServer,
  path: string,
): Promise<{socket: WebSocket; next: () => Promise<{type: string; object: {metadata: {name: string}; code?: number}}>}> {
  const [ca, cert, key] = await Promise.all(
    ['ca.crt', 'admin.crt', 'admin.key'].map((name) => readFile(join(server.dataDir, 'pki', name))),
  );
  const socket = new WebSocket(`${server.url.replace('https', 'wss')}${path}`, {ca, cert, key});
  const waiting: ((data: string) => void)[] = [];
  const received: string[] = [];
  socket.on('message', (data: Buffer) => {
    const take = waiting.shift();
    if (take) take(data.toString());
    else received.push(data.toString());
  });
  const next = async () => JSON.parse(received.shift() ?? (await new Promise<string>((resolve) => waiting.push(resolve)))) as never;
  await once(socket, 'open');
  return {socket, next};
}

test('a watch over a WebSocket sends one message for each event', async (t) => {
  const server = await startTestServer();
  t.teardown(() => server.stop());
  await server.client.post('/api/v1/namespaces/default/configmaps', {metadata: {name: 'a'}});
  const {socket, next} = await open(server, '/api/v1/namespaces/default/configmaps?watch=1');
  const first = await next();
  t.is(first.type, 'ADDED');
  t.is(first.object.metadata.name, 'a');
  await server.client.delete('/api/v1/namespaces/default/configmaps/a');
  t.is((await next()).type, 'DELETED');
  socket.close();
  await once(socket, 'close');
});

test('a watch over a WebSocket has the form that the query accepts, since pages set no headers of it [A-WATCH-7]', async (t) => {
  const server = await startTestServer();
  t.teardown(() => server.stop());
  await server.client.post('/api/v1/namespaces/default/configmaps', {metadata: {name: 'a'}});
  const accept = encodeURIComponent('application/json;as=Table;v=v1;g=meta.orch');
  const {socket, next} = await open(server, `/api/v1/namespaces/default/configmaps?watch=1&includeObject=Metadata&accept=${accept}`);
  t.like(await next(), {type: 'ADDED', object: {kind: 'Table', rows: {0: {cells: {0: 'a'}, object: {kind: 'PartialObjectMetadata'}}}}});
  socket.close();
  await once(socket, 'close');
  // The headers of all other requests can be set.
  const list = await server.client.get(`/api/v1/namespaces/default/configmaps?accept=${accept}`);
  t.is(list.json<{kind: string}>().kind, 'ConfigMapList');
});

test('an upgrade of a path that takes none is answered in the ordinary way', async (t) => {
  const server = await startTestServer();
  t.teardown(() => server.stop());
  const response = await server.client.get('/api/v1/namespaces/default', {
    headers: {connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==', 'sec-websocket-version': '13'},
  });
  t.is(response.status, 200);
  t.is(response.json<{kind: string}>().kind, 'Namespace');
});

test('a handshake that is none is answered with 400 and is nothing to log', async (t) => {
  const {logger, lines} = recordingLogger();
  const server = await startTestServer({logger});
  t.teardown(() => server.stop());
  const right = {'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==', 'sec-websocket-version': '13'};
  const wrongs: Record<string, string>[] = [
    {'sec-websocket-key': 'short'},
    {'sec-websocket-version': '1'},
    {'sec-websocket-protocol': 'a, a'},
  ];
  for (const wrong of wrongs) {
    const headers = {connection: 'Upgrade', upgrade: 'websocket', ...right, ...wrong};
    const response = await server.client.get('/api/v1/namespaces/default/configmaps?watch=1', {headers});
    t.is(response.status, 400, JSON.stringify(wrong));
    t.like(response.json(), {kind: 'Status', reason: 'BadRequest'});
  }
  t.deepEqual(
    lines.filter(({level}) => level === 'error'),
    [],
  );
});

test('a client that sends one message after the other over its watch is cut off; one that pings is not', async (t) => {
  const server = await startTestServer();
  t.teardown(() => server.stop());
  const path = '/api/v1/namespaces/default/configmaps?watch=1';
  const {socket: loud} = await open(server, path);
  const {socket: calm, next} = await open(server, path);
  const [closed, answered] = [once(loud, 'close'), once(calm, 'pong')];
  loud.on('error', () => undefined);
  for (let message = 0; message < 5000; message++) loud.send('');
  for (let ping = 0; ping < 20; ping++) calm.ping();
  await closed;
  await answered;
  await server.client.post('/api/v1/namespaces/default/configmaps', {metadata: {name: 'a'}});
  t.is((await next()).object.metadata.name, 'a');
  calm.close();
  await once(calm, 'close');
});
