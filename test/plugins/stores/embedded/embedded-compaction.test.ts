import test from 'ava';
import {join} from 'node:path';
import {open} from 'lmdb';
import {openEmbedded, temporaryDirectory} from '../../../helpers/store-embedded.js';

function openRaw(dataDir: string) {
  return open<Buffer, number | string>({path: join(dataDir, 'store'), noSubdir: false, encoding: 'binary', overlappingSync: false});
}

test('the bytes of an object are on disk once, and go when neither state nor log needs them', async (t) => {
  const dataDir = await temporaryDirectory(t);
  let store = await openEmbedded(dataDir);
  const first = await store.commit({type: 'things', key: 'one', expected: 0, value: Buffer.from('first')});
  const second = await store.commit({type: 'things', key: 'one', expected: first, value: Buffer.from('second')});
  const doomed = await store.commit({type: 'things', key: 'two', expected: 0, value: Buffer.from('doomed')});
  const deleted = await store.commit({type: 'things', key: 'two', expected: doomed, value: null});
  const third = await store.commit({type: 'things', key: 'one', expected: second, value: Buffer.from('third')});
  await store.close();
  let db = openRaw(dataDir);
  t.deepEqual([...db.getKeys()], [first, second, doomed, deleted, third, 'format', 'lineage']);
  await db.close();

  store = await openEmbedded(dataDir);
  await store.compact(0, deleted);
  await store.close();
  db = openRaw(dataDir);
  t.deepEqual([...db.getKeys()], [second, third, 'floor', 'format', 'lineage']);
  await db.close();
});

test('a compaction that was cut short after its floor is finished by the next start', async (t) => {
  const dataDir = await temporaryDirectory(t);
  let store = await openEmbedded(dataDir);
  let expected = 0;
  for (let round = 0; round < 10; round++) {
    expected = await store.commit({type: 'things', key: 'one', expected, value: Buffer.from(`v${round}`)});
  }
  const doomed = await store.commit({type: 'things', key: 'two', expected: 0, value: Buffer.from('doomed')});
  const deleted = await store.commit({type: 'things', key: 'two', expected: doomed, value: null});
  await store.close();
  let db = openRaw(dataDir);
  await db.put('floor', Buffer.from(String(deleted)));
  await db.close();

  store = await openEmbedded(dataDir);
  t.is(await store.revision(0), deleted);
  t.deepEqual([...(await store.list('things')).records], [{key: 'one', revision: expected, value: Buffer.from('v9')}]);
  t.deepEqual(await store.history('things'), {floor: deleted, revision: deleted, entries: []});
  await store.close();
  db = openRaw(dataDir);
  t.deepEqual([...db.getKeys()], [expected, 'floor', 'format', 'lineage']);
  await db.close();
});

test('a compaction of more changes than one write takes is complete when it is answered', async (t) => {
  t.timeout(60_000);
  const dataDir = await temporaryDirectory(t);
  const store = await openEmbedded(dataDir);
  const keys = Array.from({length: 1300}, (_, index) => `k${index}`);
  const created = await Promise.all(keys.map((key) => store.commit({type: 'things', key, expected: 0, value: Buffer.from('old')})));
  await Promise.all(keys.map((key, index) => store.commit({type: 'things', key, expected: created[index]!, value: Buffer.from('new')})));
  await store.compact(0, await store.revision(0));
  await store.close();
  const db = openRaw(dataDir);
  t.is(db.getKeysCount(), keys.length + 3);
  await db.close();
});
