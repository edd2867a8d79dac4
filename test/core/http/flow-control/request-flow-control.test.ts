import test from 'ava';
import type {PriorityLevelDefinition, PriorityLevelLimit} from '../../../../sdk/index.js';
import type {QueuedFlow} from '../../../../core/http/flow-control/queue-set.js';
import type {Seat} from '../../../../core/http/flow-control/request-queue.js';
import {RequestFlowControl} from '../../../../core/http/flow-control/request-flow-control.js';
import {oneSeat} from '../../../../core/http/flow-control/work.js';
import {parseRequestInfo} from '../../../../core/http/request/request-info.js';
import {silentLogger} from '../../../../core/logs/silent-logger.js';

const queuing = {queues: 64, handSize: 6, queueLengthLimit: 500};
const oneQueue: QueuedFlow = {hand: () => [0], seatsInUse: 0};

function level(name: string, shares: number, more: Partial<PriorityLevelLimit> = {}): PriorityLevelDefinition {
  return {name, limited: {nominalConcurrencyShares: shares, lendablePercent: 0, queuing, ...more}};
}

/** Flow control on a clock of the test's. The level for what nothing matches has hardly a seat. */
function world(seats: number, priorityLevels: readonly PriorityLevelDefinition[]) {
  const time = {now: 0};
  const control = new RequestFlowControl({enabled: true, seats, headerPrefix: 'X-Orch', logger: silentLogger, clock: () => time.now});
  const configure = (levels: readonly PriorityLevelDefinition[]) =>
    control.configure({flowSchemas: [], priorityLevels: [...levels, level('catch-all', 1e-6, {borrowingLimitPercent: 0})]});
  configure(priorityLevels);
  const find = (name: string) => control.levels.find((one) => one.name === name);
  const start = (name: string, count: number) => Array.from({length: count}, () => find(name)!.queues!.start(oneQueue, oneSeat, time.now)!);
  const finish = (name: string, ended: readonly Seat[]) => {
    for (const seat of ended) find(name)!.queues!.finish(seat, time.now);
  };
  const shared = () => Object.fromEntries(control.levels.filter(({queues}) => queues).map(({name, queues}) => [name, queues!.state.seats]));
  return {time, control, configure, find, start, finish, shared};
}

test('seats are shared out by the shares of the levels, rounded up', (t) => {
  const {find, control} = world(600, [level('high', 30), level('low', 15), level('small', 1e-9)]);
  t.deepEqual(
    ['high', 'low', 'small'].map((name) => find(name)!.nominalSeats),
    [400, 200, 1],
  );
  t.is(find('exempt')!.queues, undefined);
  t.is(control.levels.length, 5);
});

test('a level keeps what it does not lend, and gets no more than it may borrow', (t) => {
  const {find} = world(100, [
    level('lender', 1, {lendablePercent: 30, borrowingLimitPercent: 0}),
    level('borrower', 1, {borrowingLimitPercent: 50}),
    level('any', 2),
  ]);
  const bounds = (name: string) => {
    const {leastSeats, nominalSeats, mostSeats} = find(name)!;
    return [leastSeats, nominalSeats, mostSeats];
  };
  t.deepEqual(bounds('lender'), [17, 25, 25]);
  t.deepEqual(bounds('borrower'), [25, 25, 38]);
  t.deepEqual(bounds('any'), [50, 50, 150]);
});

test('a busy level borrows from idle ones, and gives back when they need their seats', (t) => {
  const {time, control, start, finish, shared} = world(100, [
    level('busy', 1, {lendablePercent: 50}),
    level('idle', 1, {lendablePercent: 80}),
    level('closed', 2),
  ]);
  const busy = start('busy', 200);
  time.now += 10_000;
  control.adjust();
  // All that `idle` lends; `closed` lends nothing.
  t.deepEqual({...shared(), 'catch-all': 0}, {busy: 45, idle: 5, closed: 50, 'catch-all': 0});
  const waiting = start('idle', 25);
  t.is(waiting.filter(({state}) => state === 'serving').length, 5);
  time.now += 10_000;
  control.adjust();
  t.deepEqual({...shared(), 'catch-all': 0}, {busy: 25, idle: 25, closed: 50, 'catch-all': 0});
  t.is(waiting.filter(({state}) => state === 'serving').length, 25);
  // What had been lent is given back as requests end.
  t.is(busy.filter(({state}) => state === 'serving').length, 45);
  finish('busy', busy.slice(0, 20));
  t.is(busy.filter(({state}) => state === 'serving').length, 25);
});

test('what a level needed once is forgotten by half in five minutes', (t) => {
  const {time, control, start, finish, shared} = world(100, [level('a', 1, {lendablePercent: 100}), level('b', 1, {lendablePercent: 100})]);
  const seats = start('a', 40);
  time.now += 10_000;
  control.adjust();
  const before = shared()['a']!;
  finish('a', seats);
  const one = start('b', 20);
  t.true(one.some(({state}) => state === 'serving'));
  const shares: number[] = [];
  for (let round = 0; round < 60; round += 1) {
    time.now += 10_000;
    control.adjust();
    shares.push(shared()['a']!);
  }
  t.true(
    shares.every((share, index) => share <= (shares[index - 1] ?? before)),
    shares.join(' '),
  );
  // 40 and 20 at first; 20 and 20 after half of the time; then less.
  t.true(Math.abs(shares[29]! - 50) <= 4, shares.join(' '));
  t.true(shares.at(-1)! < 40, shares.join(' '));
});

test('a level whose definition is gone serves what waits, and takes nothing more', (t) => {
  const {control, configure, find, start, finish} = world(4, [level('old', 1, {borrowingLimitPercent: 0})]);
  const seats = start('old', 8);
  configure([level('new', 1)]);
  t.true(find('old')!.leaving);
  finish(
    'old',
    seats.filter(({state}) => state === 'serving'),
  );
  t.true(seats.some(({state}) => state === 'serving'));
  for (const seat of seats) finish('old', [seat]);
  for (const seat of seats) finish('old', [seat]);
  t.true(find('old')!.queues!.idle);
  control.adjust();
  t.is(find('old'), undefined);
  t.is(find('new')!.queues!.state.seats, 4);
});

test('a level that is defined anew while it waits to go is the same again', (t) => {
  const {configure, find, start} = world(4, [level('a', 1)]);
  const before = find('a');
  start('a', 1);
  configure([]);
  t.true(find('a')!.leaving);
  configure([level('a', 2, {queuing: {queues: 8, handSize: 2, queueLengthLimit: 5}})]);
  t.is(find('a'), before);
  t.false(find('a')!.leaving);
  t.is(find('a')!.limit!.nominalConcurrencyShares, 2);
});

test('requests that began under a former configuration end under it', (t) => {
  const {control, find} = world(4, []);
  const jane = {username: 'jane', groups: ['system:authenticated']};
  const info = parseRequestInfo('GET', '/api/v1/pods', new URLSearchParams());
  const flow = control.classify(jane, info);
  const {queues} = flow.schema.level;
  const seat = queues!.start(flow, oneSeat, 0)!;
  control.configure({
    flowSchemas: [
      {
        name: 'all',
        priorityLevel: 'some',
        matchingPrecedence: 5,
        rules: [
          {
            subjects: [{kind: 'User', name: '*'}],
            resourceRules: [{verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*']}],
            nonResourceRules: [],
          },
        ],
      },
    ],
    priorityLevels: [level('some', 1)],
  });
  t.is(control.classify(jane, info).schema.name, 'all');
  t.is(find('catch-all')!.queues!.state.serving, 1);
  queues!.finish(seat, 0);
  t.true(find('catch-all')!.queues!.idle);
});
