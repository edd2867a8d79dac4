import {createServer, type Server, type Socket} from 'node:net';
import {once} from 'node:events';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {family, type Attack} from '../attack.js';
import type {Attacker} from '../client/attacker.js';
import {requestText} from '../client/request-text.js';

/** A configuration under which the proxy goes to loopback: that is where the attackers' backends are. */
const flags = ['--config', fileURLToPath(new URL('../proxies.json', import.meta.url))];

/** How a backend treats the server that asks it. */
export type Manners = (socket: Socket) => void;

const chunked = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n';

function pour(socket: Socket, part: Buffer): void {
  const more = () => {
    // Others have to get a turn: the attack and its backend are one process.
    if (!socket.destroyed) socket.write(part, () => setImmediate(more));
  };
  more();
}

export const manners: Readonly<Record<string, Manners>> = {
  silent: () => undefined,
  endless: (socket) => {
    socket.write(chunked);
    pour(socket, Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`));
  },
  'endless-headers': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    pour(socket, Buffer.from(`X: ${'x'.repeat(1000)}\r\n`));
  },
  'one-byte-at-a-time': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n');
    const timer = setInterval(() => socket.write('x'), 50);
    socket.once('close', () => clearInterval(timer));
  },
  garbage: (socket) => socket.end(Buffer.alloc(10_000, 0xff)),
  closing: (socket) => socket.destroy(),
  'interim-answers': (socket) => pour(socket, Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'.repeat(1000))),
  'too-much': (socket) =>
    pour(socket, Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')),
  'status-000': (socket) => socket.write('HTTP/1.1 000 None\r\nContent-Length: 2\r\n\r\nok'),
  'no-content-with-length': (socket) => socket.write('HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\n'),
  'upgrade-nobody-asked-for': (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
};

const backends = new WeakMap<Attacker, Server>();

/** A pod whose address is a backend of ours. */
async function preparePod(attacker: Attacker, serve: Manners): Promise<void> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    serve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  backends.set(attacker, server);
  const {port} = server.address() as {port: number};
  const spec = {containers: [{name: 'c', image: 'i', ports: [{containerPort: port}]}]};
  await attacker.make(attacker.path('pods'), {metadata: {name: 'target'}, spec});
  await attacker.make(
    `${attacker.path('pods')}/target/status`,
    {metadata: {name: 'target'}, spec, status: {podIP: '127.0.0.1', podIPs: [{ip: '127.0.0.1'}]}},
    'PUT',
  );
}

/** Many requests to one backend. */
const proxied = (
  name: string,
  how: string,
  count: number,
  outcomes: Attack['outcomes'],
  connect: {deaf?: boolean} = {},
  request?: (attacker: Attacker) => Buffer,
): Attack => ({
  name,
  outcomes,
  flags,
  seconds: 3,
  prepare: (attacker) => preparePod(attacker, (socket) => void socket.once('data', () => manners[how]!(socket))),
  async run(attacker) {
    const bytes = request?.(attacker) ?? requestText('GET', `${attacker.path('pods')}/target/proxy/`);
    const opened = await attacker.openMany(
      count,
      async () => {
        const connection = await attacker.open({user: 'tenant', ...connect});
        connection?.write(bytes);
        return connection;
      },
      20,
    );
    await attacker.hold(connect.deaf ? [] : opened);
    await attacker.hear(opened);
    backends.get(attacker)?.close();
  },
});

export const failed: Attack['outcomes'] = [502, 503, 504, 'cut', 'held', 200];

/** A request that nobody sends: only its text, in the body of another. */
const hidden = 'POST /hidden HTTP/1.1\r\nHost: x\r\nX-Remote-User: root\r\nX-Remote-Group: system:masters\r\nContent-Length: 0\r\n\r\n';

/** Requests that a server which leaves out what their Connection header names would hand on as two. */
const doubles = (path: string): readonly Buffer[] =>
  ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST'].flatMap((method) =>
    ['content-length', 'transfer-encoding', 'host, content-length', 'keep-alive', 'Upgrade'].flatMap((names) =>
      [
        [`Content-Length: ${hidden.length}`, hidden],
        ['Transfer-Encoding: chunked', `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`],
      ].map(([framing, body]) =>
        Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: ${names}\r\nUpgrade: x\r\n${framing}\r\n\r\n${body}`),
      ),
    ),
  );

/** Sends each of them on a connection of its own. */
export async function sendDoubles(attacker: Attacker, user: 'tenant' | 'builder', path: string): Promise<void> {
  const requests = doubles(path);
  await attacker.repeat(4 * requests.length, 10, async (number) => {
    const request = requests[number % requests.length]!;
    const connection = await attacker.open({user, bodiless: request.toString('latin1', 0, 4) === 'HEAD'});
    await Promise.race([connection?.ask(request).catch(() => undefined), sleep(1000)]);
    connection?.close();
  });
}

/** Answers every request that it reads, by the lengths that it reads, and tells of one that nobody sent. */
export const strict =
  (attacker: Attacker): Manners =>
  (socket) => {
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      for (let end = received.indexOf('\r\n\r\n'); end >= 0; end = received.indexOf('\r\n\r\n')) {
        const head = received.slice(0, end);
        const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head);
        const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
        const last = isChunked ? received.indexOf('\r\n0\r\n\r\n', end) + 7 : end + 4 + length;
        if (last < end + 4 || received.length < last) return;
        received = received.slice(last);
        if (head.includes('/hidden')) attacker.tally.fault(`a request arrived that nobody sent: ${head.slice(0, 100)}`);
        socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}');
      }
    });
  };

const upgrade = (attacker: Attacker) =>
  requestText('GET', `${attacker.path('pods')}/target/proxy/`, {headers: ['Connection: Upgrade', 'Upgrade: x']});

export const proxies = family(
  'proxies',
  [
    proxied('silent-backend', 'silent', 200, ['held', 503, 504, 429]),
    proxied('endless-answers', 'endless', 50, [200]),
    proxied('endless-answers-never-read', 'endless', 200, [200, 429], {deaf: true}),
    proxied('endless-headers', 'endless-headers', 50, failed),
    proxied('one-byte-at-a-time', 'one-byte-at-a-time', 200, [200, 'held']),
    proxied('garbage', 'garbage', 200, failed),
    proxied('closing', 'closing', 200, failed),
    proxied('interim-answers', 'interim-answers', 50, [...failed, 100]),
    proxied('too-much', 'too-much', 50, failed),
    proxied('upgrade-nobody-asked-for', 'upgrade-nobody-asked-for', 100, failed),
    proxied('status-000', 'status-000', 100, [502]),
    proxied('no-content-with-length', 'no-content-with-length', 100, [502]),
    {
      name: 'two-requests-in-one',
      outcomes: [200, 400],
      flags,
      seconds: 4,
      prepare: (attacker) => preparePod(attacker, strict(attacker)),
      async run(attacker) {
        await sendDoubles(attacker, 'tenant', `${attacker.path('pods')}/target/proxy/`);
        backends.get(attacker)?.close();
      },
    },
    {
      name: 'nodes-that-are-the-server-itself',
      outcomes: [400],
      flags,
      seconds: 2,
      prepare: (attacker) =>
        attacker.make('/api/v1/nodes', {
          metadata: {name: attacker.namespace},
          status: {
            addresses: [{type: 'InternalIP', address: '127.0.0.1'}],
            daemonEndpoints: {kubeletEndpoint: {Port: attacker.server.port}},
          },
        }),
      run: (attacker) =>
        attacker.repeat(100, 10, async (number) => {
          const port = number % 2 ? `:${attacker.server.port}` : '';
          const path = `/api/v1/nodes/${attacker.namespace}${port}/proxy/api/v1/secrets`;
          const answer = await attacker.call('GET', path, {user: 'builder'});
          if (answer && answer.status < 400) attacker.tally.fault(`a node led to the server itself: ${answer.status}`);
        }),
    },
    proxied('upgrade-to-silence', 'silent', 200, failed, {}, upgrade),
    proxied('upgrade-then-nothing', 'upgrade-nobody-asked-for', 200, [101], {}, upgrade),
    proxied('slow-bodies', 'silent', 200, ['held', 503, 504, 'cut', 429], {}, (attacker) =>
      Buffer.from(`POST ${attacker.path('pods')}/target/proxy/ HTTP/1.1\r\nHost: orch\r\nContent-Length: 100000000\r\n\r\nx`),
    ),
    {
      ...proxied('endless-bodies', 'silent', 20, ['held', 503, 504, 'cut', 429]),
      async run(attacker) {
        const opened = await attacker.openMany(20, () => attacker.open({user: 'tenant'}));
        const part = Buffer.alloc(256 * 1024, 'x');
        await Promise.all(
          opened.map(async (connection) => {
            connection.write(`POST ${attacker.path('pods')}/target/proxy/ HTTP/1.1\r\nHost: orch\r\nContent-Length: 100000000000\r\n\r\n`);
            while (!connection.isClosed && !attacker.isOver) await Promise.race([connection.flush(part), attacker.hold()]);
          }),
        );
        for (const connection of opened) if (!connection.isClosed) attacker.tally.add('held');
        backends.get(attacker)?.close();
      },
    },
  ],
  {storeless: true},
);
