import {once} from 'node:events';
import test from 'ava';
import type {Exchange} from '../../../../core/http/request/exchange.js';
import {respondText} from '../../../../core/http/response/respond.js';
import {startBareServer} from '../../../helpers/bare-server.js';
import {eventually} from '../../../helpers/eventually.js';

const get = 'GET / HTTP/1.1\r\nHost: orch\r\n\r\n';
const large = 'x'.repeat(16 * 1024 * 1024);

/** What has become of each request, in the order of their arrival. */
function finishing(respond: (exchange: Exchange) => void) {
  const states: string[] = [];
  const handle = async (exchange: Exchange) => {
    const index = states.push('under way') - 1;
    exchange.whenFinished(() => (states[index] = 'finished'));
    respond(exchange);
  };
  return {states, handle};
}

test('an answer has finished when the client has taken it, not when its handler returns', async (t) => {
  const {states, handle} = finishing((exchange) => respondText(exchange, 200, large));
  const server = await startBareServer(t, handle);
  const socket = await server.connect();
  socket.write(get);
  await once(socket, 'readable');
  t.deepEqual(states, ['under way']);
  socket.resume();
  await eventually(
    () => states,
    ([state]) => state === 'finished',
  );
});

test('answers that wait behind an unread one have finished when the connection is gone, and their work is ended', async (t) => {
  const aborted = new Set<number>();
  let requests = 0;
  const {states, handle} = finishing((exchange) => {
    const index = requests++;
    respondText(exchange, 200, large);
    exchange.signal.addEventListener('abort', () => aborted.add(index));
  });
  const server = await startBareServer(t, handle, {maxUnsentBytesPerConnection: '64Mi'});
  const socket = await server.connect();
  socket.write(get.repeat(3));
  await once(socket, 'readable');
  t.deepEqual(states, ['under way', 'under way', 'under way']);
  socket.destroy();
  await eventually(
    () => states,
    (all) => all.every((state) => state === 'finished'),
  );
  // Node 22 says of the first, which has been written to the end, that it has finished.
  t.true(aborted.has(1) && aborted.has(2), [...aborted].join(' '));
});

test('what asks for the end of an answer that has finished is called at once', async (t) => {
  let seen: Exchange | undefined;
  const server = await startBareServer(t, async (exchange) => {
    seen = exchange;
    respondText(exchange, 200, 'ok');
  });
  const socket = await server.connect();
  socket.write(get);
  await once(socket, 'data');
  await eventually(
    () => seen,
    (exchange) => exchange!.response.writableFinished,
  );
  let called = false;
  seen!.whenFinished(() => (called = true));
  t.true(called);
});
