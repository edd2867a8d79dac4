import type {Checks} from '../checks.js';
import {setImmediate as turn, setTimeout as delay} from 'node:timers/promises';
import type {LogEntry, Store} from '../../../sdk/index.js';
import {inOrderOfKeys} from './in-order-of-keys.js';
import {LogRecorder} from './log-recorder.js';
import type {StoreTests} from './store-harness.js';
import {bytes, create, sureCommit, whenAvailable} from './sure-commit.js';

/** Following the log: from any retained revision, without gap or repetition, with what an entry must carry. */
export function followConformance({test}: StoreTests): void {
  test('the log is delivered from the beginning, from the middle and from the current revision', async (t, harness) => {
    const store = await harness.open();
    const shard = store.shardOf('things');
    const revisions: number[] = [];
    for (let index = 0; index < 10; index++) revisions.push(await create(store, 'things', `k${index}`, `v${index}`));
    const starts = [0, revisions[3]!, revisions[9]!];
    const recorders = starts.map((after) => new LogRecorder(after));
    for (const [index, after] of starts.entries()) await store.follow(shard, after, recorders[index]!);
    for (let index = 10; index < 20; index++) revisions.push(await create(store, 'things', `k${index}`, `v${index}`));
    for (const [index, recorder] of recorders.entries()) {
      await recorder.reached(revisions[19]!);
      t.deepEqual(
        recorder.revisions,
        revisions.filter((revision) => revision > starts[index]!),
      );
      t.deepEqual(recorder.faults, []);
      t.is(recorder.end, undefined);
    }
  });

  test('an entry carries the change, its time and the record it replaced', async (t, harness) => {
    const store = await harness.open();
    const recorder = new LogRecorder();
    const before = Date.now();
    const first = await create(store, 'things', 'ns/one', 'first');
    const second = await store.commit({type: 'things', key: 'ns/one', expected: first, value: bytes('second')});
    const third = await store.commit({type: 'things', key: 'ns/one', expected: second, value: null});
    const fourth = await create(store, 'things', 'ns/one', 'again');
    const after = Date.now();
    await store.follow(store.shardOf('things'), 0, recorder);
    await recorder.reached(fourth);
    for (const entries of [recorder.entries, (await store.history('things')).entries]) {
      t.deepEqual(entries.map(withoutTime), [
        {revision: first, type: 'things', key: 'ns/one', value: bytes('first')},
        {revision: second, type: 'things', key: 'ns/one', value: bytes('second'), previous: {revision: first, value: bytes('first')}},
        {revision: third, type: 'things', key: 'ns/one', value: null, previous: {revision: second, value: bytes('second')}},
        {revision: fourth, type: 'things', key: 'ns/one', value: bytes('again')},
      ]);
      // A second of tolerance: the store's clock may be another machine's or be cut to whole units.
      for (const entry of entries) t.true(entry.time >= before - 1000 && entry.time <= after + 1000, String(entry.time));
    }
  });

  test('an entry says which record it replaced to whoever begins later too; the value of that is in the history', async (t, harness) => {
    const store = await harness.open();
    const first = await create(store, 'things', 'one', 'first');
    const recorder = new LogRecorder(first);
    await store.follow(store.shardOf('things'), first, recorder);
    const second = await store.commit({type: 'things', key: 'one', expected: first, value: bytes('second')});
    await store.commit({type: 'things', key: 'one', expected: second, value: null});
    const fourth = await create(store, 'things', 'one', 'again');
    await recorder.reached(fourth);
    const replaced = [first, second, undefined];
    t.deepEqual(
      recorder.entries.map(({previous}) => previous?.revision),
      replaced,
      'previous of entries that are followed',
    );
    t.true(recorder.entries[0]?.previous?.value?.equals(bytes('first')) ?? true);
    t.deepEqual(recorder.faults, []);
    const {entries} = await store.history('things');
    t.deepEqual(
      entries.map(({previous}) => previous),
      [undefined, {revision: first, value: bytes('first')}, {revision: second, value: bytes('second')}, undefined],
      'previous of entries of the history',
    );
  });

  test('a follower that starts between two commits of one turn misses and repeats nothing', async (t, harness) => {
    const store = await harness.open();
    const shard = store.shardOf('things');
    const recorders: LogRecorder[] = [];
    const commits: Promise<number>[] = [];
    const follows: Promise<unknown>[] = [];
    for (let index = 0; index < 40; index++) {
      commits.push(create(store, 'things', `k${index}`, 'x'));
      const recorder = new LogRecorder();
      recorders.push(recorder);
      follows.push(store.follow(shard, 0, recorder));
      if (index % 8 === 7) await turn();
    }
    const revisions = (await Promise.all(commits)).toSorted((a, b) => a - b);
    await Promise.all(follows);
    for (const recorder of recorders) {
      await recorder.reached(revisions.at(-1)!);
      t.deepEqual(recorder.revisions, revisions);
      t.deepEqual(recorder.faults, []);
    }
  });

  test('two followers miss and repeat nothing while 8 writers work', async (t, harness) => {
    await underLoad(t, await harness.open(), async () => undefined);
  });

  test('two followers miss and repeat nothing while 8 writers work and the connection is cut 10 times', async (t, harness) => {
    if (harness.cutConnections === undefined) return;
    const store = await harness.open();
    await underLoad(t, store, async () => {
      for (let cut = 0; cut < 10; cut++) {
        await delay(40);
        await harness.cutConnections!();
      }
    });
    t.notThrows(() => store.shardOf('things'));
    await whenAvailable(() => store.ping());
  });

  test('a follower sees what another server writes', async (t, harness) => {
    if (!harness.shared) return;
    const [one, two] = await Promise.all([harness.open(), harness.open()]);
    const recorder = new LogRecorder();
    await two.follow(two.shardOf('things'), 0, recorder);
    const revisions: number[] = [];
    for (let index = 0; index < 50; index++) {
      revisions.push(await create(index % 3 === 0 ? two : one, 'things', `k${index}`, 'x'));
    }
    await recorder.reached(revisions.at(-1)!);
    t.deepEqual(recorder.revisions, revisions);
    t.deepEqual(recorder.faults, []);
  });

  test('a follower gets no call after its close, also when it closes itself during a call', async (t, harness) => {
    const store = await harness.open();
    const shard = store.shardOf('things');
    const closing = new LogRecorder();
    const follower = await store.follow(shard, 0, closing);
    const self = new LogRecorder();
    const other = new LogRecorder();
    const selfClosing = await store.follow(shard, 0, {
      onEntries: (entries) => {
        self.onEntries(entries);
        selfClosing.close();
        self.closed = true;
      },
      onEnd: (error) => self.onEnd(error),
    });
    await store.follow(shard, 0, other);
    const first = await create(store, 'things', 'one', 'x');
    await Promise.all([closing.reached(first), self.reached(first), other.reached(first)]);
    follower.close();
    closing.closed = true;
    follower.close();
    const last = await create(store, 'things', 'two', 'x');
    await other.reached(last);
    await store.close();
    t.deepEqual(closing.revisions, [first]);
    t.deepEqual(self.revisions, [first]);
    t.deepEqual(other.revisions, [first, last]);
    t.deepEqual([...closing.faults, ...self.faults, ...other.faults], []);
    t.is(closing.end, undefined);
    t.is(self.end, undefined);
  });

  test('a listener may write to the store; calls to it do not overlap', async (t, harness) => {
    const store = await harness.open();
    const recorder = new LogRecorder();
    const answers: Promise<number>[] = [];
    await store.follow(store.shardOf('things'), 0, {
      onEntries: (entries) => {
        for (const entry of entries) {
          const depth = Number(entry.key);
          if (depth < 20) answers.push(create(store, 'things', String(depth + 1), 'x'));
        }
        recorder.onEntries(entries);
      },
      onEnd: (error) => recorder.onEnd(error),
    });
    const first = await create(store, 'things', '0', 'x');
    while (recorder.entries.length < 21) await recorder.reached((recorder.revisions.at(-1) ?? first - 1) + 1);
    t.deepEqual(
      recorder.entries.map((entry) => entry.key),
      Array.from({length: 21}, (_, index) => String(index)),
    );
    t.deepEqual(recorder.revisions.slice(1), await Promise.all(answers));
    t.deepEqual(recorder.faults, []);
  });
}

function withoutTime({time: _, ...rest}: LogEntry): Omit<LogEntry, 'time'> {
  return rest.previous === undefined ? {revision: rest.revision, type: rest.type, key: rest.key, value: rest.value} : rest;
}

/** 8 writers create, update and delete; two followers must hold a log that leads exactly to the final state. */
async function underLoad(t: Checks, store: Store, disturb: () => Promise<void>): Promise<void> {
  const shard = store.shardOf('things');
  const early = new LogRecorder();
  const late = new LogRecorder();
  await store.follow(shard, 0, early);
  let finished = false;
  const disturbance = disturb().finally(() => (finished = true));
  const writers = Array.from({length: 8}, async (_, writer) => {
    for (let round = 0; round < 30 || !finished; round++) {
      const key = `w${writer}/${round % 7}`;
      const current = await whenAvailable(() => store.read('things', key));
      const expected = current?.revision ?? 0;
      const value = current !== undefined && round % 3 === 0 ? null : bytes(`${writer}:${round}`);
      await sureCommit(store, {type: 'things', key, expected, value});
      if (writer === 0 && round === 15) await whenAvailable(() => store.follow(shard, 0, late));
    }
  });
  await Promise.all([disturbance, ...writers]);
  const last = await whenAvailable(() => store.revision(shard));
  await Promise.all([early.reached(last), late.reached(last)]);

  t.deepEqual([...early.faults, ...late.faults], []);
  t.deepEqual(early.revisions, late.revisions);
  const {entries} = await whenAvailable(() => store.history('things'));
  t.deepEqual(early.entries, entries as LogEntry[]);
  const state = new Map<string, {revision: number; value: Buffer}>();
  for (const entry of early.entries) {
    t.deepEqual(entry.previous, state.get(entry.key), `previous of ${entry.revision}`);
    if (entry.value === null) state.delete(entry.key);
    else state.set(entry.key, {revision: entry.revision, value: entry.value});
  }
  const records = [...(await whenAvailable(() => store.list('things'))).records];
  const listed = new Map(records.map(({key, revision, value}) => [key, {revision, value}]));
  t.deepEqual(inOrderOfKeys(listed), inOrderOfKeys(state));
}
