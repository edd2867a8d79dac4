import {once} from 'node:events';
import type {TLSSocket} from 'node:tls';
import test, {type ExecutionContext} from 'ava';
import type {PriorityLevelLimit} from '../../../../sdk/index.js';
import {authenticated, type AuthenticatedExchange, type ResolvedExchange} from '../../../../core/http/request/stages.js';
import {FilterChain, type Filter} from '../../../../core/http/filters/filter.js';
import {ResourceCatalog} from '../../../../core/api/types/resource-catalog.js';
import {findRequestInfo} from '../../../../core/http/filters/find-request-info.js';
import {limitTime} from '../../../../core/http/filters/limit-time.js';
import {renderErrors} from '../../../../core/http/filters/render-errors.js';
import {shareFairly} from '../../../../core/http/filters/share-fairly.js';
import {WorkEstimator} from '../../../../core/http/flow-control/estimate-work.js';
import {RequestFlowControl} from '../../../../core/http/flow-control/request-flow-control.js';
import {WatchCounts} from '../../../../core/http/flow-control/watch-counts.js';
import {respondText} from '../../../../core/http/response/respond.js';
import {resolveNaming} from '../../../../core/options/resolve-naming.js';
import {silentLogger} from '../../../../core/logs/silent-logger.js';
import {startBareServer} from '../../../helpers/bare-server.js';
import {eventually} from '../../../helpers/eventually.js';

const naming = resolveNaming('orch', undefined);
const everything = {
  resourceRules: [{verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*']}],
  nonResourceRules: [{verbs: ['*'], nonResourceURLs: ['*']}],
};
const queuing = {queues: 64, handSize: 6, queueLengthLimit: 50};

/** The header `user` tells who calls; members of no group are limited. */
const identify: Filter<ResolvedExchange, AuthenticatedExchange> = async (exchange, next) => {
  const username = exchange.header('user') ?? 'nobody';
  await next(authenticated(exchange, {username, groups: username === 'root' ? ['system:masters'] : ['system:authenticated']}));
};

/** A server with one limited level, whose requests are answered by `handle`. */
async function setUp(
  t: ExecutionContext,
  {seats, limit = {}, arrive}: {seats: number; limit?: Partial<PriorityLevelLimit>; arrive?: (exchange: AuthenticatedExchange) => void},
  handle: (exchange: AuthenticatedExchange) => Promise<void>,
) {
  const flowControl = new RequestFlowControl({enabled: true, seats, headerPrefix: 'X-Orch', logger: silentLogger});
  flowControl.configure({
    priorityLevels: [
      {name: 'some', uid: 'level-uid', limited: {nominalConcurrencyShares: 1, lendablePercent: 0, queuing, ...limit}},
      // Leaves all seats to the other.
      {name: 'catch-all', limited: {nominalConcurrencyShares: 1e-9, lendablePercent: 0}},
    ],
    flowSchemas: [
      {
        name: 'some',
        uid: 'schema-uid',
        priorityLevel: 'some',
        matchingPrecedence: 100,
        distinguisher: 'ByUser',
        rules: [{subjects: [{kind: 'Group', name: 'system:authenticated'}], ...everything}],
      },
    ],
  });
  const watches = new WatchCounts();
  const estimator = new WorkEstimator({countObjects: () => undefined, watches});
  const filters = FilterChain.begin()
    .then(renderErrors(silentLogger, naming))
    .then(findRequestInfo(new ResourceCatalog()))
    .then(limitTime(naming))
    .then(identify)
    .then(async (exchange, next) => {
      arrive?.(exchange);
      await next(exchange);
    })
    .then(shareFairly({flowControl, estimator, watches}));
  const server = await startBareServer(t, filters.endingIn(handle));
  const {queues} = flowControl.levels.find(({name}) => name === 'some')!;
  return {server, queues: queues!, flowControl};
}

const get = (user: string, path = '/api/v1/pods') => `GET ${path} HTTP/1.1\r\nHost: orch\r\nUser: ${user}\r\n\r\n`;

/** Sends a request and answers the head and what comes with it. */
async function ask(server: {connect(): Promise<TLSSocket>}, user: string, path?: string): Promise<string> {
  const socket = await server.connect();
  socket.write(get(user, path));
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString('latin1');
}

const statusOf = (answer: string) => answer.slice(9, 12);

/** Requests that are answered when the test says so. */
function held() {
  const waiting: {user: string; answer(): void}[] = [];
  const handle = (exchange: AuthenticatedExchange) =>
    new Promise<void>((resolve) => {
      waiting.push({
        user: exchange.user.username,
        answer() {
          respondText(exchange, 200, 'ok');
          resolve();
        },
      });
    });
  return {waiting, handle};
}

test('when all seats are taken others wait, administrators and health paths do not', async (t) => {
  const {waiting, handle} = held();
  const {server, queues} = await setUp(t, {seats: 2}, async (exchange) =>
    exchange.user.username === 'alice' ? handle(exchange) : respondText(exchange, 200, 'ok'),
  );
  const alice = Array.from({length: 20}, () => ask(server, 'alice'));
  await eventually(
    () => queues.state,
    (state) => state.serving === 2 && state.waiting === 18,
  );
  let bobAfter: number | undefined;
  let answered = 0;
  const bob = ask(server, 'bob').then((answer) => {
    bobAfter = answered;
    return answer;
  });
  await eventually(
    () => queues.state.waiting,
    (count) => count === 19,
  );
  t.is(statusOf(await ask(server, 'root')), '200');
  for (const path of ['/livez', '/readyz/ping', '/healthz']) t.is(statusOf(await ask(server, 'bob', path)), '200', path);
  for (; answered < 20; answered += 1) {
    await eventually(
      () => waiting.length,
      (count) => count > 0,
    );
    waiting.shift()!.answer();
  }
  for (const answer of [await bob, ...(await Promise.all(alice))]) t.is(statusOf(answer), '200');
  // Alice's were there before, but not all of them have waited as long as their queues were entitled to seats.
  t.true(bobAfter! < 20, `Bob was answered after ${bobAfter} of Alice's`);
});

test('a request keeps its seat until its answer has been sent', async (t) => {
  const large = 'x'.repeat(16 * 1024 * 1024);
  const {server, queues} = await setUp(t, {seats: 1}, async (exchange) =>
    respondText(exchange, 200, exchange.user.username === 'slow' ? large : 'ok'),
  );
  const slow = await server.connect();
  slow.write(get('slow'));
  await once(slow, 'readable');
  const quick = ask(server, 'quick');
  await eventually(
    () => queues.state,
    ({serving, waiting}) => serving === 1 && waiting === 1,
  );
  slow.resume();
  t.is(statusOf(await quick), '200');
});

test('who finds the queues full is told to come back in a second, with what its request matched', async (t) => {
  const {waiting, handle} = held();
  const limit = {queuing: {queues: 8, handSize: 1, queueLengthLimit: 2}};
  const {server, queues} = await setUp(t, {seats: 1, limit}, handle);
  const served = Array.from({length: 3}, () => ask(server, 'alice'));
  await eventually(
    () => queues.state.waiting,
    (count) => count === 2,
  );
  const refused = await ask(server, 'alice');
  t.is(statusOf(refused), '429');
  for (const header of ['Retry-After: 1', 'X-Orch-PF-FlowSchema-UID: schema-uid', 'X-Orch-PF-PriorityLevel-UID: level-uid'])
    t.true(refused.toLowerCase().includes(`\r\n${header.toLowerCase()}\r\n`), refused);
  t.like(
    server.logged.find(({message}) => message.includes('a limit acted')),
    {fields: {limit: 'maxRequestsInflight', user: 'alice', flowSchema: 'some', priorityLevel: 'some', why: 'its queues are full'}},
  );
  t.true(refused.includes('"reason":"TooManyRequests"') && refused.includes('Too many requests, please try again later.'), refused);
  for (let answered = 0; answered < 3; answered += 1) {
    await eventually(
      () => waiting.length,
      (count) => count > 0,
    );
    waiting.shift()!.answer();
  }
  for (const answer of await Promise.all(served)) t.true(answer.includes('\r\nX-Orch-PF-FlowSchema-UID: schema-uid\r\n'));
});

test('a request waits for a quarter of its time', async (t) => {
  const {waiting, handle} = held();
  const {server} = await setUp(t, {seats: 1}, handle);
  const first = ask(server, 'alice');
  await eventually(
    () => waiting.length,
    (count) => count === 1,
  );
  const from = performance.now();
  t.is(statusOf(await ask(server, 'alice', '/api/v1/pods?timeout=2s')), '429');
  const millis = performance.now() - from;
  t.true(millis >= 490 && millis < 1900, `${millis} ms`);
  waiting.shift()!.answer();
  t.is(statusOf(await first), '200');
});

test('a request whose client has gone leaves the line', async (t) => {
  const {waiting, handle} = held();
  const {server, queues} = await setUp(t, {seats: 1}, handle);
  const first = ask(server, 'alice');
  const gone = await server.connect();
  gone.write(get('alice'));
  await eventually(
    () => queues.state.waiting,
    (count) => count === 1,
  );
  gone.destroy();
  await eventually(
    () => queues.state.waiting,
    (count) => count === 0,
  );
  waiting.shift()!.answer();
  t.is(statusOf(await first), '200');
  t.is(waiting.length, 0);
});

test('a watch keeps its seat until it has told what there was', async (t) => {
  const exchanges: AuthenticatedExchange[] = [];
  const {server, queues} = await setUp(t, {seats: 2}, async (exchange) => {
    exchanges.push(exchange);
    await new Promise((resolve) => exchange.response.once('close', resolve));
  });
  const sockets = await Promise.all([server.connect(), server.connect()]);
  for (const socket of sockets) socket.write(get('alice', '/api/v1/pods?watch=1'));
  await eventually(
    () => queues.state.serving,
    (serving) => serving === 2,
  );
  exchanges[0]!.whenInitialized!();
  t.is(queues.state.serving, 1);
  sockets[1]!.destroy();
  await eventually(
    () => queues.state.serving,
    (serving) => serving === 0,
  );
});

test('connections that are handed over take no seat', async (t) => {
  const {waiting, handle} = held();
  const {server, queues} = await setUp(t, {seats: 1}, handle);
  const answers = Array.from({length: 3}, () => ask(server, 'alice', '/api/v1/namespaces/a/pods/x/log'));
  await eventually(
    () => waiting.length,
    (count) => count === 3,
  );
  t.true(queues.idle);
  for (const {answer} of waiting) answer();
  await Promise.all(answers);
});

function busy(millis: number): void {
  const end = performance.now() + millis;
  while (performance.now() < end);
}

test('of requests that are there at the same time one of another user is served among the first, not behind all of one', async (t) => {
  const served: string[] = [];
  const arrived: string[] = [];
  const {server} = await setUp(t, {seats: 600, arrive: ({user}) => void arrived.push(user.username)}, async (exchange) => {
    served.push(exchange.user.username);
    busy(1);
    respondText(exchange, 200, 'ok');
  });
  const sockets = await Promise.all(Array.from({length: 21}, () => server.connect()));
  for (const socket of sockets) socket.resume();
  const overtakenBy: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    served.length = arrived.length = 0;
    // Bob's request is the last to arrive.
    for (const [index, socket] of sockets.entries()) socket.write(get(index < 20 ? 'alice' : 'bob'));
    await eventually(
      () => served.length,
      (count) => count === 21,
    );
    // Those that were served before Bob's had arrived are none of its concern; the last of them tells where it arrived.
    overtakenBy.push(served.indexOf('bob'));
  }
  overtakenBy.sort((a, b) => a - b);
  t.true(overtakenBy[10]! <= 4, overtakenBy.join(' '));
});
