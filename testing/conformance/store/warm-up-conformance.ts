import {setImmediate as turn} from 'node:timers/promises';
import type {StoredRecord, Store, TypeContents} from '../../../sdk/index.js';
import {inOrderOfKeys} from './in-order-of-keys.js';
import {LogRecorder} from './log-recorder.js';
import type {StoreTests} from './store-harness.js';
import {bytes} from './sure-commit.js';

/** The list that warms a cache, and the log that is applied to it. */
export function warmUpConformance({test}: StoreTests): void {
  test('the log applied to a list taken during writes gives the exact final state', async (t, harness) => {
    const store = await harness.open();
    const shard = store.shardOf('things');
    let working = true;
    const writers = Promise.all(Array.from({length: 8}, (_, writer) => write(store, writer, 40))).finally(() => (working = false));
    const caches: {contents: TypeContents; recorder: LogRecorder}[] = [];
    while (working) {
      const contents = await store.list('things');
      const recorder = new LogRecorder(contents.revision);
      await store.follow(shard, contents.revision, recorder);
      caches.push({contents, recorder});
      if (caches.length >= 50) break;
      await turn();
    }
    await writers;
    t.true(caches.length > 0);
    const last = await store.revision(shard);
    const final = byKey([...(await store.list('things')).records]);
    for (const {contents, recorder} of caches) {
      await recorder.reached(last);
      t.deepEqual(recorder.faults, []);
      const state = byKey(contents.records);
      for (const entry of recorder.entries) {
        if (entry.type !== 'things') continue;
        const known = state.get(entry.key);
        if (known !== undefined && known.revision >= entry.revision) continue;
        if (entry.value === null) state.delete(entry.key);
        else state.set(entry.key, {key: entry.key, revision: entry.revision, value: entry.value});
      }
      t.deepEqual(inOrderOfKeys(state), inOrderOfKeys(final));
    }
  });

  test('a list has every commit that was answered before it', async (t, harness) => {
    const store = await harness.open();
    await Promise.all(
      Array.from({length: 8}, async (_, writer) => {
        for (let round = 0; round < 10; round++) {
          const key = `${writer}/${round}`;
          const revision = await store.commit({type: 'things', key, expected: 0, value: bytes(key)});
          const contents = await store.list('things');
          t.is([...contents.records].find((record) => record.key === key)?.revision, revision);
          t.true(contents.revision >= revision);
        }
      }),
    );
  });

  test('the list of an empty type is empty and names the revision of its shard', async (t, harness) => {
    const store = await harness.open();
    const revision = await store.commit({type: 'things', key: 'one', expected: 0, value: bytes('x')});
    t.deepEqual([...(await store.list('nothing')).records], []);
    t.is((await store.list('things')).revision, revision);
    t.deepEqual(await store.history('nothing'), {floor: 0, revision: await store.revision(store.shardOf('nothing')), entries: []});
  });
}

function byKey(records: Iterable<StoredRecord>): Map<string, StoredRecord> {
  return new Map(Array.from(records, (record) => [record.key, record]));
}

/** Creates, updates, deletes and creates again, in an order of its own. */
async function write(store: Store, writer: number, rounds: number): Promise<void> {
  const revisions = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    const key = `w${writer}/${(round * (writer + 3)) % 5}`;
    const expected = revisions.get(key) ?? 0;
    const value = expected !== 0 && round % 4 === 0 ? null : bytes(`${writer}:${round}`);
    const revision = await store.commit({type: 'things', key, expected, value});
    if (value === null) revisions.delete(key);
    else revisions.set(key, revision);
  }
}
