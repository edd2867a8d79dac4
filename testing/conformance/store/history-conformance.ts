import {LogRecorder} from './log-recorder.js';
import type {StoreTests} from './store-harness.js';
import {bytes, create} from './sure-commit.js';

/** The retained log of a type. */
export function historyConformance({test}: StoreTests): void {
  test('the history of a type has its changes only, oldest first, up to the revision it names', async (t, harness) => {
    const store = await harness.open();
    const mine: number[] = [];
    for (let index = 0; index < 10; index++) {
      mine.push(await create(store, 'things', `k${index}`, 'x'));
      await create(store, 'others', `k${index}`, 'x');
    }
    const history = await store.history('things');
    t.deepEqual(
      history.entries.map((entry) => entry.revision),
      mine,
    );
    t.true(history.entries.every((entry) => entry.type === 'things'));
    t.is(history.floor, 0);
    t.is(history.revision, await store.revision(store.shardOf('things')));
  });

  test('the history reaches every commit that was answered before it', async (t, harness) => {
    const store = await harness.open();
    await Promise.all(
      Array.from({length: 16}, async (_, writer) => {
        const revision = await create(store, 'things', `w${writer}`, 'x');
        const {entries, revision: upTo} = await store.history('things');
        t.true(upTo >= revision);
        t.true(entries.some((entry) => entry.revision === revision));
      }),
    );
  });

  test('history and log survive a restart with previous values, and go on behind it', async (t, harness) => {
    if (!harness.durable) return;
    let store = await harness.open();
    const shard = store.shardOf('things');
    const first = await create(store, 'things', 'one', 'first');
    const second = await store.commit({type: 'things', key: 'one', expected: first, value: bytes('second')});
    const third = await create(store, 'others', 'two', 'x');
    const fourth = await store.commit({type: 'things', key: 'one', expected: second, value: null});
    const before = await store.history('things');
    await store.close();

    store = await harness.open();
    t.deepEqual(await store.history('things'), before);
    const recorder = new LogRecorder();
    await store.follow(shard, 0, recorder);
    const fifth = await create(store, 'things', 'one', 'again');
    await recorder.reached(fifth);
    const expected = store.shardOf('others') === shard ? [first, second, third, fourth, fifth] : [first, second, fourth, fifth];
    t.deepEqual(recorder.revisions, expected);
    const deletion = recorder.entries.find((entry) => entry.revision === fourth);
    t.deepEqual(deletion?.previous, {revision: second, value: bytes('second')});
    t.is(recorder.entries.at(-1)?.previous, undefined);
  });
}
