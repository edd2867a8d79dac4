import {StoreError, type Store} from '../../../sdk/index.js';
import {inOrderOfKeys} from './in-order-of-keys.js';
import type {StoreTests} from './store-harness.js';
import {bytes, create} from './sure-commit.js';

/** Compare-and-commit: what each `expected` allows, and that exactly one of many writers wins. */
export function commitConformance({test}: StoreTests): void {
  test('a create stores the bytes under the revision it answers', async (t, harness) => {
    const store = await harness.open();
    const revision = await create(store, 'things', 'default/one', 'first');
    t.true(Number.isSafeInteger(revision) && revision >= 1);
    t.deepEqual(await store.read('things', 'default/one'), {key: 'default/one', revision, value: bytes('first')});
    t.is(await store.read('things', 'default/two'), undefined);
    t.is(await store.read('others', 'default/one'), undefined);
  });

  test('a create of a key that exists is refused with Exists and the record', async (t, harness) => {
    const store = await harness.open();
    const revision = await create(store, 'things', 'one', 'first');
    const error = await t.throwsAsync<StoreError>(create(store, 'things', 'one', 'second'), {instanceOf: StoreError});
    t.is(error.code, 'Exists');
    t.deepEqual(error.current, {key: 'one', revision, value: bytes('first')});
    t.false(error.indeterminate);
    t.deepEqual((await store.read('things', 'one'))?.value, bytes('first'));
  });

  test('an update takes effect only at the expected revision', async (t, harness) => {
    const store = await harness.open();
    const first = await create(store, 'things', 'one', 'first');
    const second = await store.commit({type: 'things', key: 'one', expected: first, value: bytes('second')});
    t.true(second > first);
    const stale = await t.throwsAsync<StoreError>(store.commit({type: 'things', key: 'one', expected: first, value: bytes('third')}), {
      instanceOf: StoreError,
    });
    t.is(stale.code, 'Mismatch');
    t.deepEqual(stale.current, {key: 'one', revision: second, value: bytes('second')});
    const future = await t.throwsAsync<StoreError>(
      store.commit({type: 'things', key: 'one', expected: second + 1000, value: bytes('third')}),
      {instanceOf: StoreError},
    );
    t.is(future.code, 'Mismatch');
    t.deepEqual(await store.read('things', 'one'), {key: 'one', revision: second, value: bytes('second')});
  });

  test('a delete takes effect only at the expected revision, and the key can be created again', async (t, harness) => {
    const store = await harness.open();
    const first = await create(store, 'things', 'one', 'first');
    const second = await store.commit({type: 'things', key: 'one', expected: first, value: bytes('second')});
    const stale = await t.throwsAsync<StoreError>(store.commit({type: 'things', key: 'one', expected: first, value: null}));
    t.is(stale?.code, 'Mismatch');
    t.is(stale?.current?.revision, second);
    const deleted = await store.commit({type: 'things', key: 'one', expected: second, value: null});
    t.true(deleted > second);
    t.is(await store.read('things', 'one'), undefined);
    t.deepEqual([...(await store.list('things')).records], []);
    t.true((await create(store, 'things', 'one', 'again')) > deleted);
  });

  test('an update or a delete of a key that does not exist is refused with Missing', async (t, harness) => {
    const store = await harness.open();
    const revision = await create(store, 'things', 'one', 'first');
    await store.commit({type: 'things', key: 'one', expected: revision, value: null});
    for (const key of ['one', 'never']) {
      for (const value of [bytes('x'), null]) {
        const error = await t.throwsAsync<StoreError>(store.commit({type: 'things', key, expected: revision, value}));
        t.is(error?.code, 'Missing', `${key} ${value === null ? 'delete' : 'update'}`);
        t.is(error?.current, undefined);
      }
    }
  });

  test('a refused commit changes neither the revision nor the log', async (t, harness) => {
    const store = await harness.open();
    const revision = await create(store, 'things', 'one', 'first');
    await t.throwsAsync(create(store, 'things', 'one', 'second'));
    await t.throwsAsync(store.commit({type: 'things', key: 'two', expected: 1, value: null}));
    t.is(await store.revision(store.shardOf('things')), revision);
    t.is((await store.history('things')).entries.length, 1);
  });

  test('changes of one key that are sent together take effect in the order in which they were sent', async (t, harness) => {
    const store = await harness.open();
    const creates = [0, 1, 2, 3].map((index) => create(store, 'things', 'one', `v${index}`));
    const outcome = await Promise.allSettled(creates);
    t.deepEqual(
      outcome.map((result) => result.status),
      ['fulfilled', 'rejected', 'rejected', 'rejected'],
    );
    const revision = await creates[0]!;
    for (const result of outcome.slice(1)) {
      const reason: unknown = result.status === 'rejected' ? result.reason : undefined;
      t.true(StoreError.is(reason) && reason.code === 'Exists');
      t.deepEqual((reason as StoreError).current, {key: 'one', revision, value: bytes('v0')});
    }
  });

  test('of 64 concurrent writers on one key exactly one wins each revision', async (t, harness) => {
    const store = await harness.open();
    const wins: {expected: number; revision: number}[] = [];
    await Promise.all(Array.from({length: 64}, () => countUp(store, 4, wins)));
    const record = await store.read('counters', 'one');
    t.is(record?.value.toString(), String(64 * 4));
    t.is(wins.length, 64 * 4);
    t.is(new Set(wins.map((win) => win.expected)).size, wins.length, 'a revision was replaced twice');
    t.is(new Set(wins.map((win) => win.revision)).size, wins.length, 'a revision was given twice');
    t.is(record?.revision, Math.max(...wins.map((win) => win.revision)));
    // Each write replaced the one before: the chain from creation to the end has no break.
    const next = new Map(wins.map((win) => [win.expected, win.revision]));
    let length = 0;
    for (let at = 0; next.has(at); at = next.get(at)!) length++;
    t.is(length, wins.length);
  });

  test('64 concurrent writers on keys of their own all succeed', async (t, harness) => {
    const store = await harness.open();
    const revisions = await Promise.all(
      Array.from({length: 64}, async (_, writer) => {
        const mine: number[] = [];
        let expected = 0;
        for (let round = 0; round < 10; round++) {
          expected = await store.commit({type: 'things', key: `w${writer}`, expected, value: bytes(`${writer}/${round}`)});
          mine.push(expected);
        }
        return mine;
      }),
    );
    for (const mine of revisions)
      t.deepEqual(
        mine,
        mine.toSorted((a, b) => a - b),
      );
    t.is(new Set(revisions.flat()).size, 640);
    const records = [...(await store.list('things')).records];
    t.deepEqual(
      inOrderOfKeys(new Map(records.map((record) => [record.key, record.value.toString()]))),
      inOrderOfKeys(new Map(Array.from({length: 64}, (_, writer) => [`w${writer}`, `${writer}/9`]))),
    );
  });
}

/** Adds one to a counter, as often as asked, by compare-and-commit; each success is noted in `wins`. */
async function countUp(store: Store, times: number, wins: {expected: number; revision: number}[]): Promise<void> {
  let current = await store.read('counters', 'one');
  for (let done = 0; done < times;) {
    const expected = current?.revision ?? 0;
    const value = bytes(String(Number(current?.value.toString() ?? 0) + 1));
    try {
      const revision = await store.commit({type: 'counters', key: 'one', expected, value});
      wins.push({expected, revision});
      current = {key: 'one', revision, value};
      done++;
    } catch (error) {
      if (!StoreError.is(error) || (error.code !== 'Mismatch' && error.code !== 'Exists')) throw error;
      current = error.current;
    }
  }
}
