import test from 'ava';
import {EmbeddedStore} from '../../../../plugins/stores/embedded/embedded-store.js';
import {MemoryRecordTable} from '../../../../plugins/stores/embedded/memory-record-table.js';
import type {ChangeHeader, ChangeRecord, RecordTable, TableWrite} from '../../../../plugins/stores/embedded/record-table.js';
import {StoreError, type LogListener} from '../../../../sdk/index.js';
import {LogRecorder} from '../../../../testing/conformance/store/log-recorder.js';

/** A table in memory whose writes end when the test says so, and as the test says: done, failed, or failed and done all the same. */
class ScriptedTable extends MemoryRecordTable implements RecordTable {
  readonly writes: {readonly write: TableWrite; end(outcome: 'done' | 'failed' | 'failed-but-done'): void}[] = [];
  private readonly kept: ChangeRecord[] = [];
  private began: (() => void)[] = [];

  override headers(after = 0): Iterable<ChangeHeader> {
    return this.kept.filter((record) => record.revision > after);
  }

  override write(write: TableWrite): Promise<void> {
    return new Promise((resolve, reject) => {
      this.writes.push({
        write,
        end: (outcome) => {
          if (outcome !== 'failed') {
            void super.write(write);
            this.kept.push(...write.records);
          }
          if (outcome === 'done') resolve();
          else reject(new Error('no space left on device'));
        },
      });
      for (const wake of this.began.splice(0)) wake();
    });
  }

  /** Resolves with a write when it has begun. */
  async begun(index: number) {
    while (this.writes.length <= index) await new Promise<void>((resolve) => this.began.push(resolve));
    return this.writes[index]!;
  }
}

function openScripted() {
  const table = new ScriptedTable();
  const store = new EmbeddedStore(table, {
    historyMillis: 300_000,
    onCutFailure: (error) => {
      throw error;
    },
  });
  const put = (key: string, text: string, expected = 0) => store.commit({type: 'things', key, expected, value: Buffer.from(text)});
  return {table, store, put};
}

test('commits that come during a write are written together by the next one', async (t) => {
  const {table, store, put} = openScripted();
  const first = put('a', '1');
  const one = await table.begun(0);
  const rest = ['b', 'c', 'd'].map((key) => put(key, '1'));
  one.end('done');
  t.is(await first, 1);
  const two = await table.begun(1);
  t.deepEqual(
    two.write.records.map((record) => record.key),
    ['b', 'c', 'd'],
  );
  two.end('done');
  t.deepEqual(await Promise.all(rest), [2, 3, 4]);
  await store.close();
});

test('a write is neither read nor answered before it is durable, and a refusal that rests on it waits too', async (t) => {
  const {table, store, put} = openScripted();
  const recorder = new LogRecorder();
  await store.follow(0, 0, recorder);
  const events: string[] = [];
  const first = put('a', '1').then(() => events.push(`answered with ${recorder.revisions.join()} delivered`));
  const second = put('a', '2').catch((error: unknown) => events.push(StoreError.is(error) ? error.code : 'other'));
  const write = await table.begun(0);
  t.is(await store.read('things', 'a'), undefined);
  t.is(store.revision(), 0);
  t.deepEqual(recorder.revisions, []);
  t.deepEqual(events, []);
  write.end('done');
  await Promise.all([first, second]);
  t.deepEqual(events, ['answered with 1 delivered', 'Exists']);
  await store.close();
});

/** A follower that takes some time for each delivery. */
const slowFollower: LogListener = {
  wants: () => true,
  onEntries: () => {
    const end = performance.now() + 0.1;
    while (performance.now() < end);
  },
  onEnd: () => undefined,
};

test('what was written together is made known over several turns of the event loop, in its order', async (t) => {
  const {table, store, put} = openScripted();
  await store.follow(0, 0, slowFollower);
  let turn = 0;
  const next = () => {
    turn += 1;
    immediate = setImmediate(next);
  };
  let immediate = setImmediate(next);
  const known: {revision: number; turn: number}[] = [];
  const all = Array.from({length: 40}, (_, index) => put(String(index), '1').then((revision) => known.push({revision, turn})));
  (await table.begun(0)).end('done');
  await Promise.all(all);
  clearImmediate(immediate);
  t.deepEqual(
    known.map(({revision}) => revision),
    Array.from({length: 40}, (_, index) => index + 1),
  );
  t.true(new Set(known.map((one) => one.turn)).size >= 5);
  await store.close();
});

test('what was written is made known once, and before the failure of the write that followed', async (t) => {
  const {table, store, put} = openScripted();
  const recorder = new LogRecorder();
  await store.follow(0, 0, slowFollower);
  await store.follow(0, 0, recorder);
  const written = Array.from({length: 40}, (_, index) => put(String(index), '1'));
  const first = await table.begun(0);
  const failing = put('more', '1').catch((error: unknown) => StoreError.is(error) && `${error.code} behind ${recorder.revisions.length}`);
  first.end('done');
  // The second write has begun while the commits of the first one are still being made known.
  const second = await table.begun(1);
  t.true(recorder.revisions.length < 40, String(recorder.revisions.length));
  second.end('failed');
  t.is(await failing, 'Unavailable behind 40');
  t.deepEqual(await Promise.all(written), recorder.revisions);
  t.deepEqual(recorder.faults, []);
  await store.close();
});

test('an update may follow an update that is still being written', async (t) => {
  const {table, store, put} = openScripted();
  const first = put('a', '1');
  const one = await table.begun(0);
  const second = put('a', '2', 1);
  const third = store.commit({type: 'things', key: 'a', expected: 2, value: null});
  one.end('done');
  (await table.begun(1)).end('done');
  t.deepEqual(await Promise.all([first, second, third]), [1, 2, 3]);
  t.is(await store.read('things', 'a'), undefined);
  await store.close();
});

test('a failed write fails its commits as indeterminate and those that waited as without effect', async (t) => {
  const {table, store, put} = openScripted();
  const recorder = new LogRecorder();
  await store.follow(0, 0, recorder);
  const failing = put('a', '1');
  const write = await table.begun(0);
  const calls = [failing, put('a', '2'), put('b', '1'), put('a', '3', 1)];
  const outcome = Promise.allSettled(calls);
  write.end('failed');
  const errors = (await outcome).map((result) => (result.status === 'rejected' ? (result.reason as StoreError) : undefined));
  t.deepEqual(
    errors.map((error) => error?.code),
    ['Unavailable', 'Unavailable', 'Unavailable', 'Unavailable'],
  );
  t.deepEqual(
    errors.map((error) => error?.indeterminate),
    [true, false, false, false],
  );
  t.is(errors[0]?.message, 'the store could not write: no space left on device');
  t.is(await store.read('things', 'a'), undefined);

  // The store goes on, and the revisions that were promised to nobody are left out.
  const again = put('a', 'again');
  (await table.begun(1)).end('done');
  const revision = await again;
  t.true(revision > 3);
  t.deepEqual(recorder.revisions, [revision]);
  t.is((await store.read('things', 'a'))?.value.toString(), 'again');
  await store.close();
});

test('a failed write that is on disk all the same becomes part of state and log', async (t) => {
  const {table, store, put} = openScripted();
  const recorder = new LogRecorder();
  await store.follow(0, 0, recorder);
  const failing = put('a', '1');
  (await table.begun(0)).end('failed-but-done');
  const error = await t.throwsAsync<StoreError>(failing, {instanceOf: StoreError});
  t.true(error.indeterminate);
  await recorder.reached(1);
  t.deepEqual(
    recorder.entries.map((entry) => entry.value?.toString()),
    ['1'],
  );
  t.deepEqual(await store.read('things', 'a'), {key: 'a', revision: 1, value: Buffer.from('1')});
  const second = put('a', '2', 1);
  (await table.begun(1)).end('done');
  t.is(await second, 2);
  await store.close();
});

test('ping rejects after a failed write until a write succeeds', async (t) => {
  const {table, store, put} = openScripted();
  await store.ping();
  const failing = put('a', '1');
  (await table.begun(0)).end('failed');
  await t.throwsAsync(failing);
  const stillBroken = store.ping();
  (await table.begun(1)).end('failed');
  await t.throwsAsync(stillBroken, {message: 'the store could not write: no space left on device'});
  const healed = store.ping();
  (await table.begun(2)).end('done');
  await t.notThrowsAsync(healed);
  await t.notThrowsAsync(store.ping());
  await store.close();
});

test('close answers what is being written and what waits before it ends', async (t) => {
  const {table, store, put} = openScripted();
  const first = put('a', '1');
  const one = await table.begun(0);
  const second = put('b', '1');
  const recorder = new LogRecorder();
  await store.follow(0, 0, recorder);
  const closed = store.close();
  await t.throwsAsync(put('c', '1'), {message: 'the store is closed'});
  t.is(recorder.end, undefined);
  one.end('done');
  (await table.begun(1)).end('done');
  await closed;
  t.deepEqual(await Promise.all([first, second]), [1, 2]);
  t.deepEqual(recorder.revisions, [1, 2]);
  t.true(StoreError.is(recorder.end) && recorder.end.code === 'Closed');
});

test('what a failed cut has not removed is removed by the next one, before what came later', async (t) => {
  const {table, store, put} = openScripted();
  const written = async (index: number, outcome: 'done' | 'failed') => (await table.begun(index)).end(outcome);
  const first = put('a', '1');
  await written(0, 'done');
  const second = put('a', '2', await first);
  await written(1, 'done');
  const failing = store.compact(0, await second);
  await written(2, 'failed');
  await t.throwsAsync(failing, {message: /could not write/});
  const gone = store.commit({type: 'things', key: 'a', expected: await second, value: null});
  await written(3, 'done');
  const cut = store.compact(0, await gone);
  await written(4, 'done');
  await cut;
  // The deletion last: it hides the record of the first change.
  t.deepEqual(table.writes[4]!.write.remove, [await first, await second, await gone]);
  await store.close();
});
