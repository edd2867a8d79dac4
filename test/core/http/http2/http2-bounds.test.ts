import test from 'ava';
import type {TLSSocket} from 'node:tls';
import type {Exchange} from '../../../../core/http/request/exchange.js';
import {respondText} from '../../../../core/http/response/respond.js';
import {gone, startBareServer, type BareServer} from '../../../helpers/bare-server.js';
import {eventually, until} from '../../../helpers/eventually.js';
import {
  block,
  data,
  flags,
  frame,
  FrameReader,
  frameTypes,
  opening,
  ping,
  request,
  preface,
  requestHeaders,
  reset,
  settings,
  statusOf,
  windowUpdate,
  type Frame,
  type FrameType,
} from '../../../helpers/http2-frames.js';

interface RawClient {
  readonly socket: TLSSocket;
  readonly frames: readonly Frame[];
  of(type: FrameType, stream?: number): Frame | undefined;
  status(stream: number): Promise<number>;
}

/** A connection on which a test writes frames. */
async function rawClient(server: BareServer, begin: Buffer = opening()): Promise<RawClient> {
  const socket = await server.connect({ALPNProtocols: ['h2']});
  const frames: Frame[] = [];
  const reader = new FrameReader((found) => frames.push(found));
  socket.on('data', (chunk: Buffer) => reader.take(chunk));
  socket.write(begin);
  const of = (type: FrameType, stream?: number) =>
    frames.find((found) => found.type === frameTypes[type] && (stream === undefined || found.stream === stream));
  return {
    socket,
    frames,
    of,
    status: async (stream) => statusOf((await until(`an answer on stream ${stream}`, () => of('headers', stream))).payload),
  };
}

const answering = async (exchange: Exchange) => respondText(exchange, 200, 'x');
/** Never answers. */
const holding = (held: Exchange[] = []) => [held, async (exchange: Exchange) => void held.push(exchange)] as const;

const acted = (server: BareServer, limit: string) =>
  until(`${limit} acts`, () => server.logged.some(({fields}) => fields['limit'] === limit));

function words(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

test('a client is told how many streams it may have, and further ones are refused', async (t) => {
  const [held, hold] = holding();
  const server = await startBareServer(t, hold, {http2MaxStreamsPerConnection: 3});
  // Whoever knows the bound and exceeds it is cut.
  const client = await rawClient(server, Buffer.concat([preface, settings()]));
  const told = await until('settings', () => client.of('settings'));
  t.true(told.payload.includes(Buffer.from([0, 3, 0, 0, 0, 3])));
  client.socket.write(Buffer.concat([1, 3, 5, 7].map((stream) => request(stream, 'GET', '/'))));
  const refused = await until('a refusal', () => client.of('rstStream'));
  t.is(refused.stream, 7);
  t.deepEqual(refused.payload, words(7));
  t.is(held.length, 3);
});

test('streams that are reset while the work for them goes on count until it ends', async (t) => {
  let finish!: () => void;
  const working = new Promise<void>((resolve) => (finish = resolve));
  let begun = 0;
  const server = await startBareServer(
    t,
    async () => {
      begun += 1;
      await working;
    },
    {http2MaxStreamsPerConnection: 2},
  );
  const client = await rawClient(server);
  for (let stream = 1; stream < 9; stream += 2) {
    client.socket.write(request(stream, 'GET', '/'));
    await until('work', () => begun === (stream + 1) / 2);
    client.socket.write(reset(stream));
  }
  client.socket.write(request(9, 'GET', '/'));
  await acted(server, 'http2MaxStreamsPerConnection');
  t.is(begun, 4);
  finish();
  let next = 11;
  await eventually(
    () => {
      client.socket.write(request((next += 2), 'GET', '/'));
      return begun;
    },
    (count) => count > 4,
  );
});

test('a connection whose streams are reset one after the other is cut', async (t) => {
  const server = await startBareServer(t, answering);
  const client = await rawClient(server);
  for (let stream = 1; stream < 3000; stream += 2) client.socket.write(Buffer.concat([request(stream, 'GET', '/'), reset(stream)]));
  await gone(client.socket);
  t.pass();
});

test('a connection that makes the server reset its streams is cut as well', async (t) => {
  const [, hold] = holding();
  const server = await startBareServer(t, hold);
  const client = await rawClient(server);
  // More of a body than its head says is an error of its stream.
  for (let stream = 1; stream < 3000; stream += 2)
    client.socket.write(Buffer.concat([request(stream, 'POST', '/', [['content-length', '1']], true), data(stream, 'xx')]));
  await gone(client.socket);
  t.pass();
});

for (const [name, flood] of [
  ['PING', ping],
  ['SETTINGS', settings({initialWindowSize: 70_000})],
  ['PRIORITY', frame('priority', flags.none, 1, Buffer.from([0, 0, 0, 3, 1]))],
  ['WINDOW_UPDATE', windowUpdate(0, 1)],
  ['frames of an unknown type', frame(0x77, flags.none, 0, Buffer.alloc(100))],
] as const) {
  test(`a connection that sends ${name} and nothing else is cut`, async (t) => {
    const server = await startBareServer(t, answering);
    const client = await rawClient(server, opening({initialWindowSize: 65_535}));
    const part = Buffer.concat(Array.from({length: 100}, () => flood));
    const more = () => {
      while (!client.socket.destroyed && client.socket.write(part));
    };
    client.socket.on('drain', more);
    more();
    await gone(client.socket);
    t.pass();
  });
}

test('frames that belong to no request end their connection also where each kind of them is rare', async (t) => {
  const server = await startBareServer(t, answering);
  const client = await rawClient(server, opening({initialWindowSize: 65_535}));
  const part = Buffer.concat(Array.from({length: 1000}, () => windowUpdate(0, 1)));
  const more = () => {
    while (!client.socket.destroyed && client.socket.write(part));
  };
  client.socket.on('drain', more);
  more();
  await acted(server, 'http2Overhead');
  await gone(client.socket);
  t.pass();
});

test('a body in crumbs ends its connection, though nobody reads it', async (t) => {
  const [, hold] = holding();
  const server = await startBareServer(t, hold);
  const client = await rawClient(server);
  client.socket.write(request(1, 'POST', '/', [], true));
  client.socket.write(Buffer.concat(Array.from({length: 2000}, () => data(1, 'x'))));
  await gone(client.socket);
  t.pass();
});

test('what nobody reads of bodies is counted, and beyond the bound of all bodies its streams are reset', async (t) => {
  const [held, hold] = holding();
  const server = await startBareServer(t, hold, {maxBodyBytesInAll: '64Ki'});
  const client = await rawClient(server);
  for (const stream of [1, 3, 5]) {
    client.socket.write(request(stream, 'POST', '/', [], true));
    for (let part = 0; part < 3; part += 1) client.socket.write(data(stream, Buffer.alloc(16_000)));
  }
  await acted(server, 'maxBodyBytesInAll');
  const refused = await until('a reset', () => client.of('rstStream'));
  t.not(refused.stream, 1);
  t.false(held.find(({request: {url}}) => url === '/')!.isAborted);
});

test('headers with too many bytes, or too many of them, are answered with 431; far more than that ends the stream', async (t) => {
  const server = await startBareServer(t, answering, {maxHeaderBytes: 4096, maxHeaders: 20});
  const client = await rawClient(server);
  client.socket.write(request(1, 'GET', '/', [['x-long', 'x'.repeat(5000)]]));
  t.is(await client.status(1), 431);
  client.socket.write(
    request(
      3,
      'GET',
      '/',
      Array.from({length: 30}, (_, number) => [`x-${number}`, 'x'] as const),
    ),
  );
  t.is(await client.status(3), 431);
  client.socket.write(
    request(5, 'GET', '/', [
      ['x-long', 'x'.repeat(15_000)],
      ['x-longer', 'x'.repeat(1_000)],
    ]),
  );
  client.socket.write(
    request(
      7,
      'GET',
      '/',
      Array.from({length: 200}, (_, number) => [`x-${number}`, 'x'] as const),
    ),
  );
  await until('an end', () => client.of('rstStream', 7));
  client.socket.write(request(9, 'GET', '/'));
  t.is(await client.status(9), 200);
});

test('a head that does not come to its end ends its connection', async (t) => {
  const server = await startBareServer(t, answering, {headersTimeout: '300ms'});
  const client = await rawClient(server);
  client.socket.write(frame('headers', flags.endStream, 1, block(requestHeaders('GET', '/'))));
  await gone(client.socket);
  await acted(server, 'headersTimeout');
  t.pass();
});

test('a head in endless CONTINUATION frames ends its connection', async (t) => {
  const server = await startBareServer(t, answering);
  const client = await rawClient(server);
  client.socket.write(frame('headers', flags.endStream, 1, block(requestHeaders('GET', '/'))));
  for (let part = 0; part < 20; part += 1) client.socket.write(frame('continuation', flags.none, 1, block([[`x-${part}`, 'x']])));
  await gone(client.socket);
  t.is(client.of('headers'), undefined);
});

test('a connection without a request is ended; one that has had some may wait for longer', async (t) => {
  const server = await startBareServer(t, answering, {headersTimeout: '300ms', idleTimeout: '1m'});
  const silent = await rawClient(server);
  const known = await rawClient(server);
  known.socket.write(request(1, 'GET', '/'));
  t.is(await known.status(1), 200);
  await gone(silent.socket);
  t.truthy(silent.of('goaway'));
  known.socket.write(request(3, 'GET', '/'));
  t.is(await known.status(3), 200);
});

test('a stream whose client opens no window is reset, and others go on', async (t) => {
  const server = await startBareServer(
    t,
    async (exchange) => {
      if (exchange.path === '/short') return respondText(exchange, 200, 'x');
      const bytes = Buffer.alloc(200_000);
      exchange.holdAnswer(bytes.length);
      exchange.response.end(bytes);
    },
    {stallTimeout: '300ms'},
  );
  const client = await rawClient(server, opening({initialWindowSize: 10}));
  client.socket.write(request(1, 'GET', '/long'));
  t.is(await client.status(1), 200);
  client.socket.write(request(3, 'GET', '/short'));
  t.is(await client.status(3), 200);
  const end = await until('a reset', () => client.of('rstStream'));
  t.is(end.stream, 1);
  await acted(server, 'stallTimeout');
  client.socket.write(request(5, 'GET', '/short'));
  t.is(await client.status(5), 200);
});

test('a connection whose client takes nothing from its socket is cut', async (t) => {
  const server = await startBareServer(
    t,
    async (exchange) => {
      const bytes = Buffer.alloc(16_000_000);
      exchange.holdAnswer(bytes.length);
      exchange.response.end(bytes);
    },
    {stallTimeout: '300ms'},
  );
  const client = await rawClient(server);
  client.socket.pause();
  client.socket.write(request(1, 'GET', '/long'));
  await acted(server, 'stallTimeout');
  t.pass();
});

test('no header of HTTP/2 becomes something else for a server behind this one', async (t) => {
  const seen: Exchange[] = [];
  const server = await startBareServer(t, async (exchange) => {
    seen.push(exchange);
    respondText(exchange, 200, 'x');
  });
  for (const [what, more] of [
    ['a header of connections', [['connection', 'keep-alive']]],
    ['a transfer encoding', [['transfer-encoding', 'chunked']]],
    ['an upgrade', [['upgrade', 'websocket']]],
    ['capital letters', [['X-Big', 'x']]],
    ['a line end in a value', [['x-a', 'b\r\nhost: other']]],
    ['a space in a name', [['x a', 'b']]],
    ['a colon in a name', [['x:a', 'b']]],
    ['a second path', [[':path', '/other']]],
    ['an unknown header with a colon', [[':other', 'x']]],
    ['a length of a body that does not come', [['content-length', '5']]],
    [
      'two lengths',
      [
        ['content-length', '0'],
        ['content-length', '1'],
      ],
    ],
  ] as const) {
    const client = await rawClient(server);
    client.socket.write(request(1, 'GET', '/smuggled', more));
    // A field that is none is left out by the library.
    await until(what, () => client.of('rstStream') ?? client.of('goaway') ?? client.of('headers', 1) ?? client.socket.destroyed);
    for (const {request: served} of seen.splice(0)) t.deepEqual([served.rawHeaders, served.url], [['host', 'orch'], '/smuggled'], what);
  }
  t.deepEqual(seen, []);
  const client = await rawClient(server);
  for (const [stream, more] of [
    [1, [['host', 'other']]],
    [
      3,
      [
        ['host', 'orch'],
        ['host', 'orch'],
      ],
    ],
    [5, [['expect', '200-ok']]],
  ] as const) {
    client.socket.write(request(stream, 'GET', '/', more));
    // The library ends the stream of a request that has two hosts.
    const end = await until('an end', () => client.of('headers', stream) ?? client.of('rstStream', stream));
    t.true(end.type === frameTypes.rstStream || statusOf(end.payload) >= 400);
  }
  client.socket.write(
    frame(
      'headers',
      flags.endHeaders | flags.endStream,
      7,
      block([
        [':method', 'GET'],
        [':path', 'other'],
        [':scheme', 'https'],
        [':authority', 'orch'],
      ]),
    ),
  );
  t.is((await until('an end', () => client.of('headers', 7) ?? client.of('rstStream', 7))).stream, 7);
  t.deepEqual(seen, []);
});
