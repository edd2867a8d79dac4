import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {connect, type TLSSocket} from 'node:tls';
import test, {type ExecutionContext} from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';

const objects = 30;
const largeText = 'x'.repeat(200_000);

/** A connection with the administrator's certificate on which requests are written by hand. */
async function openConnection(t: ExecutionContext, server: TestServer): Promise<TLSSocket> {
  const [ca, cert, key] = await Promise.all(
    ['ca.crt', 'admin.crt', 'admin.key'].map((name) => readFile(join(server.dataDir, 'pki', name))),
  );
  const {hostname, port} = new URL(server.url);
  const socket = connect({host: hostname, port: Number(port), ca: ca!, cert: cert!, key: key!});
  t.teardown(() => socket.destroy());
  await new Promise<void>((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
  return socket;
}

function requestText(method: string, path: string, body = ''): string {
  return `${method} ${path} HTTP/1.1\r\nHost: orch\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

test('a large request that arrives while a large answer is still on its way is heard, not taken as an error', async (t) => {
  const server = await startTestServer();
  t.teardown(() => server.stop());
  const url = '/api/v1/namespaces/default/configmaps';
  for (let index = 0; index < objects; index++) await server.client.post(url, {metadata: {name: `c${index}`}, data: {text: largeText}});
  const socket = await openConnection(t, server);
  // Not read: the answer fills the buffers between client and server, and the rest of it waits in the server.
  socket.pause();
  socket.write(requestText('GET', url));
  await new Promise<void>((resolve) => socket.once('readable', resolve));
  socket.write(requestText('POST', url, JSON.stringify({metadata: {name: 'late'}, data: {text: largeText}})));
  // Once the object is there the second request was read as a whole, with the first answer still in the way.
  const end = performance.now() + 10_000;
  while ((await server.client.get(`${url}/late`)).status !== 200)
    if (performance.now() > end) return t.fail('the second request was not heard');
  let tail = '';
  const statuses: string[] = [];
  const done = new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.on('data', (chunk: Buffer) => {
      const text = tail + chunk.toString('latin1');
      statuses.push(...Array.from(text.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status]) => status!));
      tail = text.slice(-11).replaceAll(/HTTP\/1\.1 \d{3}/g, '');
      if (statuses.length === 2) resolve();
    });
  });
  await done;
  t.deepEqual(statuses, ['200', '201']);
});
