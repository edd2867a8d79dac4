import test, {type ExecutionContext} from 'ava';
import {truncate, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {open, type RootDatabase} from 'lmdb';
import {StoreError, type LogEntry} from '@orch-api/orch/sdk';
import {openEmbedded, temporaryDirectory} from '../../../helpers/store-embedded.js';

/** A closed store with three records, and what happened to its database behind its back. */
async function damagedStore(t: ExecutionContext, damage: (db: RootDatabase<Buffer, number | string>) => Promise<unknown>): Promise<string> {
  const dataDir = await temporaryDirectory(t);
  const store = await openEmbedded(dataDir);
  for (const key of ['one', 'two', 'three']) await store.commit({type: 'things', key, expected: 0, value: Buffer.from(`value of ${key}`)});
  await store.close();
  const db = open<Buffer, number | string>({path: join(dataDir, 'store'), noSubdir: false, encoding: 'binary', overlappingSync: false});
  await damage(db);
  await db.close();
  return dataDir;
}

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at]! ^= 1;
  return copy;
}

test('a store of an unknown format is refused with one sentence', async (t) => {
  const dataDir = await damagedStore(t, (db) => db.put('format', Buffer.from('orch-store 99')));
  await t.throwsAsync(openEmbedded(dataDir), {
    message: `the store in ${join(dataDir, 'store')} has the format "orch-store 99", and this version of orch knows only "orch-store 1"`,
  });
});

test('an LMDB database of something else is refused and left as it is', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const path = join(dataDir, 'store');
  let db = open<Buffer, number | string>({path, noSubdir: false, encoding: 'binary', overlappingSync: false});
  await db.put('mine', Buffer.from('x'));
  await db.close();
  await t.throwsAsync(openEmbedded(dataDir), {message: `${path} holds an LMDB database that is not a store of orch`});
  db = open<Buffer, number | string>({path, noSubdir: false, encoding: 'binary', overlappingSync: false});
  t.deepEqual([...db.getKeys()], ['mine']);
  await db.close();
});

for (const [title, content] of Object.entries({
  text: Buffer.alloc(65_536, 'garbage'),
  'a few bytes': Buffer.from('x'),
  zeros: Buffer.alloc(8192),
  'a file that ends within its first page': undefined,
})) {
  test(`a database file that is ${title} is refused with one sentence, not a crash`, async (t) => {
    const dataDir = await damagedStore(t, async () => undefined);
    const file = join(dataDir, 'store/data.mdb');
    if (content === undefined) await truncate(file, 4000);
    else await writeFile(file, content);
    const error = await t.throwsAsync<StoreError>(openEmbedded(dataDir), {instanceOf: StoreError});
    t.is(error.code, 'Corrupt');
    t.is(error.message, `the store in ${join(dataDir, 'store')} is damaged: data.mdb is not a file of LMDB`);
  });
}

test('a place that cannot be a directory is refused with one sentence', async (t) => {
  const dataDir = join(await temporaryDirectory(t), 'file');
  await writeFile(dataDir, 'x');
  const error = await t.throwsAsync(openEmbedded(dataDir));
  t.regex(error.message, /^cannot open the store in .*: ENOTDIR/);
});

test('a record with a damaged value answers Corrupt and is empty in lists; everything else goes on', async (t) => {
  const dataDir = await damagedStore(t, (db) => db.put(2, flipped(db.get(2)!, db.get(2)!.length - 1)));
  const store = await openEmbedded(dataDir);
  for (const call of [
    () => store.read('things', 'two'),
    () => store.commit({type: 'things', key: 'two', expected: 0, value: Buffer.from('x')}),
  ]) {
    const error = await t.throwsAsync<StoreError>(call, {instanceOf: StoreError});
    t.is(error.code, 'Corrupt');
    t.regex(error.message, /^things two .*is damaged$/);
  }
  const damaged = [...(await store.list('things')).records].find(({key}) => key === 'two');
  t.deepEqual(damaged, {key: 'two', revision: 2, value: Buffer.alloc(0)});
  t.is((await store.read('things', 'one'))?.value.toString(), 'value of one');
  const revision = await store.commit({type: 'things', key: 'four', expected: 0, value: Buffer.from('x')});
  t.is((await store.read('things', 'four'))?.revision, revision);

  // Who follows is told of the repair; what the damaged record was stays empty.
  const told: LogEntry[] = [];
  await store.follow(0, revision, {onEntries: (entries) => told.push(...entries), onEnd: () => undefined});
  const replaced = await store.commit({type: 'things', key: 'two', expected: 2, value: Buffer.from('repaired')});
  t.deepEqual(
    told.map(({key, previous}) => [key, previous]),
    [['two', {revision: 2}]],
  );
  t.deepEqual(await store.read('things', 'two'), {key: 'two', revision: replaced, value: Buffer.from('repaired')});
  await store.close();
});

for (const [title, damage] of Object.entries<(db: RootDatabase<Buffer, number | string>) => Promise<unknown>>({
  'damaged header': (db) => db.put(2, flipped(db.get(2)!, 33)),
  'damaged length': (db) => db.put(2, flipped(db.get(2)!, 11)),
  'cut off record': (db) => db.put(2, db.get(2)!.subarray(0, 20)),
  'empty record': (db) => db.put(2, Buffer.alloc(0)),
  'record under the revision of another': (db) => db.put(2, db.get(3)!),
  'second creation of one key': async (db) => {
    const {encodeRecord, encodedLength} = await import('../../../../plugins/stores/embedded/record-codec.js');
    const record = {revision: 4, time: 1, type: 'things', key: 'one', previous: 0, deleted: false, value: Buffer.from('x')};
    const bytes = Buffer.alloc(encodedLength(record));
    encodeRecord(record, bytes, 0);
    await db.put(4, bytes);
  },
})) {
  test(`a store with a ${title} is refused with Corrupt and can be opened no more than before`, async (t) => {
    const dataDir = await damagedStore(t, damage);
    for (let attempt = 0; attempt < 2; attempt++) {
      const error = await t.throwsAsync<StoreError>(openEmbedded(dataDir), {instanceOf: StoreError});
      t.is(error.code, 'Corrupt');
    }
  });
}
