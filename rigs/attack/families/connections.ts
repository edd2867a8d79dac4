import {randomBytes} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import type {TLSSocket} from 'node:tls';
import {family, type Attack} from '../attack.js';
import type {Attacker} from '../client/attacker.js';
import {requestText} from '../client/request-text.js';
import {configMaps} from './objects.js';

const health = requestText('GET', '/readyz');
/** Addresses of attackers that pretend to be many. */
const manyAddresses = (number: number) => `127.0.${1 + (number % 200)}.1`;
/** The beginning of a ClientHello whose rest never comes. */
const halfHello = Buffer.from('1603010200010001fc0303', 'hex');
const alert = Buffer.from('15030100020100', 'hex');

/** Connections without TLS that send something, or nothing, and stay. */
const idleTcp = (name: string, count: number, first: string | Buffer, from?: (number: number) => string): Attack => ({
  name,
  outcomes: ['held', 'cut'],
  async run(attacker) {
    const connections = await attacker.openMany(count, (number) => attacker.openTcp(from ? {from: from(number)} : {}), 100);
    for (const connection of connections) if (first.length > 0) connection.write(first);
    await attacker.hold(connections);
  },
});

/** Connections with TLS that send something, or nothing, and stay. */
const idleTls = (name: string, count: number, user: 'anonymous' | 'tenant', first = '', from?: (number: number) => string): Attack => ({
  name,
  outcomes: ['held', 'cut'],
  seconds: 6,
  async run(attacker) {
    const connections = await attacker.openMany(count, (number) => attacker.open({user, ...(from ? {from: from(number)} : {})}), 20);
    for (const connection of connections) if (first !== '') connection.write(first);
    await attacker.hold(connections);
  },
});

/** Something done with one new connection after the other. */
const churn = (
  name: string,
  outcomes: Attack['outcomes'],
  atATime: number,
  visit: (attacker: Attacker, number: number) => Promise<void>,
): Attack => ({
  name,
  outcomes,
  run: (attacker) => attacker.repeat(5_000, atATime, (number) => visit(attacker, number)),
});

const visitTls =
  (options: Parameters<Attacker['open']>[0], end: 'close' | 'reset' = 'close') =>
  async (attacker: Attacker) => {
    const connection = await attacker.open(options);
    attacker.tally.add(connection ? 'held' : 'cut');
    connection?.[end]();
  };

const largeLists = (attacker: Attacker) => attacker.makeAll(attacker.path('configmaps'), configMaps(20, 50_000));

export const connections = family(
  'connections',
  [
    idleTcp('idle-tcp', 1000, ''),
    idleTcp('idle-tcp-many-addresses', 2000, '', manyAddresses),
    idleTcp('half-hello', 1000, halfHello),
    idleTcp('half-hello-many-addresses', 2000, halfHello, manyAddresses),
    idleTcp('one-byte', 1000, '\x16'),
    idleTcp('plain-http', 1000, 'GET /readyz HTTP/1.1\r\nHost: orch\r\n\r\n'),
    idleTcp('garbage', 500, randomBytes(64 * 1024)),
    idleTcp('tls-alerts', 500, Buffer.alloc(7 * 2000, alert)),
    idleTcp('large-record', 300, Buffer.concat([Buffer.from('160301ffff', 'hex'), Buffer.alloc(60_000)])),
    idleTcp('http2-preface', 300, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    {
      name: 'hello-byte-by-byte',
      outcomes: ['held', 'cut'],
      async run(attacker) {
        const opened = await attacker.openMany(500, () => attacker.openTcp(), 100);
        await attacker.drip(
          opened,
          [...halfHello].map((byte) => Buffer.of(byte)),
          100,
        );
      },
    },
    idleTls('idle-tls', 1000, 'anonymous'),
    idleTls('idle-tls-many-addresses', 2000, 'anonymous', '', manyAddresses),
    idleTls('idle-tls-authenticated', 1000, 'tenant'),
    idleTls('half-request-line', 500, 'anonymous', 'GET /rea'),
    idleTls('half-headers', 500, 'anonymous', 'GET /readyz HTTP/1.1\r\nHost: orch\r\n'),
    churn('churn-tcp', ['held', 'cut'], 100, async (attacker) => {
      const connection = await attacker.openTcp();
      attacker.tally.add(connection ? 'held' : 'cut');
      connection?.close();
    }),
    churn('churn-tcp-resets', ['held', 'cut'], 100, async (attacker) => {
      const connection = await attacker.openTcp();
      attacker.tally.add(connection ? 'held' : 'cut');
      connection?.reset();
    }),
    churn('churn-half-hello', ['held', 'cut'], 100, async (attacker) => {
      const connection = await attacker.openTcp();
      attacker.tally.add(connection ? 'held' : 'cut');
      await connection?.flush(halfHello);
      connection?.close();
    }),
    churn('churn-tls', ['held', 'cut'], 30, visitTls({})),
    churn('churn-tls-resets', ['held', 'cut'], 30, visitTls({}, 'reset')),
    churn('churn-tls-authenticated', ['held', 'cut'], 30, visitTls({user: 'tenant'})),
    churn('churn-tls-1.2', ['held', 'cut'], 30, visitTls({tls: {maxVersion: 'TLSv1.2'}})),
    churn(
      'churn-alpn',
      ['held', 'cut'],
      30,
      visitTls({tls: {ALPNProtocols: Array.from({length: 200}, (_, number) => `protocol-${number}`)}}),
    ),
    churn(
      'churn-long-sni',
      ['held', 'cut'],
      30,
      visitTls({tls: {servername: `${'a'.repeat(60)}.`.repeat(4).slice(0, 250), checkServerIdentity: () => undefined}}),
    ),
    churn('connection-for-each-request', [200], 30, async (attacker) => {
      const connection = await attacker.open();
      await connection?.ask(health).catch(() => undefined);
      connection?.close();
    }),
    {
      name: 'renegotiation',
      outcomes: ['cut', 'held'],
      async run(attacker) {
        const opened = await attacker.openMany(20, () => attacker.open({tls: {maxVersion: 'TLSv1.2', rejectUnauthorized: false}}));
        for (const connection of opened) {
          const again = () => {
            if (connection.isClosed) return;
            (connection.socket as TLSSocket).renegotiate({rejectUnauthorized: false}, (error) => error === null && again());
          };
          again();
        }
        await attacker.hold(opened);
      },
    },
    {
      name: 'tiny-records',
      outcomes: [200, 'cut', 431],
      seconds: 4,
      async run(attacker) {
        const opened = await attacker.openMany(10, () => attacker.open());
        const request = Buffer.from(`GET /readyz HTTP/1.1\r\nHost: orch\r\nX-Long: ${'x'.repeat(1_000)}\r\n\r\n`);
        await Promise.all(
          opened.map(async (connection) => {
            for (let round = 0; round < 5 && !attacker.isOver; round++)
              for (let at = 0; at < request.length && !attacker.isOver; at++) await connection.flush(request.subarray(at, at + 1));
          }),
        );
        await sleep(100);
      },
    },
    {
      name: 'empty-lines',
      outcomes: [200, 400, 'cut'],
      async run(attacker) {
        const opened = await attacker.openMany(10, () => attacker.open());
        for (const connection of opened) connection.write(Buffer.concat([Buffer.alloc(2_000_000, '\r\n'), health]));
        await attacker.hold();
      },
    },
    {
      name: 'half-closed-behind-request',
      outcomes: [200],
      async run(attacker) {
        const opened = await attacker.openMany(300, () => attacker.open(), 20);
        for (const connection of opened) connection.socket.end(health);
        await attacker.hold();
        await attacker.hear(opened);
      },
    },
    {
      name: 'half-closed-behind-watch',
      outcomes: [200],
      async run(attacker) {
        const watch = requestText('GET', `${attacker.path('configmaps')}?watch=1`);
        const opened = await attacker.openMany(200, () => attacker.open({user: 'tenant'}), 20);
        // Half of them at once: the server may see the end before it has begun to answer. The others when the watch stands.
        const later = opened.filter((_connection, number) => number % 2 === 0);
        for (const connection of opened) connection.write(watch);
        for (const connection of opened) if (!later.includes(connection)) connection.socket.end();
        await attacker.hear(later);
        for (const connection of later) connection.socket.end();
        await attacker.hold();
        await attacker.hear(opened);
      },
    },
    {
      name: 'half-closed-in-body',
      outcomes: ['cut', 400],
      async run(attacker) {
        const head = `POST ${attacker.path('configmaps')} HTTP/1.1\r\nHost: orch\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`;
        const opened = await attacker.openMany(200, () => attacker.open({user: 'tenant'}), 20);
        for (const connection of opened) connection.socket.end(head);
        await attacker.hold();
        await attacker.hear(opened);
      },
    },
    {
      name: 'resets-in-answer',
      outcomes: [200],
      prepare: largeLists,
      async run(attacker) {
        const list = requestText('GET', attacker.path('configmaps'));
        await attacker.repeat(200, 10, async () => {
          const connection = await attacker.open({user: 'tenant'});
          if (!connection) return;
          connection.write(list);
          await Promise.race([new Promise((resolve) => connection.socket.once('data', resolve)), sleep(1000)]);
          connection.reset();
        });
      },
    },
    {
      name: 'resets-before-answer',
      outcomes: ['held'],
      prepare: largeLists,
      async run(attacker) {
        const list = requestText('GET', attacker.path('configmaps'));
        await attacker.repeat(400, 10, async () => {
          const connection = await attacker.open({user: 'tenant', deaf: true});
          if (!connection) return;
          await connection.flush(list);
          connection.reset();
          attacker.tally.add('held');
        });
      },
    },
    {
      name: 'resets-in-body',
      outcomes: ['held'],
      async run(attacker) {
        const head = `POST ${attacker.path('configmaps')} HTTP/1.1\r\nHost: orch\r\nContent-Type: application/json\r\nContent-Length: 2000000\r\n\r\n`;
        const part = Buffer.concat([Buffer.from(head), Buffer.alloc(1_000_000, ' ')]);
        await attacker.repeat(200, 10, async () => {
          const connection = await attacker.open({user: 'tenant'});
          await connection?.flush(part);
          connection?.reset();
          attacker.tally.add('held');
        });
      },
    },
  ],
  {storeless: true},
);
