import {setImmediate as turn} from 'node:timers/promises';
import {StoreError} from '../../../sdk/index.js';
import {LogRecorder} from './log-recorder.js';
import type {StoreTests} from './store-harness.js';
import {bytes, create} from './sure-commit.js';

/** Compaction drops log entries, says so to who asks for them, and leaves the state alone. */
export function compactionConformance({test}: StoreTests): void {
  test('following from before the compaction is refused with Compacted and the floor', async (t, harness) => {
    const store = await harness.open();
    const shard = store.shardOf('things');
    const revisions: number[] = [];
    for (let index = 0; index < 10; index++) revisions.push(await create(store, 'things', `k${index}`, `v${index}`));
    const floor = revisions[5]!;
    await store.compact(shard, floor);
    for (const after of [0, revisions[0]!, floor - 1]) {
      const error = await t.throwsAsync<StoreError>(store.follow(shard, after, new LogRecorder()), {instanceOf: StoreError});
      t.is(error.code, 'Compacted');
      t.is(error.floor, floor);
    }
    const recorder = new LogRecorder(floor);
    await store.follow(shard, floor, recorder);
    await recorder.reached(revisions[9]!);
    t.deepEqual(recorder.revisions, revisions.slice(6));
    const history = await store.history('things');
    t.is(history.floor, floor);
    t.deepEqual(
      history.entries.map((entry) => entry.revision),
      revisions.slice(6),
    );
  });

  test('compaction leaves the state and the remaining log as they were', async (t, harness) => {
    const store = await harness.open();
    const shard = store.shardOf('things');
    const kept = await create(store, 'things', 'kept', 'kept');
    const first = await create(store, 'things', 'changed', 'first');
    const second = await store.commit({type: 'things', key: 'changed', expected: first, value: bytes('second')});
    const doomed = await create(store, 'things', 'doomed', 'doomed');
    const deleted = await store.commit({type: 'things', key: 'doomed', expected: doomed, value: null});
    const third = await store.commit({type: 'things', key: 'changed', expected: second, value: bytes('third')});
    const state = [...(await store.list('things')).records];
    await store.compact(shard, deleted);
    t.deepEqual([...(await store.list('things')).records], state);
    t.deepEqual(await store.read('things', 'kept'), {key: 'kept', revision: kept, value: bytes('kept')});
    // The entry that is left still knows the value it replaced, though the entry that wrote that value is gone.
    const {entries} = await store.history('things');
    t.deepEqual(
      entries.map(({revision, value, previous}) => ({revision, value, previous})),
      [{revision: third, value: bytes('third'), previous: {revision: second, value: bytes('second')}}],
    );
    t.is(await store.revision(shard), third);
    const fourth = await store.commit({type: 'things', key: 'changed', expected: third, value: null});
    await store.compact(shard, fourth);
    t.deepEqual(
      [...(await store.list('things')).records].map((record) => record.key),
      ['kept'],
    );
    t.is((await store.history('things')).entries.length, 0);
  });

  test('compaction may be repeated, may go back and may go beyond the end', async (t, harness) => {
    const store = await harness.open();
    const shard = store.shardOf('things');
    await store.compact(shard, 0);
    const revisions: number[] = [];
    for (let index = 0; index < 5; index++) revisions.push(await create(store, 'things', `k${index}`, 'x'));
    await store.compact(shard, revisions[2]!);
    await store.compact(shard, revisions[2]!);
    await store.compact(shard, revisions[0]!);
    await Promise.all([store.compact(shard, revisions[1]!), store.compact(shard, revisions[2]!)]);
    t.is((await store.history('things')).floor, revisions[2]!);
    await store.compact(shard, revisions[4]! + 1000);
    t.deepEqual(await store.history('things'), {floor: revisions[4]!, revision: revisions[4]!, entries: []});
    const recorder = new LogRecorder(revisions[4]);
    await store.follow(shard, revisions[4]!, recorder);
    const next = await create(store, 'things', 'next', 'x');
    await recorder.reached(next);
    t.deepEqual(recorder.revisions, [next]);
    t.is([...(await store.list('things')).records].length, 6);
  });

  test('a follower that has kept up goes on over a compaction', async (t, harness) => {
    const store = await harness.open();
    const shard = store.shardOf('things');
    const recorder = new LogRecorder();
    await store.follow(shard, 0, recorder);
    const revisions: number[] = [];
    let expected = 0;
    for (let round = 0; round < 30; round++) {
      expected = await store.commit({type: 'things', key: 'one', expected, value: bytes(`v${round}`)});
      revisions.push(expected);
      await recorder.reached(expected);
      if (round % 5 === 4) await store.compact(shard, expected);
    }
    t.deepEqual(recorder.revisions, revisions);
    t.deepEqual(recorder.faults, []);
    for (const [index, entry] of recorder.entries.entries()) {
      t.deepEqual(entry.previous?.value, index === 0 ? undefined : bytes(`v${index - 1}`));
    }
  });

  test('compaction beside 8 writers loses no state', async (t, harness) => {
    const store = await harness.open();
    const shard = store.shardOf('things');
    let working = true;
    const writers = Promise.all(
      Array.from({length: 8}, async (_, writer) => {
        let expected = 0;
        for (let round = 0; round < 40; round++) {
          expected = await store.commit({type: 'things', key: `w${writer}`, expected, value: bytes(`${writer}:${round}`)});
        }
      }),
    ).finally(() => (working = false));
    while (working) {
      await store.compact(shard, await store.revision(shard));
      // A compaction with nothing to do may be answered without leaving this turn of the event loop.
      await turn();
    }
    await writers;
    const records = [...(await store.list('things')).records];
    t.deepEqual(
      records.map((record) => `${record.key} ${record.value.toString()}`).toSorted(),
      Array.from({length: 8}, (_, writer) => `w${writer} ${writer}:39`),
    );
  });

  test('the floor survives a restart', async (t, harness) => {
    if (!harness.durable) return;
    let store = await harness.open();
    const shard = store.shardOf('things');
    const first = await create(store, 'things', 'one', 'first');
    const second = await store.commit({type: 'things', key: 'one', expected: first, value: bytes('second')});
    const third = await store.commit({type: 'things', key: 'one', expected: second, value: bytes('third')});
    await store.compact(shard, second);
    await store.close();

    store = await harness.open();
    const error = await t.throwsAsync<StoreError>(store.follow(shard, first, new LogRecorder()), {instanceOf: StoreError});
    t.is(error.code, 'Compacted');
    t.is(error.floor, second);
    const history = await store.history('things');
    t.is(history.floor, second);
    t.deepEqual(
      history.entries.map((entry) => entry.previous),
      [{revision: second, value: bytes('second')}],
    );
    t.deepEqual((await store.read('things', 'one'))?.revision, third);
  });
}
