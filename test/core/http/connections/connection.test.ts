import test from 'ava';
import type {Exchange} from '../../../../core/http/request/exchange.js';
import type {RequestInfo} from '../../../../core/http/request/request-info.js';
import {respondText} from '../../../../core/http/response/respond.js';
import {gone, receive, startBareServer} from '../../../helpers/bare-server.js';
import {eventually} from '../../../helpers/eventually.js';

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: orch\r\n${more}\r\n`;
const gets = (count: number) => Array.from({length: count}, (_, index) => get(`/${index}`)).join('');
const upgrade = get('/upgrade', 'Connection: Upgrade\r\nUpgrade: echo\r\n');

/** A handler that keeps requests until it is told to answer them, each with its path. */
function keeping() {
  const kept: Exchange[] = [];
  return {
    kept,
    handle: async (exchange: Exchange) => void kept.push(exchange),
    answer: (index: number) => respondText(kept[index]!, 200, `answer to ${kept[index]!.path}\n`),
  };
}

const answersIn = (text: string) => Array.from(text.matchAll(/answer to (\S+)/g), ([, path]) => path);

test('of requests that come faster than they are answered only so many are served; the others wait for the answers before them', async (t) => {
  const {kept, handle, answer} = keeping();
  const server = await startBareServer(t, handle, {maxUnfinishedRequests: 3});
  const socket = await server.connect();
  const received = receive(socket, /answer to \/9/);
  socket.write(gets(10));
  await eventually(
    () => kept.length,
    (count) => count === 3,
  );
  for (let index = 0; index < 10; index++) {
    answer(index);
    await eventually(
      () => kept.length,
      (count) => count === Math.min(10, index + 4),
    );
  }
  t.deepEqual(
    answersIn(await received),
    Array.from({length: 10}, (_, index) => `/${index}`),
  );
});

test('a connection is not read on while requests wait, and is again when they have been served', async (t) => {
  const {kept, handle, answer} = keeping();
  const server = await startBareServer(
    t,
    async (exchange) => {
      if (exchange.path === '/another') respondText(exchange, 200, 'answer to /another');
      else await handle(exchange);
    },
    {maxUnfinishedRequests: 1},
  );
  const socket = await server.connect();
  const received = receive(socket, /answer to \/late/);
  // More than the buffers between client and server hold: they can all be written only when they are read.
  const padding = `X-Padding: ${'x'.repeat(60_000)}\r\n`;
  let flushed = 0;
  for (let index = 0; index < 200; index++) socket.write(get(`/${index}`, padding), () => (flushed += 1));
  socket.write(get('/late'));
  // Round trips on another connection show that the server has had its chance.
  const another = await server.connect();
  for (let round = 0; round < 50; round++) {
    another.write(get('/another'));
    await receive(another, /answer to/);
  }
  t.is(kept.length, 1);
  t.true(flushed < 200, `${flushed} of 200`);
  for (let index = 0; index < 201; index++) {
    await eventually(
      () => kept.length,
      (count) => count > index,
    );
    answer(index);
  }
  t.is(answersIn(await received).length, 201);
});

test('a connection on which a request had to wait behind an answer that its client was slow to take is read on afterwards', async (t) => {
  const {kept, handle, answer} = keeping();
  const server = await startBareServer(t, handle, {maxUnfinishedRequests: 1});
  const socket = await server.connect();
  socket.write(get('/0'));
  await eventually(
    () => kept.length,
    (count) => count === 1,
  );
  // More than the buffers between server and client hold: Node pauses a connection whose answers are in the way when a request arrives.
  kept[0]!.response.writeHead(200, {'content-type': 'text/plain'});
  kept[0]!.response.write(Buffer.alloc(16 * 1024 * 1024, 'x'));
  t.true(kept[0]!.socket.writableNeedDrain);
  const {request} = kept[0]!;
  const arrived = new Promise((resolve) => request.socket.once('pause', resolve));
  socket.write(get('/1'));
  await arrived;
  socket.resume();
  kept[0]!.response.end();
  await eventually(
    () => kept.length,
    (count) => count === 2,
  );
  answer(1);
  socket.write(get('/2'));
  await eventually(
    () => kept.length,
    (count) => count === 3,
  );
});

test('a connection whose client sends requests and takes no answers is cut, and the log says so', async (t) => {
  const {kept, handle} = keeping();
  const server = await startBareServer(t, handle, {maxUnfinishedRequests: 2, maxWaitingRequests: 5});
  const modest = await server.connect();
  modest.write(gets(7));
  const greedy = await server.connect();
  greedy.write(gets(100));
  await gone(greedy);
  t.false(modest.destroyed);
  t.is(kept.length, 4);
  await server.close();
  const lines = server.logged.filter(({fields}) => fields['limit'] === 'maxWaitingRequests');
  t.deepEqual(
    lines.map(({level, fields}) => [level, fields['address']]),
    [['warn', '127.0.0.1']],
  );
});

test('nothing is served behind a watch', async (t) => {
  const {kept, handle} = keeping();
  const server = await startBareServer(t, async (exchange) => {
    exchange.info = {verb: exchange.path === '/0' ? 'watch' : 'list', subresource: ''} as RequestInfo;
    await handle(exchange);
  });
  const socket = await server.connect();
  const ended = receive(socket);
  socket.write(gets(3));
  await eventually(
    () => kept.length,
    (count) => count === 1,
  );
  const other = await server.connect();
  other.write(get('/1'));
  await eventually(
    () => kept.length,
    (count) => count === 2,
  );
  t.deepEqual(
    kept.map(({path}) => path),
    ['/0', '/1'],
  );
  kept[0]!.response.end('over');
  await eventually(
    () => kept.length,
    (count) => count === 4,
  );
  socket.destroy();
  await ended;
});

test('an upgrade that comes before earlier requests are answered waits for them', async (t) => {
  const {kept, handle, answer} = keeping();
  const server = await startBareServer(t, handle);
  const socket = await server.connect();
  const received = receive(socket);
  socket.write(gets(2) + upgrade);
  await eventually(
    () => kept.length,
    (count) => count === 2,
  );
  answer(0);
  answer(1);
  await eventually(
    () => kept.length,
    (count) => count === 3,
  );
  const taken = kept[2]!.takeConnection();
  taken.socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nanswer to /upgrade');
  t.deepEqual(answersIn(await received), ['/0', '/1', '/upgrade']);
});

test('what a client sends behind a request for an upgrade reaches whoever takes the connection', async (t) => {
  const {kept, handle, answer} = keeping();
  const server = await startBareServer(t, handle);
  const socket = await server.connect();
  const received = receive(socket);
  socket.write(`${gets(1)}${upgrade}first `);
  await eventually(
    () => kept.length,
    (count) => count === 1,
  );
  socket.write('second');
  answer(0);
  await eventually(
    () => kept.length,
    (count) => count === 2,
  );
  const {socket: tunnel, head} = kept[1]!.takeConnection();
  let text = head.toString();
  tunnel.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    if (text.endsWith('second')) tunnel.end(`got ${text}`);
  });
  t.regex(await received, /got first second$/);
});

test('a server that closes sends the answers that are under way, serves nothing that waits, and cuts what is not read in time', async (t) => {
  const {kept, handle, answer} = keeping();
  const server = await startBareServer(t, handle, {maxUnfinishedRequests: 2});
  const patient = await server.connect();
  const received = receive(patient);
  patient.write(gets(4));
  const stuck = await server.connect();
  stuck.write(gets(1));
  await eventually(
    () => kept.length,
    (count) => count === 3,
  );
  const began = performance.now();
  const closed = server.close(300);
  const [first, second] = kept
    .map((exchange, index) => [exchange.socket.remotePort, index] as const)
    .filter(([port]) => port === patient.localPort);
  answer(first![1]);
  answer(second![1]);
  t.deepEqual(answersIn(await received), ['/0', '/1']);
  await closed;
  t.true(performance.now() - began < 2000);
  await gone(stuck);
});

test('requests that are answered at once do not keep the event loop: only so many of a connection are served in one of its turns', async (t) => {
  const inTurn = new Map<number, number>();
  const server = await startBareServer(t, async (exchange) => {
    const turn = performance.nodeTiming.uvMetricsInfo.loopCount;
    inTurn.set(turn, (inTurn.get(turn) ?? 0) + 1);
    respondText(exchange, 200, `answer to ${exchange.path}\n`);
  });
  const socket = await server.connect();
  const received = receive(socket, /answer to \/199\n/);
  socket.write(gets(200));
  t.deepEqual(
    answersIn(await received),
    Array.from({length: 200}, (_, index) => `/${index}`),
  );
  const most = Math.max(...inTurn.values());
  t.log(`at most ${most} in one turn`);
  t.true(most <= 64);
});

test('errors have their stacks as before once a connection has closed with requests unanswered', async (t) => {
  const limit = Error.stackTraceLimit;
  const {kept, handle} = keeping();
  const server = await startBareServer(t, handle);
  const socket = await server.connect();
  socket.write(gets(3));
  await eventually(
    () => kept.length,
    (count) => count === 3,
  );
  const aborted = kept.map(({signal}) => signal);
  socket.destroy();
  await eventually(
    () => aborted.every((signal) => signal.aborted),
    (all) => all,
  );
  t.is(Error.stackTraceLimit, limit);
  t.regex(new Error('later').stack!, /\n {4}at /);
});
