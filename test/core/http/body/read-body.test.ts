import test from 'ava';
import {PassThrough} from 'node:stream';
import {setImmediate as nextTurn} from 'node:timers/promises';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {Exchange} from '../../../../core/http/request/exchange.js';
import type {AuthenticatedExchange} from '../../../../core/http/request/stages.js';
import {readBody} from '../../../../core/http/body/read-body.js';
import {turnBudgets} from '../../../../sdk/values/cooperative-scheduler.js';
import {looseCarrier} from '../../../helpers/loose-carrier.js';

/** What `readBody` looks at: a request whose body is a stream, and the response's headers. */
function exchangeOf(request: PassThrough, carrier = looseCarrier()): {exchange: AuthenticatedExchange; headers: Map<string, string>} {
  const headers = new Map<string, string>();
  const response = {setHeader: (name: string, value: string) => headers.set(name, value)};
  const incoming = Object.assign(request, {headers: {}, socket: {}}) as unknown as IncomingMessage;
  const exchange = new Exchange('id', incoming, response as unknown as ServerResponse, carrier) as AuthenticatedExchange;
  exchange.user = {username: 'somebody', groups: []};
  return {exchange, headers};
}

test('of large bodies that arrive together the next is handed out in a later turn of the event loop than the work on the one before', async (t) => {
  const requests = Array.from({length: 5}, () => new PassThrough());
  const carrier = looseCarrier();
  const done: number[] = [];
  const reads = requests.map(async (request, index) => {
    const body = await readBody(exchangeOf(request, carrier).exchange);
    t.is(body.length, 20_000);
    const began = performance.now();
    while (performance.now() - began < 2 * turnBudgets.request);
    done.push(index);
  });
  for (const request of requests) request.end(Buffer.alloc(20_000));
  const most: number[] = [];
  while (done.length < requests.length) {
    const before = done.length;
    await nextTurn();
    most.push(done.length - before);
  }
  await Promise.all(reads);
  t.is(Math.max(...most), 1, `bodies by turn: ${most.join(' ')}`);
  t.deepEqual(done, [0, 1, 2, 3, 4], 'in the order in which they came');
});

test('a small body does not wait for large ones', async (t) => {
  const large = Array.from({length: 10}, () => new PassThrough());
  const small = new PassThrough();
  const order: string[] = [];
  const reads = [
    ...large.map((request) => readBody(exchangeOf(request).exchange).then(() => order.push('large'))),
    readBody(exchangeOf(small).exchange).then(() => order.push('small')),
  ];
  for (const request of large) request.end(Buffer.alloc(100_000));
  small.end('{}');
  await Promise.all(reads);
  t.true(order.indexOf('small') <= 1, order.join(' '));
});

test('a body in several parts is put together, and one above the limit ends the connection', async (t) => {
  const request = new PassThrough();
  const read = readBody(exchangeOf(request).exchange);
  request.write('{"a":');
  request.end('1}');
  t.is((await read).toString(), '{"a":1}');

  const huge = new PassThrough();
  const {exchange, headers} = exchangeOf(huge);
  const refused = t.throwsAsync(readBody(exchange), {message: /Request entity too large/});
  huge.end(Buffer.alloc(exchange.carrier.limits.maxBodyBytes + 1));
  await refused;
  t.is(headers.get('Connection'), 'close');
});
