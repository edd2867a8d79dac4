import test from 'ava';
import {join} from 'node:path';
import {RedisStoreProvider} from '../../../../plugins/stores/redis/plugin.js';
import {BackupWriter, readBackup} from '../../../../core/store-tools/store-backup.js';
import type {Store} from '../../../../sdk/index.js';
import {Random} from '../../../helpers/random.js';
import {startRedis} from '../../../helpers/redis-server.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {openFor, openStore, RecordingLogger} from './open-store.js';

const types = ['one', 'two', 'three.example.com'];

/** A store and what was done to it, in order. */
class Writer {
  readonly history: {revision: number; shard: number; name: string; text: string | null}[] = [];
  readonly #live = new Map<string, number>();
  #serial = 0;

  constructor(
    readonly store: Store,
    private readonly random: Random,
  ) {}

  /** Creates, updates or deletes a record. */
  async write(creates = false): Promise<void> {
    const [type, key] = [this.random.pick(types), `space/${creates ? this.#serial : this.random.below(700)}`];
    const name = `${type} ${key}`;
    const expected = this.#live.get(name) ?? 0;
    const text = expected > 0 && this.random.chance(0.4) ? null : `${'x'.repeat(this.random.below(20_000))}${++this.#serial}`;
    const revision = await this.store.commit({type, key, expected, value: text === null ? null : Buffer.from(text)});
    if (text === null) this.#live.delete(name);
    else this.#live.set(name, revision);
    this.history.push({revision, shard: this.store.shardOf(type), name, text});
  }

  /** The records that there were at the revisions of the shards. */
  stateAt(revisions: readonly number[]): Map<string, string> {
    const state = new Map<string, string>();
    for (const {revision, shard, name, text} of this.history) {
      if (revision > revisions[shard]!) continue;
      if (text === null) state.delete(name);
      else state.set(name, text);
    }
    return state;
  }
}

for (const shards of [1, 3]) {
  test(`a backup of Redis (${shards} shards) is the state at one revision of each shard, whatever is written while it is taken`, async (t) => {
    const seed = Date.now() % 1_000_000;
    t.log(`seed ${seed}`);
    const random = new Random(seed);
    const redis = await startRedis(t);
    const url = `${redis.url}?shards=${shards}`;
    const writer = new Writer(await openFor(t, url), random);
    for (let count = 0; count < 1200; count++) await writer.write(true);
    const path = join(tempFolder(t), 'backup');
    const file = await BackupWriter.create(path);
    let pieces = 0;
    const {signal} = new AbortController();
    const place = {url, dataDir: tempFolder(t), historyMillis: 300_000};
    const revisions = await new RedisStoreProvider({}, new RecordingLogger()).backup(
      place,
      async (records) => {
        await file.add(records);
        if (pieces++ < 30) for (let count = random.below(40); count > 0; count--) await writer.write();
      },
      signal,
    );
    await file.finish(revisions);
    for (let count = 0; count < 50; count++) await writer.write();
    const backup = await readBackup(path);
    t.true(pieces > 10, `${pieces} pieces`);
    t.deepEqual(backup.revisions, revisions);
    const found = new Map<string, string>();
    for await (const {type, key, value} of backup.records()) {
      t.false(found.has(`${type} ${key}`), 'each record comes once');
      found.set(`${type} ${key}`, value.toString());
    }
    const expected = writer.stateAt(revisions);
    t.true(expected.size > 500);
    t.deepEqual([...found].sort(), [...expected].sort());
  });
}

test('a backup of Redis that is emptied meanwhile fails and says so', async (t) => {
  const redis = await startRedis(t);
  const store = await openFor(t, redis.url);
  for (let count = 0; count < 2000; count++) await store.commit({type: 'one', key: `${count}`, expected: 0, value: Buffer.from('x')});
  const place = {url: redis.url, dataDir: tempFolder(t), historyMillis: 300_000};
  const taken = new RedisStoreProvider({}, new RecordingLogger()).backup(
    place,
    async () => void (await redis.client().flushall()),
    new AbortController().signal,
  );
  await t.throwsAsync(taken, {message: /has lost data of this store|the backup is not whole/});
});

test('a restore that was broken off leaves a store that no server uses, and can be run again', async (t) => {
  const redis = await startRedis(t);
  const provider = new RedisStoreProvider({}, new RecordingLogger());
  const dataDir = tempFolder(t);
  const place = {url: redis.url, dataDir, historyMillis: 300_000};
  const running = await openFor(t, redis.url);
  const record = {type: 'one', key: 'a', value: Buffer.from('old')};
  const seen = await running.commit({...record, expected: 0});
  await t.throwsAsync(provider.restore(place, {replace: false, above: 0}), {message: /not empty: it holds 1 records/});
  t.is((await running.read('one', 'a'))?.revision, seen, 'nothing was changed');

  const broken = await provider.restore(place, {replace: true, above: 0});
  await broken.fill([{...record, value: Buffer.from('new')}]);
  await broken.close();
  for (const read of [() => running.read('one', 'a'), () => running.list('one'), () => openStore(redis.url)]) {
    await t.throwsAsync(read, {message: /it is being restored/});
  }
  t.regex((await provider.status(place))[0]!.missing!, /it is being restored/);

  const filler = await provider.restore(place, {replace: false, above: 2 ** 52});
  await filler.fill([
    {...record, value: Buffer.from('new')},
    {...record, type: 'two'},
  ]);
  await filler.finish();
  await filler.close();
  const read = await running.read('one', 'a');
  t.is(read?.value.toString(), 'new');
  t.true(read!.revision > 2 ** 52, 'above all revisions that are known');
  t.deepEqual(await running.types?.(), ['one', 'two']);
  t.true((await running.commit({type: 'one', key: 'a', expected: read!.revision, value: null})) > read!.revision);
});
