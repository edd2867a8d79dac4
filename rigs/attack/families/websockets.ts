import {randomBytes} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import {family, type Attack} from '../attack.js';
import type {Attacker} from '../client/attacker.js';
import type {Connection} from '../client/connection.js';
import {requestText} from '../client/request-text.js';
import {configMap, configMaps} from './objects.js';

const collection = (attacker: Attacker) => attacker.path('configmaps');

function handshake(path: string, ...more: string[]): Buffer {
  return requestText('GET', path, {
    headers: [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      ...more,
    ],
  });
}

/** A frame of the protocol. `announced` is the length that it claims, that of the payload by default. */
function frame(
  opcode: number,
  payload: Buffer,
  {final = true, masked = true, announced = BigInt(payload.length), reserved = 0} = {},
): Buffer {
  const head = Buffer.alloc(10);
  head[0] = (final ? 0x80 : 0) | reserved | opcode;
  head[1] = (masked ? 0x80 : 0) | 127;
  head.writeBigUInt64BE(announced, 2);
  const mask = Buffer.alloc(masked ? 4 : 0);
  return Buffer.concat([head, mask, payload]);
}

/** Opens watches over WebSockets. */
async function openSockets(
  attacker: Attacker,
  count: number,
  request = handshake(`${collection(attacker)}?watch=1`),
  deaf = false,
): Promise<Connection[]> {
  return attacker.openMany(
    count,
    async () => {
      const connection = await attacker.open({user: 'tenant', deaf});
      connection?.write(request);
      return connection;
    },
    20,
  );
}

/** Sockets on which something is sent again and again. */
const sending = (name: string, count: number, bytes: () => Buffer, outcomes: Attack['outcomes'] = [101]): Attack => ({
  name,
  outcomes,
  async run(attacker) {
    const opened = await openSockets(attacker, count);
    await sleep(100);
    const part = bytes();
    await Promise.all(
      opened.map(async (connection) => {
        while (!connection.isClosed && !attacker.isOver) await Promise.race([connection.flush(part), attacker.hold()]);
      }),
    );
  },
});

const upgrade = (name: string, request: (attacker: Attacker) => Buffer, outcomes: Attack['outcomes']): Attack => ({
  name,
  outcomes,
  async run(attacker) {
    await openSockets(attacker, 200, request(attacker));
    await sleep(300);
  },
});

async function changing(attacker: Attacker): Promise<void> {
  for (let number = 0; !attacker.isOver; number++) {
    await attacker.call('PATCH', `${collection(attacker)}/changing`, {
      type: 'application/merge-patch+json',
      body: `{"data":{"text":"${number}-${'x'.repeat(100_000)}"}}`,
    });
    await sleep(20);
  }
}

export const webSockets = family(
  'websockets',
  [
    sending('large-frames', 20, () => frame(2, Buffer.alloc(200_000))),
    sending('announced-length', 50, () => frame(2, Buffer.alloc(100), {announced: 2n ** 62n})),
    sending('announced-length-negative', 50, () => frame(2, Buffer.alloc(100), {announced: 2n ** 64n - 1n})),
    sending('endless-fragments', 20, () =>
      Buffer.concat([
        frame(1, Buffer.alloc(1), {final: false}),
        ...Array.from({length: 5000}, () => frame(0, Buffer.alloc(1), {final: false})),
      ]),
    ),
    sending('empty-fragments', 20, () =>
      Buffer.concat([
        frame(1, Buffer.alloc(0), {final: false}),
        ...Array.from({length: 5000}, () => frame(0, Buffer.alloc(0), {final: false})),
      ]),
    ),
    sending('small-messages', 20, () => Buffer.concat(Array.from({length: 5000}, () => frame(1, Buffer.from('hello'))))),
    sending('empty-messages', 20, () => Buffer.concat(Array.from({length: 5000}, () => frame(1, Buffer.alloc(0))))),
    sending('pings', 20, () => Buffer.concat(Array.from({length: 2000}, () => frame(9, Buffer.alloc(125))))),
    sending('pongs', 20, () => Buffer.concat(Array.from({length: 2000}, () => frame(10, Buffer.alloc(125))))),
    sending('unmasked', 50, () => frame(1, Buffer.from('hello'), {masked: false})),
    sending('reserved-bits', 50, () => frame(1, Buffer.from('hello'), {reserved: 0x70})),
    sending('unknown-opcodes', 50, () => frame(7, Buffer.from('hello'))),
    sending('long-pings', 50, () => frame(9, Buffer.alloc(60_000))),
    sending('no-utf-8', 50, () => frame(1, Buffer.alloc(50_000, 0xc3))),
    sending('continuation-of-nothing', 50, () => frame(0, Buffer.from('hello'))),
    sending('close-again-and-again', 50, () => Buffer.concat(Array.from({length: 2000}, () => frame(8, Buffer.from([3, 232]))))),
    sending('garbage', 50, () => randomBytes(64 * 1024)),
    sending('half-a-frame', 200, () => Buffer.of(0x81)),
    {
      name: 'pings-never-read',
      outcomes: [101, 'cut'],
      async run(attacker) {
        const opened = await openSockets(attacker, 20, undefined, true);
        const part = Buffer.concat(Array.from({length: 2000}, () => frame(9, Buffer.alloc(125))));
        await Promise.all(
          opened.map(async (connection) => {
            while (!connection.isClosed && !attacker.isOver) await Promise.race([connection.flush(part), attacker.hold()]);
          }),
        );
        await attacker.hear(opened);
      },
    },
    {
      name: 'never-read',
      outcomes: [101],
      seconds: 4,
      leavesMegabytes: 64,
      prepare: (attacker) => attacker.make(collection(attacker), configMap('changing')),
      async run(attacker) {
        const opened = await openSockets(attacker, 100, undefined, true);
        await changing(attacker);
        await attacker.hear(opened);
      },
    },
    {
      name: 'never-read-of-large-state',
      outcomes: [101],
      seconds: 3,
      prepare: (attacker) => attacker.makeAll(collection(attacker), configMaps(40, 50_000)),
      async run(attacker) {
        const opened = await openSockets(attacker, 100, undefined, true);
        await attacker.hold();
        await attacker.hear(opened);
      },
    },
    {
      name: 'half-closed',
      outcomes: [101],
      async run(attacker) {
        const opened = await openSockets(attacker, 200);
        await sleep(100);
        for (const {socket} of opened) socket.end();
        await attacker.hold();
      },
    },
    {
      name: 'churn',
      outcomes: [101],
      run: (attacker) =>
        attacker.repeat(1000, 10, async () => {
          const [connection] = await openSockets(attacker, 1);
          if (!connection) return;
          await Promise.race([new Promise((resolve) => connection.socket.once('data', resolve)), sleep(500)]);
          connection.reset();
        }),
    },
    upgrade('of-a-list', (attacker) => handshake(collection(attacker)), [200, 400]),
    upgrade('of-health', () => handshake('/readyz'), [200]),
    upgrade('of-nothing', () => handshake('/nothing'), [403, 404]),
    upgrade(
      'bad-key',
      (attacker) =>
        requestText('GET', `${collection(attacker)}?watch=1`, {
          headers: ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: short'],
        }),
      [400, 'cut'],
    ),
    upgrade(
      'no-version',
      (attacker) =>
        requestText('GET', `${collection(attacker)}?watch=1`, {
          headers: ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='],
        }),
      [400, 426, 'cut'],
    ),
    upgrade(
      'many-protocols',
      (attacker) =>
        handshake(
          `${collection(attacker)}?watch=1`,
          `Sec-WebSocket-Protocol: ${Array.from({length: 5000}, (_, number) => `p${number}`).join(', ')}`,
        ),
      [101, 400, 431],
    ),
    upgrade(
      'same-protocol',
      (attacker) => handshake(`${collection(attacker)}?watch=1`, `Sec-WebSocket-Protocol: ${Array(10_000).fill('p').join(', ')}`),
      [400, 431],
    ),
    upgrade(
      'many-extensions',
      (attacker) =>
        handshake(
          `${collection(attacker)}?watch=1`,
          `Sec-WebSocket-Extensions: ${Array(2000).fill('permessage-deflate; client_max_window_bits=15').join(', ')}`,
        ),
      [101, 400, 431],
    ),
    upgrade(
      'foreign-origin',
      (attacker) => handshake(`${collection(attacker)}?watch=1`, 'Origin: https://elsewhere.example'),
      [400, 403, 101],
    ),
    upgrade(
      'frames-behind-the-handshake',
      (attacker) => Buffer.concat([handshake(`${collection(attacker)}?watch=1`), frame(2, Buffer.alloc(500_000))]),
      [101, 'cut'],
    ),
    upgrade(
      'exec-of-no-pod',
      (attacker) => handshake(`${attacker.path('pods')}/none/exec?command=x`, 'Sec-WebSocket-Protocol: v4.channel.k8s.io'),
      [404],
    ),
  ],
  {storeless: true},
);
