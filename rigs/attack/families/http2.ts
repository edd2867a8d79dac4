import {
  block,
  data,
  flags,
  frame,
  header,
  indexed,
  opening,
  ping,
  preface,
  request,
  requestHeaders,
  reset,
  settings,
  tableSize,
  windowUpdate,
  type Headers,
} from '../../../test/helpers/http2-frames.js';
import {family, type Attack} from '../attack.js';
import type {Attacker} from '../client/attacker.js';
import type {Connection, ConnectOptions} from '../client/connection.js';
import {configMaps} from './objects.js';

const head = (headers: Buffer, stream: number, flag: number) => frame('headers', flag, stream, headers);
const wholeHead = flags.endHeaders | flags.endStream;
const largeLists = (attacker: Attacker) => attacker.makeAll(attacker.path('configmaps'), configMaps(20, 50_000));
/** Numbers of the streams that a client begins. */
const streams = (count: number, first = 0) => Array.from({length: count}, (_, number) => 1 + 2 * (first + number));

interface Flood {
  readonly name: string;
  readonly outcomes: Attack['outcomes'];
  readonly connections?: number;
  readonly seconds?: number;
  readonly connect?: ConnectOptions;
  readonly begin?: (attacker: Attacker) => Buffer;
  /** What is sent again and again. @param round of this connection, from 0 */
  readonly part: (attacker: Attacker, round: number) => Buffer;
  readonly prepare?: Attack['prepare'];
}

/** Sends as fast as the server takes it, over a new connection when one is cut. */
const flood = ({name, outcomes, connections = 10, seconds = 2, connect = {}, begin, part, prepare}: Flood): Attack => ({
  name,
  outcomes,
  seconds,
  ...(prepare ? {prepare} : {}),
  async run(attacker) {
    const opened: Connection[] = [];
    await attacker.repeat(Infinity, connections, async () => {
      const connection = await attacker.open({user: 'tenant', http2: opening(), ...connect});
      if (!connection) return;
      opened.push(connection);
      if (begin) await connection.flush(begin(attacker));
      for (let round = 0; !connection.isClosed && !attacker.isOver; round += 1)
        await Promise.race([connection.flush(part(attacker, round)), attacker.hold()]);
      attacker.tally.add('held');
    });
    await attacker.hear(opened.filter(({isClosed}) => !isClosed));
  },
});

/** Connections that begin something and wait for what comes of it. */
const begun = (
  name: string,
  count: number,
  outcomes: Attack['outcomes'],
  text: (attacker: Attacker) => Buffer,
  more: Pick<Attack, 'prepare' | 'seconds'> & {readonly connect?: ConnectOptions} = {},
): Attack => ({
  name,
  outcomes,
  seconds: more.seconds ?? 4,
  ...(more.prepare ? {prepare: more.prepare} : {}),
  async run(attacker) {
    const opened = await attacker.openMany(count, () => attacker.open({user: 'tenant', http2: opening(), ...more.connect}), 20);
    for (const connection of opened) connection.write(text(attacker));
    await attacker.hold(opened);
  },
});

const many = (bytes: Buffer, count = 500) => Buffer.concat(Array.from({length: count}, () => bytes));
const repeated = (name: string, bytes: Buffer, outcomes: Attack['outcomes'] = ['cut']) => {
  const part = many(bytes);
  return flood({name, outcomes, part: () => part});
};

/** Requests with headers that no request has. */
const oddHeaders: readonly Headers[] = [
  [['connection', 'keep-alive, x']],
  [['transfer-encoding', 'chunked']],
  [['te', 'gzip']],
  [['upgrade', 'websocket']],
  [['X-Big', 'x']],
  [['x-a', 'b\r\nhost: other\r\n\r\nGET / HTTP/1.1']],
  [[':path', '/other']],
  [['content-length', '5']],
  [['host', 'other']],
  [['x\0', 'y']],
];

export const http2 = family(
  'http2',
  [
    flood({
      name: 'rapid-reset',
      outcomes: ['cut'],
      part: (attacker, round) =>
        Buffer.concat(
          streams(100, 100 * round).map((stream) => Buffer.concat([request(stream, 'GET', attacker.path('configmaps')), reset(stream)])),
        ),
      prepare: largeLists,
    }),
    {
      name: 'resets-behind-answers-begun',
      outcomes: [200, 'cut'],
      seconds: 3,
      prepare: largeLists,
      async run(attacker) {
        await attacker.repeat(Infinity, 10, async () => {
          const connection = await attacker.open({user: 'tenant', http2: opening()});
          for (let round = 0; connection && !connection.isClosed && !attacker.isOver; round += 1) {
            const numbers = streams(50, 50 * round);
            await connection.flush(Buffer.concat(numbers.map((stream) => request(stream, 'GET', attacker.path('configmaps')))));
            await new Promise((resolve) => setTimeout(resolve, 5));
            await connection.flush(Buffer.concat(numbers.map((stream) => reset(stream))));
          }
        });
      },
    },
    flood({
      name: 'made-you-reset-by-length',
      outcomes: ['cut'],
      part: (attacker, round) =>
        Buffer.concat(
          streams(100, 100 * round).map((stream) =>
            Buffer.concat([request(stream, 'POST', attacker.path('configmaps'), [['content-length', '1']], true), data(stream, 'xx')]),
          ),
        ),
    }),
    flood({
      name: 'made-you-reset-by-window',
      outcomes: ['cut'],
      part: (attacker, round) =>
        Buffer.concat(
          streams(100, 100 * round).map((stream) =>
            Buffer.concat([request(stream, 'GET', attacker.path('configmaps')), windowUpdate(stream, 2 ** 31 - 1)]),
          ),
        ),
    }),
    repeated('ping-flood', ping),
    repeated('settings-flood', settings({initialWindowSize: 70_000})),
    repeated('table-sizes-in-settings', Buffer.concat([settings({headerTableSize: 0}), settings({headerTableSize: 65_536})])),
    repeated('window-update-flood', windowUpdate(0, 1)),
    repeated('unknown-frames', frame(0x77, flags.none, 0, Buffer.alloc(16))),
    flood({
      name: 'priority-flood',
      outcomes: ['cut'],
      part: (_attacker, round) =>
        Buffer.concat(
          streams(500).map((stream) => {
            const on = Buffer.alloc(5);
            on.writeUInt32BE(1 + 2 * ((stream * 7 + round) % 500), 0);
            return frame('priority', flags.none, stream, on);
          }),
        ),
    }),
    flood({
      name: 'empty-data',
      outcomes: ['cut'],
      begin: (attacker) => request(1, 'POST', attacker.path('configmaps'), [], true),
      part: () => many(data(1)),
    }),
    flood({
      name: 'continuation-flood',
      outcomes: ['cut'],
      begin: (attacker) => head(block(requestHeaders('GET', attacker.path('configmaps'))), 1, flags.endStream),
      part: () => many(frame('continuation', flags.none, 1, header('x-a', 'b'))),
    }),
    flood({
      name: 'empty-continuations',
      outcomes: ['cut'],
      begin: (attacker) => head(block(requestHeaders('GET', attacker.path('configmaps'))), 1, flags.endStream),
      part: () => many(frame('continuation', flags.none, 1)),
    }),
    begun('half-heads', 300, ['held', 'cut'], () => head(header('x-long', 'x'.repeat(15_000)), 1, flags.endStream)),
    flood({
      name: 'hpack-bomb',
      outcomes: [431, 'cut'],
      part: (attacker, round) =>
        Buffer.concat(
          streams(50, 50 * round).map((stream, number) =>
            head(
              Buffer.concat([
                block(requestHeaders('GET', attacker.path('configmaps'))),
                ...(round === 0 && number === 0 ? [header('x-bomb', 'x'.repeat(3_900), true)] : []),
                many(indexed(0), 10_000),
              ]),
              stream,
              wholeHead,
            ),
          ),
        ),
    }),
    flood({
      name: 'table-sizes-in-heads',
      outcomes: [200, 'cut'],
      part: (attacker, round) =>
        Buffer.concat(
          streams(50, 50 * round).map((stream) =>
            head(
              Buffer.concat([
                tableSize(0),
                tableSize(4096),
                block(requestHeaders('GET', attacker.path('configmaps'))),
                header('x-a', 'b', true),
              ]),
              stream,
              wholeHead,
            ),
          ),
        ),
    }),
    flood({
      name: 'ten-thousand-headers',
      outcomes: [431, 'cut'],
      part: (attacker, round) =>
        Buffer.concat(
          streams(5, 5 * round).map((stream) =>
            head(
              Buffer.concat([block(requestHeaders('GET', attacker.path('configmaps'))), many(header('a', ''), 4_000)]),
              stream,
              wholeHead,
            ),
          ),
        ),
    }),
    begun(
      'windows-never-opened',
      50,
      [200, 'cut', 'held', 429],
      (attacker) => Buffer.concat(streams(100).map((stream) => request(stream, 'GET', attacker.path('configmaps')))),
      {prepare: largeLists, connect: {http2: opening({initialWindowSize: 0})}},
    ),
    begun(
      'nothing-taken-from-the-socket',
      50,
      ['held', 'cut', 200],
      (attacker) => Buffer.concat(streams(100).map((stream) => request(stream, 'GET', attacker.path('configmaps')))),
      {prepare: largeLists, connect: {deaf: true}},
    ),
    flood({
      name: 'windows-of-one-byte',
      outcomes: [200, 'cut', 'held'],
      connect: {http2: opening({initialWindowSize: 0})},
      begin: (attacker) => Buffer.concat(streams(50).map((stream) => request(stream, 'GET', attacker.path('configmaps')))),
      part: () => Buffer.concat(streams(50).map((stream) => windowUpdate(stream, 1))),
      prepare: largeLists,
    }),
    begun(
      'watches-that-are-not-read',
      20,
      [200, 'held', 'cut', 429],
      (attacker) => Buffer.concat(streams(100).map((stream) => request(stream, 'GET', `${attacker.path('configmaps')}?watch=1`))),
      {prepare: largeLists, connect: {deaf: true}},
    ),
    begun('bodies-nobody-reads', 100, [200, 'held', 'cut', 429], (attacker) =>
      Buffer.concat(
        streams(100).map((stream) =>
          Buffer.concat([
            request(stream, 'GET', `${attacker.path('configmaps')}?watch=1`, [], true),
            many(data(stream, Buffer.alloc(15_000)), 4),
          ]),
        ),
      ),
    ),
    flood({
      name: 'crumbs-nobody-reads',
      outcomes: ['cut', 'held', 429],
      begin: (attacker) =>
        Buffer.concat(
          streams(100).map((stream) =>
            Buffer.concat([
              request(stream, 'GET', `${attacker.path('configmaps')}?watch=1`, [], true),
              many(data(stream, Buffer.alloc(15_000)), 4),
            ]),
          ),
        ),
      part: () => Buffer.concat(streams(100).map((stream) => data(stream, 'x'))),
    }),
    flood({
      name: 'odd-headers',
      outcomes: ['cut', 400],
      part: (attacker, round) =>
        Buffer.concat(
          oddHeaders.map((more, number) => request(1 + 2 * (number + oddHeaders.length * round), 'GET', attacker.path('configmaps'), more)),
        ),
    }),
    flood({
      name: 'streams-begun-again',
      outcomes: ['cut'],
      part: (attacker) => Buffer.concat([3, 3, 1, 2].map((stream) => request(stream, 'GET', attacker.path('configmaps')))),
    }),
    begun('settings-never-acknowledged', 500, ['held', 'cut'], () => Buffer.alloc(0), {
      connect: {user: 'anonymous', http2: Buffer.concat([preface, settings()])},
    }),
    begun('no-preface', 300, ['held', 'cut'], () => Buffer.alloc(0), {connect: {user: 'anonymous', http2: preface.subarray(0, 10)}}),
  ],
  {storeless: true, flags: ['--disable-http2-serving=false']},
);
