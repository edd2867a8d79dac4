import {once} from 'node:events';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import {WebSocket} from 'ws';
import {startTestServer, type TestServer} from '../../sdk/testing/index.js';

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

test('an upgrade of a path that takes none is answered in the ordinary way', async (t) => {
  const server = await startTestServer();
  t.teardown(() => server.stop());
  const response = await server.client.get('/api/v1/namespaces/default', {
    headers: {connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==', 'sec-websocket-version': '13'},
  });
  t.is(response.status, 200);
  t.is(response.json<{kind: string}>().kind, 'Namespace');
});
