import {once} from 'node:events';
import {duplexPair, type Duplex} from 'node:stream';
import {constants, deflateSync} from 'node:zlib';
import test from 'ava';
import {headerDictionary} from '../../../../plugins/controllers/simulated-nodes/agent/spdy/header-dictionary.js';
import {serveSpdy, type SpdyStream} from '../../../../plugins/controllers/simulated-nodes/agent/spdy/spdy-session.js';

function frame(type: number, body: Buffer, flags = 0): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16BE(0x8003, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt32BE(flags * 2 ** 24 + body.length, 4);
  return Buffer.concat([head, body]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const text = (value: string) => Buffer.concat([number(value.length), Buffer.from(value)]);

/** Opens a stream: the first of a connection, as the headers of all are packed together. */
function opening(id: number, headers: Readonly<Record<string, string>>): Buffer {
  const pairs = Object.entries(headers);
  const block = Buffer.concat([number(pairs.length), ...pairs.flatMap(([name, value]) => [text(name), text(value)])]);
  return frame(1, Buffer.concat([number(id), number(0), Buffer.alloc(2), packed(block)]));
}

function packed(block: Buffer): Buffer {
  return deflateSync(block, {dictionary: headerDictionary, finishFlush: constants.Z_SYNC_FLUSH});
}

interface Connection {
  readonly client: Duplex;
  readonly streams: SpdyStream[];
  readonly over: Promise<void>;
  received(): Buffer;
}

function connect(): Connection {
  const [client, server] = duplexPair();
  const streams: SpdyStream[] = [];
  const over = serveSpdy(server, (stream) => void streams.push(stream));
  const parts: Buffer[] = [];
  client.on('data', (part: Buffer) => parts.push(part)).on('error', () => undefined);
  return {client, streams, over, received: () => Buffer.concat(parts)};
}

test('a client opens a stream and gets what is written to it; pings come back', async (t) => {
  const {client, streams, over, received} = connect();
  const bytes = Buffer.concat([opening(1, {streamType: 'data', port: '80'}), frame(6, number(7))]);
  // In pieces of any size.
  for (const byte of bytes) client.write(Buffer.from([byte]));
  const pong = frame(6, number(7));
  while (!received().subarray(-pong.length).equals(pong)) await once(client, 'data');
  client.end();
  await over;
  t.deepEqual(
    [...streams[0]!.headers],
    [
      ['streamtype', 'data'],
      ['port', '80'],
    ],
  );
  const answer = received();
  t.is(answer.readUInt16BE(2), 2, 'the stream is accepted');
  t.is(answer.readUInt32BE(8), 1);
});

const hostile: readonly (readonly [what: string, bytes: Buffer])[] = [
  ['is no SPDY', Buffer.from('GET / HTTP/1.1\r\nHost: pod\r\n\r\n')],
  ['has another version', frame(1, Buffer.alloc(20)).fill(2, 1, 2)],
  ['announces a frame that is too large', Buffer.concat([Buffer.from([0x80, 3, 0, 1, 0, 0xff, 0xff, 0xff])])],
  ['has headers that are no zlib', frame(1, Buffer.alloc(40, 7))],
  [
    'has a block of headers that is too large when it is unpacked',
    frame(1, Buffer.concat([Buffer.alloc(10), packed(Buffer.alloc(10_000_000))])),
  ],
  ['has more headers than a block may have', frame(1, Buffer.concat([Buffer.alloc(10), packed(number(1_000_000))]))],
  ['has a header that ends too early', frame(1, Buffer.concat([Buffer.alloc(10), packed(Buffer.concat([number(1), number(100)]))]))],
  ['has a frame for a stream that is too short', frame(1, Buffer.alloc(4))],
];

for (const [what, bytes] of hostile) {
  test(`a connection is closed that ${what}`, async (t) => {
    const {client, streams, over} = connect();
    client.write(bytes);
    await over;
    t.deepEqual(streams, []);
  });
}
