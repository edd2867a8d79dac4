import test from 'ava';
import {setTimeout as delay} from 'node:timers/promises';
import {HistoryAge} from '../../../../plugins/stores/embedded/history-age.js';
import type {Store} from '../../../../sdk/index.js';
import {openEmbedded, openMemory, temporaryDirectory} from '../../../helpers/store-embedded.js';

async function floorReaches(store: Store, revision: number): Promise<void> {
  const deadline = Date.now() + 10_000;
  while ((await store.history('things')).floor < revision) {
    if (Date.now() > deadline) throw new Error(`the floor did not reach ${revision}`);
    // The log is cut by a timer of the store; nothing announces it.
    await delay(10);
  }
}

test('the log is cut by age by itself, and the state stays', async (t) => {
  const dataDir = await temporaryDirectory(t);
  for (const open of [() => openMemory({historyMillis: 200}), () => openEmbedded(dataDir, {historyMillis: 200})]) {
    const store = await open();
    const first = await store.commit({type: 'things', key: 'one', expected: 0, value: Buffer.from('first')});
    const from = performance.now();
    const second = await store.commit({type: 'things', key: 'one', expected: first, value: Buffer.from('second')});
    await floorReaches(store, second);
    // The store's clock counts whole milliseconds.
    t.true(performance.now() - from > 198, 'not before its time');
    t.deepEqual(await store.history('things'), {floor: second, revision: second, entries: []});
    t.deepEqual(await store.read('things', 'one'), {key: 'one', revision: second, value: Buffer.from('second')});
    await store.close();
  }
});

test('a restart knows the age of the log that it finds', async (t) => {
  const dataDir = await temporaryDirectory(t);
  let store = await openEmbedded(dataDir);
  const revision = await store.commit({type: 'things', key: 'one', expected: 0, value: Buffer.from('x')});
  await store.close();
  store = await openEmbedded(dataDir, {historyMillis: 100});
  await floorReaches(store, revision);
  t.is((await store.list('things')).records.length, 1);
  await store.close();
});

test('revisions are outdated once, when the last of their span is older than the history', (t) => {
  const age = new HistoryAge(64_000);
  for (let second = 0; second < 200; second++) age.note(second * 1000, second + 1);
  t.is(age.outdated(63_000), 0);
  const first = age.outdated(100_000);
  // Nothing younger than the history goes, and at most one span stays longer.
  t.true(first <= 36 && first >= 34, String(first));
  t.is(age.outdated(100_000), 0);
  t.is(age.outdated(1_000_000), 200);
  t.is(age.outdated(1_000_000), 0);
});
