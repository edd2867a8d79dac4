import {setImmediate as nextTurn} from 'node:timers/promises';
import test from 'ava';
import {TurnFlow, TurnLevel, Turns} from '../../../../core/http/flow-control/turns.js';
import {random} from './random.js';

/** Turns on a clock that only the requests advance, and in the turn of the event loop that the test says. */
function world() {
  const time = {now: 0, turn: 1};
  const begun: string[] = [];
  const turns = new Turns(
    () => time.now,
    () => time.turn,
  );
  /** A request that takes so many milliseconds at once when it begins. */
  let arrivals = 0;
  const enter = async (name: string, flow: TurnFlow, {seats = 1, millis = 1, arrivedAt = ++arrivals} = {}) => {
    const turn = turns.enter(flow, seats, arrivedAt, time.now);
    if (turn) await turn;
    begun.push(name);
    time.now += millis;
  };
  return {time, begun, turns, enter};
}

/** Five requests of a flow, 0.06 ms each, where another one asks before or does not. */
function five({enter}: ReturnType<typeof world>, shared: boolean, flow = new TurnFlow(new TurnLevel(1))) {
  const all = shared ? [enter('other', new TurnFlow(flow.level), {millis: 0})] : [];
  all.push(...['a', 'b', 'c', 'd', 'e'].map((name) => enter(name, flow, {millis: 0.06})));
  return Promise.all(all);
}

test('requests begin at once until a turn is full, and then in later turns', async (t) => {
  const made = world();
  const {time, begun, turns} = made;
  const all = five(made, true);
  // The second ends behind the end of the turn.
  t.deepEqual(begun, ['other', 'a', 'b']);
  t.is(turns.waiting, 3);
  time.turn += 1;
  await nextTurn();
  t.deepEqual(begun, ['other', 'a', 'b', 'c', 'd']);
  await all;
  t.deepEqual(begun, ['other', 'a', 'b', 'c', 'd', 'e']);
  t.is(turns.waiting, 0);
});

test('what has begun while connections were read counts for its turn, in which one of those that waited begins', async (t) => {
  const made = world();
  const all = five(made, true);
  await nextTurn();
  t.deepEqual(made.begun, ['other', 'a', 'b', 'c']);
  await all;
});

test('requests that go on in one moment, as those do whose writes the store has made durable together, are spread over turns', async (t) => {
  const {begun, enter} = world();
  const level = new TurnLevel(1);
  const [alice, bob] = [new TurnFlow(level), new TurnFlow(level)];
  // Each asks before the one before has taken any time.
  const all = [enter('bob', bob, {millis: 0}), ...Array.from({length: 20}, () => enter('alice', alice, {millis: 0}))];
  t.true(begun.length <= 4, begun.join(' '));
  await nextTurn();
  all.push(enter('bob', bob, {millis: 0}));
  await Promise.all(all);
  t.true(begun.lastIndexOf('bob') <= 10, begun.join(' '));
});

test('turns are longer while one flow has the server for itself', async (t) => {
  const made = world();
  const {time, begun} = made;
  const flow = new TurnFlow(new TurnLevel(1));
  /** What begins at once in a new turn. */
  const atOnce = async (shared: boolean) => {
    time.turn += 1;
    begun.length = 0;
    const all = five(made, shared, flow);
    const found = begun.join(' ');
    await all;
    return found;
  };
  t.is(await atOnce(false), 'a b c d e');
  t.is(await atOnce(true), 'other a b');
  t.is(await atOnce(false), 'a b');
  time.now += 1_100;
  t.is(await atOnce(false), 'a b c d e');
});

test('behind a long part of work the next one rests, and short ones do not', async (t) => {
  const {time, begun, turns, enter} = world();
  const flow = new TurnFlow(new TurnLevel(1));
  const part = async (name: string, millis: number) => {
    await turns.wait(flow, 1, time.now);
    begun.push(name);
    time.now += millis;
  };
  await part('long', 50);
  const second = part('second', 1);
  await nextTurn();
  await nextTurn();
  t.deepEqual(begun, ['long']);
  // It is older than the long part, so that it goes first.
  const short = enter('short', flow, {arrivedAt: 0, millis: 0});
  await nextTurn();
  time.now += 5;
  await Promise.all([second, short]);
  t.deepEqual(begun, ['long', 'short', 'second']);
  // What is not that long needs no rest.
  await part('third', 1);
  await part('fourth', 1);
});

test('a flow with one request is next but one, however many another has', async (t) => {
  const {begun, enter} = world();
  const level = new TurnLevel(1);
  const [alice, bob] = [new TurnFlow(level), new TurnFlow(level)];
  const all = Array.from({length: 20}, () => enter('alice', alice));
  all.push(enter('bob', bob));
  await nextTurn();
  all.push(enter('bob', bob));
  await Promise.all(all);
  t.true(begun.indexOf('bob') <= 2, begun.join(' '));
  t.true(begun.lastIndexOf('bob') <= 4, begun.join(' '));
  t.is(begun.length, 22);
});

test('of a flow the request that names the earliest time goes first', async (t) => {
  const {begun, enter} = world();
  const flow = new TurnFlow(new TurnLevel(1));
  const arrivals = [0, 30, 20, 40, 10, 30.5, 5, 25, 50];
  await Promise.all(arrivals.map((arrivedAt) => enter(String(arrivedAt), flow, {arrivedAt})));
  t.deepEqual(begun, ['0', '5', '10', '20', '25', '30', '30.5', '40', '50']);
});

test('wide requests count as many times as they take seats', async (t) => {
  const {begun, enter} = world();
  const level = new TurnLevel(1);
  const [lists, gets] = [new TurnFlow(level), new TurnFlow(level)];
  const all = [];
  for (let count = 0; count < 60; count += 1) all.push(enter('list', lists, {seats: 10}), enter('get', gets));
  await Promise.all(all);
  const half = begun.slice(0, 55);
  t.true(half.filter((name) => name === 'get').length >= 45, half.join(' '));
});

test('levels that always have requests get turns by their weights, their flows equally', async (t) => {
  const {begun, enter} = world();
  const [high, low] = [new TurnLevel(30), new TurnLevel(10)];
  const flows: [string, TurnFlow][] = [
    ['high', new TurnFlow(high)],
    ['low 1', new TurnFlow(low)],
    ['low 2', new TurnFlow(low)],
  ];
  const all = [];
  for (let count = 0; count < 400; count += 1) for (const [name, flow] of flows) all.push(enter(name, flow));
  await Promise.all(all);
  const first = begun.slice(0, 400);
  const count = (wanted: string) => first.filter((name) => name === wanted).length;
  t.true(Math.abs(count('high') - 300) <= 5, String(count('high')));
  t.true(Math.abs(count('low 1') - count('low 2')) <= 2);
});

test('time that a flow had nothing to do does not count for it later', async (t) => {
  const {begun, enter} = world();
  const level = new TurnLevel(1);
  const [busy, late] = [new TurnFlow(level), new TurnFlow(level)];
  await Promise.all(Array.from({length: 100}, () => enter('busy', busy)));
  begun.length = 0;
  const all = [];
  for (let count = 0; count < 40; count += 1) all.push(enter('busy', busy), enter('late', late));
  await Promise.all(all);
  const late20 = begun.slice(0, 20).filter((name) => name === 'late').length;
  t.true(late20 >= 8 && late20 <= 12, begun.join(' '));
});

test('whatever requests come, all begin, and those of a flow in their order', async (t) => {
  const {seed, next} = random();
  t.log(`seed ${seed}`);
  const {begun, turns, enter} = world();
  const levels = [1, 5, 20].map((weight) => new TurnLevel(weight));
  const flows = Array.from({length: 12}, (_, index) => new TurnFlow(levels[index % 3]!));
  const sent = flows.map(() => 0);
  const all: Promise<void>[] = [];
  for (let step = 0; step < 3000; step += 1) {
    const index = Math.floor(next() * flows.length);
    all.push(enter(`${index} ${sent[index]!++}`, flows[index]!, {seats: 1 + Math.floor(next() * 10), millis: next()}));
    if (next() < 0.05) await nextTurn();
  }
  await Promise.all(all);
  t.is(begun.length, 3000);
  t.is(turns.waiting, 0);
  for (const [index] of flows.entries()) {
    const own = begun.filter((name) => name.startsWith(`${index} `)).map((name) => Number(name.split(' ')[1]));
    t.deepEqual(
      own,
      own.toSorted((a, b) => a - b),
    );
  }
});
