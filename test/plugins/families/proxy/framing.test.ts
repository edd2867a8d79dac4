import {once} from 'node:events';
import {Agent, createServer, IncomingMessage} from 'node:http';
import type {Agent as HttpsAgent} from 'node:https';
import {connect, createServer as createTcpServer, Socket, type AddressInfo} from 'node:net';
import {Duplex} from 'node:stream';
import test, {type ExecutionContext} from 'ava';
import {forwardRequest} from '../../../../plugins/families/proxy/reverse-proxy.js';
import {forwardUpgrade, refuseUpgrade} from '../../../../plugins/families/proxy/upgrade-tunnel.js';
import {until} from '../../../helpers/eventually.js';

interface Seen {
  readonly line: string;
  readonly body: string;
  /** Number of the connection that it came on. */
  readonly connection: number;
}

/** A server that tells requests apart as their heads say, and a proxy before it that keeps connections to it. */
async function proxied(t: ExecutionContext): Promise<{front: number; seen: Seen[]}> {
  const seen: Seen[] = [];
  const numbers = new Map<Socket, number>();
  const target = createServer((incoming, response) => {
    void incoming.toArray().then((chunks) => {
      seen.push({
        line: `${incoming.method} ${incoming.url}`,
        body: Buffer.concat(chunks as Buffer[]).toString(),
        connection: numbers.get(incoming.socket)!,
      });
      response.end('answered');
    });
  });
  target.on('connection', (socket: Socket) => numbers.set(socket, numbers.size + 1));
  const agent = new Agent({keepAlive: true, maxSockets: 1}) as HttpsAgent;
  const backend = (path: string) => ({
    protocol: 'http' as const,
    host: '127.0.0.1',
    port: (target.address() as AddressInfo).port,
    path,
    agent,
  });
  const front = createServer((incoming, response) => {
    const request = {incoming, method: incoming.method!, signal: new AbortController().signal};
    void forwardRequest(request, response, backend(incoming.url!));
  });
  front.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    const request = {incoming, method: incoming.method!, signal: new AbortController().signal};
    forwardUpgrade(request, socket, head, backend(incoming.url!)).catch((error: unknown) => refuseUpgrade(socket, error));
  });
  for (const server of [target, front]) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.teardown(() => void server.close());
    t.teardown(() => server.closeAllConnections());
  }
  t.teardown(() => agent.destroy());
  return {front: (front.address() as AddressInfo).port, seen};
}

/** Writes a request as it stands. Answers what comes back until the connection ends or the text is in it. */
async function ask(t: ExecutionContext, port: number, text: string, awaited: RegExp): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write(text);
  await until('it is answered', () => socket.destroyed || awaited.test(received));
  socket.destroy();
  return received;
}

const hidden = 'GET /hidden HTTP/1.1\r\nHost: pod\r\nX-Remote-User: admin\r\n\r\n';

for (const method of ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST', 'PUT'])
  test(`the body of a ${method} stays its body, whichever headers Connection names`, async (t) => {
    const {front, seen} = await proxied(t);
    const named = [
      'content-length',
      'Content-Length, X-Other',
      'x-other ,\tcontent-length',
      'transfer-encoding',
      'host',
      'close, content-length',
    ];
    for (const names of named) {
      await ask(
        t,
        front,
        `${method} /own HTTP/1.1\r\nHost: front\r\nConnection: ${names}\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
        method === 'HEAD' ? /\r\n\r\n/ : /answered/,
      );
      await ask(
        t,
        front,
        `${method} /own HTTP/1.1\r\nHost: front\r\nConnection: ${names}\r\nTransfer-Encoding: chunked\r\n\r\n${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
        method === 'HEAD' ? /\r\n\r\n/ : /answered/,
      );
    }
    await ask(t, front, 'GET /next HTTP/1.1\r\nHost: front\r\n\r\n', /answered/);
    t.deepEqual(
      seen.map(({line, body}) => [line, body]),
      [...named.flatMap(() => Array.from({length: 2}, () => [`${method} /own`, hidden])), ['GET /next', '']],
    );
    // Of a HEAD the client sees the end before the proxy does, and has gone by then.
    if (method !== 'HEAD') t.deepEqual(new Set(seen.map(({connection}) => connection)), new Set([1]), 'on a connection that is kept');
  });

test('a connection on which an upgrade was tried carries no other request', async (t) => {
  const {front, seen} = await proxied(t);
  const upgrade = 'GET /upgrade HTTP/1.1\r\nHost: front\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n';
  await ask(t, front, 'GET /first HTTP/1.1\r\nHost: front\r\n\r\n', /answered/);
  t.regex(await ask(t, front, upgrade, /answered/), /^HTTP\/1\.1 200 /);
  await ask(t, front, 'GET /next HTTP/1.1\r\nHost: front\r\n\r\n', /answered/);
  t.deepEqual(
    seen.map(({line}) => line),
    ['GET /first', 'GET /upgrade', 'GET /next'],
  );
  t.true(seen[2]!.connection > seen[1]!.connection);
});

test('what a server sends last over a tunnel reaches a slow client, though the server has gone by then', async (t) => {
  const parts = ['one', 'two', 'three', 'the outcome'];
  // As a kubelet when a command has ended.
  const target = createServer().on('upgrade', (_request: IncomingMessage, socket: Socket) => {
    const send = async () => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
      for (const part of parts) {
        // Each is read as a piece of its own.
        await new Promise((resolve) => setTimeout(resolve, 2));
        socket.write(part);
      }
      socket.end();
    };
    socket.on('error', () => undefined);
    void send();
  });
  target.listen(0, '127.0.0.1');
  await once(target, 'listening');
  t.teardown(() => void target.close());
  let received = '';
  const slow = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => {
      received += chunk.toString();
      setTimeout(done, 20);
    },
  });
  const {port} = target.address() as AddressInfo;
  const incoming = new IncomingMessage(new Socket());
  Object.assign(incoming, {method: 'GET', headers: {connection: 'Upgrade', upgrade: 'echo'}});
  const request = {incoming, method: 'GET', signal: new AbortController().signal};
  await forwardUpgrade(request, slow, Buffer.alloc(0), {protocol: 'http', host: '127.0.0.1', port, path: '/'});
  t.true(received.endsWith(`\r\n\r\n${parts.join('')}`), received);
  t.true(slow.destroyed);
});

test('a request for an upgrade that has a body is refused: 400, and the server behind is not asked', async (t) => {
  const {front, seen} = await proxied(t);
  for (const framing of ['Content-Length: 90', 'Transfer-Encoding: chunked']) {
    const text = `GET /upgrade HTTP/1.1\r\nHost: front\r\nConnection: Upgrade\r\nUpgrade: echo\r\n${framing}\r\n\r\n${hidden}`;
    t.regex(await ask(t, front, text, /\r\n\r\n/), /^HTTP\/1\.1 400 /, framing);
  }
  t.deepEqual(seen, []);
});

test('the length of what a server answers is what was read, whichever headers its Connection names', async (t) => {
  const answer = 'HTTP/1.1 200 OK\r\nConnection: content-length\r\nContent-Length: 8\r\n\r\nanswered';
  const target = createTcpServer((socket) => socket.on('error', () => undefined).once('data', () => socket.end(answer)));
  const front = createServer((incoming, response) => {
    const {port} = target.address() as AddressInfo;
    const request = {incoming, method: incoming.method!, signal: new AbortController().signal};
    void forwardRequest(request, response, {protocol: 'http', host: '127.0.0.1', port, path: '/'});
  });
  for (const server of [target, front]) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.teardown(() => void server.close());
  }
  const received = await ask(t, (front.address() as AddressInfo).port, 'GET / HTTP/1.1\r\nHost: front\r\n\r\n', /answered/);
  t.regex(received, /\r\ncontent-length: 8\r\n/i);
});
