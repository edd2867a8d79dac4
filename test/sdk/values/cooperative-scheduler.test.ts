import test from 'ava';
import {CooperativeScheduler, turnBudgets, type Task, type WorkKind} from '../../../sdk/index.js';

/** A scheduler whose time passes as the test says: preemption by other processes counts for nothing. */
function timed() {
  let now = 0;
  return {scheduler: new CooperativeScheduler(() => now), busy: (millis: number) => void (now += millis)};
}

/** Counts the turns of the event loop. */
function turnCounter() {
  const counter = {turn: 0, stop: () => clearImmediate(next)};
  const count = () => {
    counter.turn += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  return counter;
}

test('small work goes on without a promise, work that has used up its budget continues in a later turn', async (t) => {
  const counter = turnCounter();
  for (const kind of Object.keys(turnBudgets) as WorkKind[]) {
    const {scheduler, busy} = timed();
    const task = scheduler.task(kind, 'test');
    t.is(task.yieldIfDue(), undefined, kind);
    busy(turnBudgets[kind]);
    const before = counter.turn;
    const turn = task.yieldIfDue();
    t.truthy(turn, kind);
    await turn;
    t.true(counter.turn > before, kind);
    t.false(task.isDue, kind);
  }
  counter.stop();
});

test('whoever yields is resumed in a later turn, however short its work is', async (t) => {
  const task = timed().scheduler.task('background', 'test');
  const counter = turnCounter();
  const turns: number[] = [];
  for (let part = 0; part < 5; part += 1) {
    await task.yield();
    turns.push(counter.turn);
  }
  counter.stop();
  t.is(new Set(turns).size, 5, turns.join());
});

test('short parts share a turn, and each long part has one of its own', async (t) => {
  const counter = turnCounter();
  const turnsOf = async (kind: WorkKind, millis: number) => {
    const {scheduler, busy} = timed();
    const turns: number[] = [];
    const part = async () => {
      await scheduler.task(kind, 'test').yield();
      turns.push(counter.turn);
      busy(millis);
    };
    await Promise.all(Array.from({length: 5}, part));
    return new Set(turns).size;
  };
  t.is(await turnsOf('request', turnBudgets.request), 5);
  t.is(await turnsOf('background', turnBudgets.background), 5);
  t.is(await turnsOf('background', turnBudgets.background / 5), 1);
  counter.stop();
});

test('all kinds get something in every turn, and together no more than the largest budget and a part of each', async (t) => {
  const {scheduler, busy} = timed();
  const counter = turnCounter();
  const partMillis = 0.25;
  const parts = new Map<number, WorkKind[]>();
  const work = async (task: Task) => {
    for (let part = 0; part < 60; part += 1) {
      await task.yieldIfDue();
      parts.set(counter.turn, [...(parts.get(counter.turn) ?? []), task.kind]);
      busy(partMillis);
    }
  };
  const kinds: readonly WorkKind[] = ['delivery', 'request', 'background'];
  await Promise.all([...kinds, ...kinds].map((kind) => work(scheduler.task(kind, kind))));
  counter.stop();
  // The first turn has the work that was begun before anything was scheduled, the last ones lack kinds that have ended.
  const turns = [...parts.values()].slice(1, 20);
  t.is(turns.length, 19);
  for (const turn of turns) {
    t.deepEqual(
      kinds.filter((kind) => !turn.includes(kind)),
      [],
    );
    t.true(turn.length <= turnBudgets.background / partMillis + kinds.length, turn.join());
  }
});

test('of the requests that wait the oldest goes on, so that large writes are done one after the other', async (t) => {
  const {scheduler, busy} = timed();
  const done: number[] = [];
  const work = async (number: number) => {
    const task = scheduler.task('request', 'test');
    for (let part = 0; part < 3; part++) {
      busy(turnBudgets.request);
      await task.yieldIfDue();
    }
    done.push(number);
  };
  await Promise.all([0, 1, 2, 3, 4].map(work));
  t.deepEqual(done, [0, 1, 2, 3, 4]);
});

test('schedulers of two servers in one process do not wait for each other', async (t) => {
  const order: string[] = [];
  const [one, other] = [timed(), timed()];
  const part = async ({scheduler, busy}: ReturnType<typeof timed>, name: string) => {
    await scheduler.task('request', name).yield();
    order.push(name);
    busy(turnBudgets.request);
  };
  await Promise.all([part(one, 'one'), part(one, 'one again'), part(other, 'other')]);
  t.deepEqual(order, ['one', 'other', 'one again']);
});

test('an observer is told whose work begins, goes on and is resumed, with the plugin', async (t) => {
  const {scheduler} = timed();
  const begun: string[] = [];
  scheduler.observe({
    began: ({name, plugin, kind}) => void begun.push(`${kind} ${name} of ${plugin ?? 'the server'}`),
    called: () => undefined,
  });
  const [own, task] = [scheduler.task('request', 'writing'), scheduler.of('shop').task('background', 'counting')];
  own.begin();
  task.begin();
  await task.yieldIfDue();
  await own.yield();
  scheduler.observe(undefined);
  own.begin();
  t.deepEqual(begun, [
    'request writing of the server',
    'background counting of shop',
    'background counting of shop',
    'request writing of the server',
  ]);
});
