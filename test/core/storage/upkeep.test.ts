import test from 'ava';
import type {LogEntry, LogListener, Store} from '../../../sdk/index.js';
import {RevisionTimes} from '../../../core/storage/follow/revision-times.js';
import {historyMillis, InterceptedStore, memoryStore, RecordingLogger, startStorage, TestClock, watch, widget, widgets} from './support.js';

test('the log of the store is cut when it is older than the history, and not before', async (t) => {
  const clock = new TestClock();
  const store = await memoryStore(t);
  const storage = await startStorage(t, store, {clock: clock.now});
  const type = widgets(storage);
  const floor = async () => (await store.history('widgets.example.com')).floor;
  const x = await type.create(widget('a', 'x'), 'a', 'x');
  clock.advance(historyMillis / 10);
  storage.tick();
  const y = await type.create(widget('a', 'y'), 'a', 'y');
  clock.advance(historyMillis - 1000);
  await storage.compact();
  t.is(await floor(), 0);
  clock.advance(2000);
  await storage.compact();
  t.is(await floor(), x.revision, 'what is younger stays');
  storage.tick();
  clock.advance(historyMillis + 1000);
  await storage.compact();
  t.is(await floor(), y.revision);
  t.is((await type.list({freshness: 'recent'})).items.length, 2, 'objects are not touched');
});

test('a server that has just started knows the age of a log that others have written', async (t) => {
  const clock = new TestClock();
  const store = await memoryStore(t);
  const {revision} = await widgets(await startStorage(t, store)).create(widget('a', 'x'), 'a', 'x');
  clock.advance(historyMillis / 2);
  const storage = await startStorage(t, store, {clock: clock.now});
  await widgets(storage).list({freshness: 'recent'});
  clock.advance(historyMillis / 2 + 1000);
  await storage.compact();
  t.is((await store.history('widgets.example.com')).floor, revision);
});

test('checkpoints tell the newest revision that is old enough', (t) => {
  const times = new RevisionTimes(2000);
  times.add(10, 1000);
  times.add(11, 1050);
  times.add(20, 1100);
  times.addHistory([
    {revision: 3, time: 500},
    {revision: 4, time: 550},
    {revision: 5, time: 900},
  ]);
  t.is(times.takeUpTo(499), undefined);
  t.is(times.takeUpTo(600), 3);
  t.is(times.takeUpTo(1099), 10);
  t.is(times.takeUpTo(1099), undefined, 'what was taken is forgotten');
  times.clear();
  t.is(times.takeUpTo(5000), undefined);
});

test('objects of a type with a time to live are deleted that long after their last write', async (t) => {
  const clock = new TestClock();
  const store = await memoryStore(t);
  const storage = await startStorage(t, store, {clock: clock.now});
  const type = widgets(storage, {ttlSeconds: 60});
  const x = await type.create(widget('a', 'x'), 'a', 'x');
  await type.create(widget('a', 'y'), 'a', 'y');
  const {sink} = await watch(t, type, {start: {kind: 'now', freshness: 'recent'}});
  await storage.expireObjects();
  clock.advance(40_000);
  await type.update(widget('a', 'x', {data: 1}), x, 'a', 'x');
  await storage.expireObjects();
  t.is((await type.list({freshness: 'recent'})).items.length, 2);
  clock.advance(30_000);
  const others = await startStorage(t, store, {clock: clock.now});
  widgets(others, {ttlSeconds: 60});
  await storage.expireObjects();
  t.deepEqual(
    (await type.list({freshness: 'recent'})).items.map(({key}) => key),
    ['a/x'],
  );
  clock.advance(30_001);
  await Promise.all([storage.expireObjects(), others.expireObjects()]);
  t.is((await type.list({freshness: 'recent'})).items.length, 0);
  await sink.count(3);
  t.deepEqual(
    sink.summary.map((line) => line.replace(/@.*/, '')),
    ['MODIFIED a/x', 'DELETED a/y', 'DELETED a/x'],
  );
});

test('a type without a time to live keeps its objects and is not read for that', async (t) => {
  const clock = new TestClock();
  const store = new InterceptedStore(await memoryStore(t));
  const storage = await startStorage(t, store, {clock: clock.now});
  const type = widgets(storage);
  await type.create(widget('a', 'x'), 'a', 'x');
  clock.advance(10 * historyMillis);
  await storage.expireObjects();
  t.is(store.calls.get('list'), undefined);
  t.is((await type.list({freshness: 'recent'})).items.length, 1);
});

test('a log that does not fit the cache leads to a new cache, and watches end with 410', async (t) => {
  const store = new (class extends InterceptedStore {
    deliver: LogListener | undefined;
    override follow(...args: Parameters<Store['follow']>): ReturnType<Store['follow']> {
      this.deliver = args[2];
      return super.follow(...args);
    }
  })(await memoryStore(t));
  const logger = new RecordingLogger();
  const type = widgets(await startStorage(t, store, {logger}));
  const x = await type.create(widget('a', 'x'), 'a', 'x');
  const {sink} = await watch(t, type, {start: {kind: 'now', freshness: 'recent'}});
  const impossible: LogEntry = {
    revision: x.revision + 1,
    time: 0,
    type: 'widgets.example.com',
    key: 'a/x',
    value: null,
    previous: {revision: x.revision + 7, value: Buffer.alloc(0)},
  };
  store.deliver!.onEntries([impossible]);
  await sink.until(() => sink.ended);
  t.is(sink.summary.at(-1), 'ERROR 410');
  t.true(logger.records.some(({level, message}) => level === 'error' && message.includes('does not fit')));
  t.is((await type.get('a', 'x', 'any'))?.revision, x.revision);
});

test('parsed objects are kept within bounds', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t), {maximumParsedObjects: 10}));
  await type.list({freshness: 'recent'});
  const created = [];
  for (let index = 0; index < 40; index++) {
    const object = widget('a', `x${index}`);
    created.push({object, cached: await type.create(object, 'a', `x${index}`)});
  }
  const kept = created.filter(({object, cached}) => cached.object() === object).length;
  t.true(kept <= 10, `${kept} are kept`);
  for (const {object, cached} of created) t.deepEqual(cached.object(), object);
});
