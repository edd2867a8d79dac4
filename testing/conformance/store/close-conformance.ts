import {setTimeout as delay} from 'node:timers/promises';
import {StoreError, type Store} from '../../../sdk/index.js';
import {LogRecorder} from './log-recorder.js';
import type {StoreTests} from './store-harness.js';
import {bytes, create} from './sure-commit.js';

/** Closing a store: who waits is answered, who follows is told, nothing stays behind. */
export function closeConformance({test, alone}: StoreTests): void {
  alone('an opened store can be reached, and a closed one leaves no socket, timer or other handle behind', async (t, harness) => {
    const before = handles();
    const store = await harness.open();
    await t.notThrowsAsync(store.ping());
    const recorder = new LogRecorder();
    await store.follow(store.shardOf('things'), 0, recorder);
    await recorder.reached(await create(store, 'things', 'one', 'x'));
    await store.close();
    const deadline = Date.now() + 3000;
    // Sockets and timers end in a later turn of the event loop than the promise that says so.
    while (surplus(before).length > 0 && Date.now() < deadline) await delay(10);
    t.deepEqual(surplus(before), []);
  });

  test('close ends followers with Closed, once', async (t, harness) => {
    const store = await harness.open();
    const recorders = [new LogRecorder(), new LogRecorder()];
    for (const recorder of recorders) await store.follow(store.shardOf('things'), 0, recorder);
    const revision = await create(store, 'things', 'one', 'x');
    await Promise.all(recorders.map((recorder) => recorder.reached(revision)));
    await store.close();
    for (const recorder of recorders) {
      const error = await recorder.ended();
      t.true(StoreError.is(error) && error.code === 'Closed', String(error));
      t.deepEqual(recorder.faults, []);
      t.deepEqual(recorder.revisions, [revision]);
    }
  });

  test('after close every call rejects with Closed', async (t, harness) => {
    const store = await harness.open();
    const revision = await create(store, 'things', 'one', 'x');
    await store.close();
    const calls: Record<string, (closed: Store) => unknown> = {
      read: (closed) => closed.read('things', 'one'),
      list: (closed) => closed.list('things'),
      history: (closed) => closed.history('things'),
      create: (closed) => closed.commit({type: 'things', key: 'two', expected: 0, value: bytes('x')}),
      update: (closed) => closed.commit({type: 'things', key: 'one', expected: revision, value: bytes('x')}),
      follow: (closed) => closed.follow(0, 0, new LogRecorder()),
      compact: (closed) => closed.compact(0, 1),
      revision: (closed) => closed.revision(0),
      ping: (closed) => closed.ping(),
    };
    for (const [name, call] of Object.entries(calls)) {
      const error = await t.throwsAsync(async () => call(store), undefined, name);
      t.true(StoreError.is(error) && error.code === 'Closed', `${name}: ${String(error)}`);
    }
  });

  test('close may be called twice', async (t, harness) => {
    const store = await harness.open();
    await create(store, 'things', 'one', 'x');
    await t.notThrowsAsync(Promise.all([store.close(), store.close()]));
    await t.notThrowsAsync(store.close());
  });

  test('close waits for commits under way: each is answered, and what was answered is kept', async (t, harness) => {
    const store = await harness.open();
    const commits = Array.from({length: 50}, (_, index) => create(store, 'things', `k${index}`, `v${index}`));
    const answered: number[] = [];
    for (const [index, commit] of commits.entries()) {
      commit.then(
        () => answered.push(index),
        () => undefined,
      );
    }
    await store.close();
    const outcome = await Promise.allSettled(commits);
    t.deepEqual(
      outcome.map((result) => result.status),
      commits.map(() => 'fulfilled'),
    );
    if (!harness.durable) return;
    const again = await harness.open();
    t.deepEqual(
      [...(await again.list('things')).records].map((record) => record.key).toSorted(),
      commits.map((_, index) => `k${index}`).toSorted(),
    );
    t.is(answered.length, 50);
  });
}

/** Active resources by kind. Files and immediates are left out: they belong to whatever the process does at the moment. */
function handles(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) {
    if (/^(FSReq|Immediate|CloseReq)/.test(kind)) continue;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

function surplus(before: Map<string, number>): string[] {
  return [...handles()].filter(([kind, count]) => count > (before.get(kind) ?? 0)).map(([kind]) => kind);
}
