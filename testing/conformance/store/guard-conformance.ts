import {StoreError, type Commit, type CommitGuard, type Store} from '../../../sdk/index.js';
import type {StoreTests} from './store-harness.js';
import {bytes, create} from './sure-commit.js';

/** A type whose record `leader` is in the place of the records of a namespace: guards cannot reach further. */
function beside(store: Store, type: string): string {
  const placeOf = (one: string, key: string) => store.placeOf?.(one, key) ?? store.shardOf(one);
  for (let n = 0; ; n++) if (placeOf(`guards${n}`, 'leader') === placeOf(type, 'space/one')) return `guards${n}`;
}

/** Guards: a commit that depends on another record. */
export function guardConformance({test}: StoreTests): void {
  test('a commit with a guard takes effect only while the guard is at its revision', async (t, harness) => {
    const store = await harness.open();
    const type = beside(store, 'things');
    const revision = await create(store, type, 'leader', 'first');
    const guard: CommitGuard = {type, key: 'leader', revision};
    const one = await store.commit({type: 'things', key: 'space/one', expected: 0, value: bytes('a'), guard});
    const next = await store.commit({type: 'things', key: 'space/one', expected: one, value: bytes('b'), guard});
    await store.commit({type, key: 'leader', expected: revision, value: bytes('second')});
    const latest = await store.revision(store.shardOf('things'));
    const refused: Commit[] = [
      {type: 'things', key: 'space/two', expected: 0, value: bytes('c'), guard},
      {type: 'things', key: 'space/one', expected: next, value: bytes('c'), guard},
      {type: 'things', key: 'space/one', expected: next, value: null, guard},
    ];
    for (const change of refused) {
      const error = await t.throwsAsync<StoreError>(store.commit(change), {instanceOf: StoreError});
      t.is(error.code, 'Fenced');
      t.false(error.indeterminate);
    }
    t.is(await store.revision(store.shardOf('things')), latest);
    t.deepEqual((await store.read('things', 'space/one'))?.value, bytes('b'));
  });

  test('a guard that is missing, or was removed, lets nothing pass', async (t, harness) => {
    const store = await harness.open();
    const type = beside(store, 'things');
    const absent = store.commit({
      type: 'things',
      key: 'space/one',
      expected: 0,
      value: bytes('a'),
      guard: {type, key: 'leader', revision: 1},
    });
    t.is((await t.throwsAsync<StoreError>(absent)).code, 'Fenced');
    const revision = await create(store, type, 'leader', 'first');
    await store.commit({type, key: 'leader', expected: revision, value: null});
    const removed = store.commit({
      type: 'things',
      key: 'space/one',
      expected: 0,
      value: bytes('a'),
      guard: {type, key: 'leader', revision},
    });
    t.is((await t.throwsAsync<StoreError>(removed)).code, 'Fenced');
    t.is(await store.read('things', 'space/one'), undefined);
  });

  test('commits that are sent behind a change of their guard are refused, those before it are not', async (t, harness) => {
    const store = await harness.open();
    const type = beside(store, 'things');
    const revision = await create(store, type, 'leader', 'first');
    const guard: CommitGuard = {type, key: 'leader', revision};
    const before = store.commit({type: 'things', key: 'space/before', expected: 0, value: bytes('a'), guard});
    const change = store.commit({type, key: 'leader', expected: revision, value: bytes('second')});
    const after = store.commit({type: 'things', key: 'space/after', expected: 0, value: bytes('a'), guard});
    const outcomes = await Promise.allSettled([before, change, after]);
    t.deepEqual(
      outcomes.map(({status}) => status),
      ['fulfilled', 'fulfilled', 'rejected'],
    );
    t.is((await store.read('things', 'space/after'))?.revision, undefined);
  });

  test('when a commit is refused because of its guard, the store is at the change of the guard', async (t, harness) => {
    const store = await harness.open();
    const type = beside(store, 'things');
    const revision = await create(store, type, 'leader', 'first');
    const change = store.commit({type, key: 'leader', expected: revision, value: bytes('second')});
    const guard: CommitGuard = {type, key: 'leader', revision};
    const refused = store.commit({type: 'things', key: 'space/one', expected: 0, value: bytes('a'), guard});
    t.is((await t.throwsAsync<StoreError>(refused)).code, 'Fenced');
    // Who tries again waits for this revision, and has to see the change with it.
    const seen = await store.revision(store.shardOf(type));
    t.true(seen >= (await change));
  });
}
