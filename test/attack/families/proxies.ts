import {createServer, type Server, type Socket} from 'node:net';
import {once} from 'node:events';
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
  'upgrade-nobody-asked-for': (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
};

const backends = new WeakMap<Attacker, Server>();

/** A pod whose address is a backend of ours. */
async function preparePod(attacker: Attacker, treat: Manners): Promise<void> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => treat(socket));
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
  prepare: (attacker) => preparePod(attacker, manners[how]!),
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

export const failed: Attack['outcomes'] = [503, 504, 'cut', 'held', 200];
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
