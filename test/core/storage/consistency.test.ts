import test from 'ava';
import {StoreError} from '../../../sdk/index.js';
import type {TypeStorage} from '../../../core/storage/type-storage.js';
import {CollectingSink, encoder, InterceptedStore, memoryStore, startStorage, widget, widgets, isExpired} from './support.js';

/** Writes at random until `stopped`, as 8 clients would. */
function eightWriters(types: TypeStorage[], stopped: () => boolean): Promise<unknown> {
  const write = async (writer: number) => {
    for (let count = 0; !stopped(); count++) {
      // Writes in memory never leave the turn: without this nobody else would come to work.
      await new Promise((resolve) => setImmediate(resolve));
      const type = types[writer % types.length]!;
      const name = `x${(writer * 7 + count * 13) % 40}`;
      try {
        const current = await type.get('a', name, 'recent');
        if (!current) await type.create(widget('a', name, {data: count}), 'a', name);
        else if (count % 3 === 0) await type.delete('a', name, current.revision);
        else await type.update(widget('a', name, {data: count}), current, 'a', name);
      } catch (error) {
        if (!StoreError.is(error)) throw error;
      }
    }
  };
  return Promise.all(Array.from({length: 8}, (_, writer) => write(writer)));
}

/** A client that lists, watches, and applies events strictly: nothing may be missing or repeated. Lists again when it gets a 410. */
class StrictClient {
  readonly state = new Map<string, string>();
  lists = 0;
  revision = 0;
  private handle: {close(): void} | undefined;
  private applied = 0;
  sink = new CollectingSink();

  constructor(private readonly type: TypeStorage) {}

  async follow(): Promise<void> {
    for (;;) {
      try {
        const {items, revision} = await this.type.list({freshness: 'recent'});
        this.state.clear();
        for (const item of items) this.state.set(item.key, String(item.revision));
        this.lists++;
        this.revision = revision;
        await this.resume();
        return;
      } catch (error) {
        if (!StoreError.is(error) && !isExpired(error)) throw error;
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }

  /** Begins a new watch where the last one ended. */
  async resume(): Promise<void> {
    this.handle?.close();
    this.sink = new CollectingSink();
    this.applied = 0;
    this.handle = await this.type.watch({start: {kind: 'after', revision: this.revision}, bookmarks: false, encoder}, this.sink);
  }

  /** Applies what has arrived; false when the watch was ended by an error. */
  apply(): boolean {
    for (; this.applied < this.sink.events.length; this.applied++) {
      const {type, object} = this.sink.events[this.applied]!;
      if (type === 'ERROR') return false;
      const key = `${object.metadata.namespace}/${object.metadata.name}`;
      const version = Number(object.metadata.resourceVersion);
      if (version <= this.revision) throw new Error(`${type} ${key}@${version} came after ${this.revision}`);
      if ((type === 'ADDED') === this.state.has(key)) throw new Error(`${type} of ${key}, which is ${this.state.get(key) ?? 'not there'}`);
      if (type === 'DELETED') this.state.delete(key);
      else this.state.set(key, String(version));
      this.revision = version;
    }
    return true;
  }

  close(): void {
    this.handle?.close();
  }
}

async function finalState(type: TypeStorage): Promise<[string, string][]> {
  return (await type.list({freshness: 'recent'})).items.map(({key, revision}): [string, string] => [key, String(revision)]);
}

test('[A-WATCH-2] [A-RV-5] [B-ADM-32] list then watch misses nothing and repeats nothing while 8 writers work on two servers', async (t) => {
  const store = await memoryStore(t);
  const types = [widgets(await startStorage(t, store)), widgets(await startStorage(t, store))];
  let stopped = false;
  const writers = eightWriters(types, () => stopped);
  const clients: StrictClient[] = [];
  for (let round = 0; round < 40; round++) {
    const client = new StrictClient(types[round % 2]!);
    t.teardown(() => client.close());
    clients.push(client);
    await client.follow();
    await new Promise((resolve) => setImmediate(resolve));
    for (const other of clients) t.true(other.apply());
    if (round % 3 === 0) await clients[round >> 1]!.resume();
  }
  stopped = true;
  await writers;
  const expected = await finalState(types[0]!);
  const last = Math.max(...expected.map(([, revision]) => Number(revision)), (await types[0]!.list({freshness: 'recent'})).revision);
  for (const client of clients) {
    await client.sink.until(() => client.apply() && client.revision >= last);
    t.deepEqual([...client.state].sort(), [...expected].sort());
    t.is(client.lists, 1);
  }
});

test('clients come to the final state although the store is away, holds back its log and loses its history again and again', async (t) => {
  const store = new InterceptedStore(await memoryStore(t));
  const type = widgets(await startStorage(t, store, {waitMillis: 200}));
  let stopped = false;
  const writers = eightWriters([type], () => stopped);
  const client = new StrictClient(type);
  t.teardown(() => client.close());
  await client.follow();
  for (let cut = 0; cut < 10; cut++) {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    if (cut % 3 === 0) {
      store.failure = new StoreError('Unavailable', 'cut');
      store.holding = true;
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      store.failure = undefined;
      store.release();
    } else if (cut % 3 === 1) {
      store.breakOff(new StoreError('Compacted', 'the log was cut'));
    } else {
      store.holding = true;
      await new Promise((resolve) => setTimeout(resolve, 5));
      store.release();
    }
    if (!client.apply()) await client.follow();
  }
  stopped = true;
  await writers;
  for (;;) {
    if (!client.apply()) await client.follow();
    const {revision} = await type.list({freshness: 'recent'});
    if (client.revision >= revision) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  t.deepEqual([...client.state].sort(), (await finalState(type)).sort());
  t.true(client.lists > 1 && client.lists <= 11, `${client.lists} lists`);
});
