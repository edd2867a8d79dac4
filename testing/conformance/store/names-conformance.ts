import {LogRecorder} from './log-recorder.js';
import type {StoreTests} from './store-harness.js';
import {bytes} from './sure-commit.js';

const keys = [
  'a',
  'a/b',
  'a/b/c',
  'a.b/c',
  'A/B',
  'kube-system/coredns-5d78c9869d-abcde',
  'system:controller:replicaset-controller',
  'with space/and more',
  '{a}/b',
  '}{',
  'a*?[x]',
  '%s%d%00',
  '"quoted"\\back',
  'größe/имя/名前/🙂',
  'nul\u0000inside',
  'line\nend\r\ttab\u007f',
  '__proto__',
  'constructor',
  'a/__proto__',
  'toString',
  '0',
  '-1',
  '1e3',
  `long/${'x'.repeat(595)}`,
  `long/${'x'.repeat(594)}y`,
  `wide/${'ü'.repeat(300)}`,
];

const types = [
  'a',
  'a.b',
  'a.b.c',
  'ab',
  'b',
  'a:b',
  'a/b',
  'a {b}',
  'configmaps',
  'leases.coordination.orch',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  `${'t'.repeat(63)}.${'g'.repeat(180)}`,
];

/** Keys and types of any legal character; none is confused with another. */
export function namesConformance({test}: StoreTests): void {
  test('a key may have any character', async (t, harness) => {
    const store = await harness.open();
    const revisions = await Promise.all(keys.map((key) => store.commit({type: 'things', key, expected: 0, value: bytes(`v:${key}`)})));
    for (const [index, key] of keys.entries()) {
      t.deepEqual(await store.read('things', key), {key, revision: revisions[index]!, value: bytes(`v:${key}`)});
    }
    const records = [...(await store.list('things')).records];
    t.deepEqual(records.map((record) => record.key).toSorted(), keys.toSorted());
    for (const record of records) t.is(record.value.toString(), `v:${record.key}`);
    t.deepEqual((await store.history('things')).entries.map((entry) => entry.key).toSorted(), keys.toSorted());
    for (const [index, key] of keys.entries()) {
      await store.commit({type: 'things', key, expected: revisions[index]!, value: null});
      t.is(await store.read('things', key), undefined);
    }
    t.deepEqual([...(await store.list('things')).records], []);
  });

  test('a type may have any character and never shows the records of another', async (t, harness) => {
    let store = await harness.open();
    const recorders = await Promise.all(
      Array.from({length: store.shards}, async (_, shard) => {
        const recorder = new LogRecorder();
        await store.follow(shard, 0, recorder);
        return recorder;
      }),
    );
    for (const type of types) {
      // Keys chosen so that type and key joined by a character would be ambiguous.
      for (const key of ['b/c', 'c', 'b', '__proto__']) {
        await store.commit({type, key, expected: 0, value: bytes(`${type}|${key}`)});
      }
    }
    const check = async () => {
      for (const type of types) {
        const records = [...(await store.list(type)).records];
        t.deepEqual(
          records.map((record) => `${record.key}=${record.value.toString()}`).toSorted(),
          ['b/c', 'c', 'b', '__proto__'].map((key) => `${key}=${type}|${key}`).toSorted(),
          type,
        );
        const {entries} = await store.history(type);
        t.deepEqual(
          entries.map((entry) => entry.type),
          [type, type, type, type],
        );
      }
      t.deepEqual([...(await store.list('never.used')).records], []);
      t.deepEqual([...(await store.list('valueOf')).records], []);
      t.is(await store.read('toString', 'name'), undefined);
    };
    await check();
    for (const [shard, recorder] of recorders.entries()) {
      await recorder.reached(await store.revision(shard));
      for (const entry of recorder.entries) {
        t.is(store.shardOf(entry.type), shard);
        t.is(entry.value?.toString(), `${entry.type}|${entry.key}`);
      }
    }
    t.is(recorders.flatMap((recorder) => recorder.entries).length, types.length * 4);
    if (harness.durable) {
      await store.close();
      store = await harness.open();
      await check();
    }
  });
}
