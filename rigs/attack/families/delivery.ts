import {brotliCompressSync, deflateSync, gzipSync} from 'node:zlib';
import {family, type Attack} from '../attack.js';
import type {Attacker} from '../client/attacker.js';
import {bodyAttack, largeBody} from './body-attack.js';

const head = (attacker: Attacker, ...lines: string[]) =>
  [`POST ${attacker.path('configmaps')} HTTP/1.1`, 'Host: orch', 'Content-Type: application/json', ...lines, '', ''].join('\r\n');

const object = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"made-"},"data":{"a":"b"}}';
const zeros = () => Buffer.alloc(200_000_000);

/** Connections that begin a body and send of it one part after the other. */
const slow = (
  name: string,
  count: number,
  lines: readonly string[],
  parts: readonly (string | Buffer)[],
  pauseMillis: number,
  outcomes: Attack['outcomes'],
): Attack => ({
  name,
  outcomes,
  seconds: 3,
  async run(attacker) {
    const connections = await attacker.openMany(count, () => attacker.open({user: 'tenant'}), 20);
    for (const connection of connections) connection.write(head(attacker, ...lines));
    await attacker.drip(connections, parts, pauseMillis);
  },
});

/** One large body after the other, written without waiting. */
const endless = (name: string, lines: readonly string[], part: Buffer, connectionCount: number, outcomes: Attack['outcomes']): Attack => ({
  name,
  outcomes,
  async run(attacker) {
    await attacker.repeat(connectionCount, connectionCount, async () => {
      const connection = await attacker.open({user: 'tenant'});
      connection?.write(head(attacker, ...lines));
      while (connection && !connection.isClosed && !attacker.isOver) await Promise.race([connection.flush(part), attacker.hold()]);
      if (connection) await attacker.hear([connection]);
    });
  },
});

const chunk = (bytes: Buffer) => Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
const encoded = (name: string, encoding: string, body: () => Buffer) =>
  bodyAttack({
    name,
    path: (attacker) => attacker.path('configmaps'),
    headers: [`Content-Encoding: ${encoding}`],
    body,
    outcomes: [201, 400, 413, 415],
  });

export const delivery = family(
  'delivery',
  [
    slow('slow-bodies', 300, ['Content-Length: 100000'], Array<string>(3).fill('{'), 1000, ['held', 'cut', 408, 429]),
    slow('slow-chunks', 300, ['Transfer-Encoding: chunked'], Array<string>(3).fill('1\r\n \r\n'), 1000, ['held', 'cut', 408, 429]),
    slow('no-body-at-all', 300, ['Content-Length: 3000000'], [], 0, ['held', 'cut', 408, 429]),
    slow('expect-continue', 300, ['Content-Length: 3000000', 'Expect: 100-continue'], [], 0, [100, 'held', 'cut', 429]),
    slow('all-but-the-last-byte', 100, [`Content-Length: ${largeBody}`], [Buffer.alloc(largeBody - 1, ' ')], 0, ['held', 'cut', 429, 413]),
    slow('all-but-the-last-byte-of-a-megabyte', 300, ['Content-Length: 1000000'], [Buffer.alloc(999_999, ' ')], 0, [
      'held',
      'cut',
      429,
      413,
    ]),
    endless('endless-chunks', ['Transfer-Encoding: chunked'], chunk(Buffer.alloc(256 * 1024, ' ')), 20, [413, 'cut']),
    endless('endless-tiny-chunks', ['Transfer-Encoding: chunked'], Buffer.alloc(6 * 20_000, '1\r\n \r\n'), 20, [413, 'cut', 'held', 400]),
    endless(
      'endless-chunk-extension',
      ['Transfer-Encoding: chunked'],
      Buffer.concat([Buffer.from('1;'), Buffer.alloc(256 * 1024, 'x')]),
      10,
      [400, 413, 'cut', 431],
    ),
    endless(
      'endless-trailers',
      ['Transfer-Encoding: chunked'],
      Buffer.concat([Buffer.from('0\r\n'), Buffer.alloc(7 * 20_000, 'X: ab\r\n')]),
      10,
      [400, 413, 'cut', 431, 201],
    ),
    endless('beyond-length', ['Content-Length: 100'], Buffer.alloc(256 * 1024, ' '), 10, [400, 'cut']),
    bodyAttack({
      name: 'announced-too-large',
      path: (attacker) => attacker.path('configmaps'),
      body: () => Buffer.alloc(20_000_000, ' '),
      times: 20,
      atATime: 5,
      outcomes: [413, 'cut'],
    }),
    encoded('gzip', 'gzip', () => gzipSync(object)),
    encoded('gzip-bomb', 'gzip', () => gzipSync(zeros(), {level: 9})),
    encoded('gzip-of-gzip', 'gzip, gzip', () => gzipSync(gzipSync(zeros()))),
    encoded('gzip-broken', 'gzip', () => gzipSync(object).subarray(0, 20)),
    encoded('gzip-not', 'gzip', () => Buffer.from(object)),
    encoded('deflate-bomb', 'deflate', () => deflateSync(zeros())),
    encoded('brotli-bomb', 'br', () => brotliCompressSync(Buffer.alloc(20_000_000))),
    encoded('unknown-encodings', Array.from({length: 1000}, (_, number) => `x${number}`).join(', '), () => Buffer.from(object)),
    {
      name: 'body-of-get',
      outcomes: [200],
      run: (attacker) =>
        attacker.repeat(20, 5, () => attacker.call('GET', attacker.path('configmaps'), {body: Buffer.alloc(largeBody, ' ')})),
    },
    {
      name: 'body-of-watch',
      outcomes: [200],
      async run(attacker) {
        const opened = await attacker.openMany(20, () => attacker.open({user: 'tenant'}));
        for (const connection of opened)
          connection.write(`GET ${attacker.path('configmaps')}?watch=1 HTTP/1.1\r\nHost: orch\r\nContent-Length: 100000000\r\n\r\n`);
        const part = Buffer.alloc(256 * 1024, ' ');
        await Promise.all(
          opened.map(async (connection) => {
            while (!connection.isClosed && !attacker.isOver) await Promise.race([connection.flush(part), attacker.hold()]);
          }),
        );
      },
    },
    bodyAttack({
      name: 'body-of-health',
      method: 'POST',
      path: () => '/readyz',
      user: 'anonymous',
      body: () => Buffer.alloc(largeBody, ' '),
      times: 50,
      atATime: 10,
      outcomes: [405, 403],
    }),
    bodyAttack({
      name: 'anonymous-bodies',
      path: (attacker) => attacker.path('configmaps'),
      user: 'anonymous',
      body: () => Buffer.alloc(largeBody, ' '),
      times: 50,
      atATime: 10,
      outcomes: [403, 401],
    }),
    bodyAttack({
      name: 'delete-options',
      method: 'DELETE',
      path: (attacker) => `${attacker.path('configmaps')}/none`,
      body: () => `{"kind":"DeleteOptions","preconditions":{"uid":"${'x'.repeat(largeBody)}"}}`,
      outcomes: [404, 400, 413],
    }),
  ],
  {storeless: true},
);
