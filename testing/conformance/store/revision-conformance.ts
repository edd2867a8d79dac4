import type {StoreTests} from './store-harness.js';
import {bytes, create} from './sure-commit.js';

/** Revisions of a shard: at least 1, growing, never used twice, known as soon as a commit is answered. */
export function revisionConformance({test}: StoreTests): void {
  test('a type lives in one shard, always the same', async (t, harness) => {
    const store = await harness.open();
    t.true(Number.isInteger(store.shards) && store.shards >= 1);
    t.true(store.durability.length > 0);
    for (const type of ['configmaps', 'leases.coordination.orch', '__proto__', 'a', 'a.b']) {
      const shard = store.shardOf(type);
      t.true(Number.isInteger(shard) && shard >= 0 && shard < store.shards, type);
      t.is(store.shardOf(type), shard);
    }
  });

  test('revisions of a shard grow with every commit and start at 1 or above', async (t, harness) => {
    const store = await harness.open();
    const shard = store.shardOf('things');
    let last = await store.revision(shard);
    t.true(last >= 0);
    for (let index = 0; index < 20; index++) {
      const revision = await create(store, 'things', `k${index}`, 'x');
      t.true(revision > last && revision >= 1, `${revision} after ${last}`);
      last = revision;
      t.true((await store.revision(shard)) >= revision);
    }
    t.is(await store.revision(shard), last);
  });

  test('the revision of a shard is not behind any commit that was answered', async (t, harness) => {
    const store = await harness.open();
    const shard = store.shardOf('things');
    await Promise.all(
      Array.from({length: 32}, async (_, writer) => {
        for (let round = 0; round < 10; round++) {
          const revision = await create(store, 'things', `${writer}/${round}`, 'x');
          const known = await store.revision(shard);
          t.true(known >= revision, `${known} after ${revision}`);
          t.is((await store.read('things', `${writer}/${round}`))?.revision, revision);
        }
      }),
    );
  });

  test('two types have the revisions of their shards', async (t, harness) => {
    const store = await harness.open();
    const a = await create(store, 'a', 'one', 'x');
    const b = await create(store, 'b', 'one', 'x');
    if (store.shardOf('a') === store.shardOf('b')) t.true(b > a);
    t.is(await store.revision(store.shardOf('b')), b);
    t.true((await store.revision(store.shardOf('a'))) >= a);
  });

  test('what is stored and its revision survive a restart, and no revision is used again', async (t, harness) => {
    if (!harness.durable) return;
    let store = await harness.open();
    const first = await create(store, 'things', 'one', 'first');
    const second = await create(store, 'things', 'two', 'second');
    // The last change is a deletion that is then compacted away: nothing but the counter can know its revision.
    const last = await store.commit({type: 'things', key: 'two', expected: second, value: null});
    await store.compact(store.shardOf('things'), last);
    await store.close();

    store = await harness.open();
    t.is(await store.revision(store.shardOf('things')), last);
    t.deepEqual([...(await store.list('things')).records], [{key: 'one', revision: first, value: bytes('first')}]);
    t.true((await create(store, 'things', 'two', 'again')) > last);
  });

  test('a commit answered by one server is known to another at once', async (t, harness) => {
    if (!harness.shared) return;
    const [one, two] = await Promise.all([harness.open(), harness.open()]);
    t.is(one.shards, two.shards);
    const shard = one.shardOf('things');
    t.is(two.shardOf('things'), shard);
    await Promise.all(
      Array.from({length: 8}, async (_, writer) => {
        let expected = 0;
        for (let round = 0; round < 20; round++) {
          const [writing, reading] = round % 2 === 0 ? [one, two] : [two, one];
          expected = await writing.commit({type: 'things', key: `w${writer}`, expected, value: bytes(`${round}`)});
          t.true((await reading.revision(shard)) >= expected);
          t.is((await reading.read('things', `w${writer}`))?.revision, expected);
        }
      }),
    );
    t.is(await one.revision(shard), await two.revision(shard));
  });
}
