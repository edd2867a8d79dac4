import test from 'ava';
import {setTimeout as delay} from 'node:timers/promises';
import {HistoryAge} from '../../../../plugins/stores/embedded/history-age.js';
import {EmbeddedStore} from '../../../../plugins/stores/embedded/embedded-store.js';
import {MemoryRecordTable} from '../../../../plugins/stores/embedded/memory-record-table.js';
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
  t.is([...(await store.list('things')).records].length, 1);
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

test('what is too much is outdated whatever its age, but for what was written last', (t) => {
  const age = new HistoryAge(64_000, 1000);
  for (let note = 1; note <= 80; note++) age.note(note * 500, note, 100);
  t.true(age.isTooLarge);
  const upTo = age.outdated(40_000);
  t.true(upTo >= 70 && upTo <= 73, `ten changes may stay, and three are in a span: ${upTo}`);
  t.is(age.outdated(40_000), 0);
  age.note(90_000, 81, 5000);
  t.is(age.outdated(90_000), 80);
  t.false(age.isTooLarge, 'the last span stays');
});

test('a store in memory drops replaced values that are too many, and goes on', async (t) => {
  const store = new EmbeddedStore(new MemoryRecordTable(), {
    historyMillis: 64_000,
    maximumHistoryBytes: 10_000,
    onCutFailure: (error) => t.fail(error.message),
  });
  t.teardown(() => store.close());
  let revision = 0;
  const write = async (count: number) => {
    for (let round = 0; round < count; round++) {
      revision = await store.commit({type: 'things', key: 'one', expected: revision, value: Buffer.alloc(500, 1)});
    }
  };
  await write(100);
  t.is((await store.history('things')).floor, 0, 'all were written in one span');
  await delay(1010);
  await write(1);
  await floorReaches(store, 100);
  t.deepEqual([...(await store.list('things')).records], [{key: 'one', revision, value: Buffer.alloc(500, 1)}]);
});
