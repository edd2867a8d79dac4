import test from 'ava';
import {StatusError, StoreError} from '../../../sdk/index.js';
import type {FrameEncoder} from '../../../core/storage/watch/frame-encoder.js';
import {
  CollectingSink,
  encoder,
  InterceptedStore,
  memoryStore,
  put,
  RecordingLogger,
  startStorage,
  watch,
  widgets,
  told,
} from './support.js';

test('a watch whose client does not read is ended with 410 when too much is waiting', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t), {maximumQueuedBytes: 4000}));
  const {sink} = await watch(t, type, {start: {kind: 'initial', freshness: 'recent'}});
  const healthy = (await watch(t, type, {start: {kind: 'initial', freshness: 'recent'}})).sink;
  sink.stalled = true;
  let count = 0;
  while (!sink.ended) {
    await put(type, `a/x${count++}`, {data: 'd'.repeat(800)});
    await healthy.count(count);
  }
  t.is(sink.summary.at(-1), 'ERROR 410');
  t.is(sink.events.at(-1)!.object.reason, 'Expired');
  t.true(sink.queuedBytes <= 5000, `${sink.queuedBytes} bytes were queued`);
  t.deepEqual(sink.summary.slice(0, -1), healthy.summary.slice(0, sink.summary.length - 1), 'nothing was left out before the end');
  t.false(healthy.ended);
});

test('a slow client gets many existing objects piece by piece and misses nothing that happens meanwhile', async (t) => {
  const storage = await startStorage(t, await memoryStore(t), {pauseAtQueuedBytes: 100_000, maximumQueuedBytes: 1_000_000});
  const type = widgets(storage);
  await Promise.all(Array.from({length: 300}, (_, index) => put(type, `a/x${index}`, {data: 'd'.repeat(5000)})));
  const sink = new CollectingSink();
  sink.stalled = true;
  await watch(t, type, {start: {kind: 'initial', freshness: 'recent'}}, sink);
  let largest = 0;
  for (let step = 0; sink.events.length < 300; step++) {
    largest = Math.max(largest, sink.queuedBytes);
    await put(type, `a/x${step}`, {data: 'changed'});
    await put(type, `b/y${step}`);
    sink.drain();
  }
  sink.drain();
  const last = await put(type, 'c/z');
  await sink.until(() => sink.summary.at(-1) === `ADDED c/z@${last.revision}`);
  t.true(largest > 0 && largest < 400_000, `${largest} bytes were queued`);
  const state = new Map<string, string>();
  for (const {type: event, object} of sink.events) {
    const key = `${object.metadata.namespace}/${object.metadata.name}`;
    t.is(event, state.has(key) ? 'MODIFIED' : 'ADDED');
    state.set(key, object.metadata.resourceVersion!);
  }
  const {items} = await type.list({freshness: 'recent'});
  t.deepEqual([...state].sort(), items.map(({key, revision}) => [key, String(revision)]).sort());
});

test('a client that is so slow that the history has gone on without it is ended with 410', async (t) => {
  const storage = await startStorage(t, await memoryStore(t), {pauseAtQueuedBytes: 1, maximumEvents: 2});
  const type = widgets(storage);
  await put(type, 'a/x');
  for (const notice of [() => storage.tick(), (sink: CollectingSink) => sink.drain()]) {
    const sink = new CollectingSink();
    sink.stalled = true;
    await watch(t, type, {start: {kind: 'initial', freshness: 'recent'}}, sink);
    const {length} = sink.events;
    for (let index = 0; index < 5; index++) await put(type, `a/y${index}`, {data: Math.random()});
    notice(sink);
    t.true(sink.ended);
    t.deepEqual(sink.summary.slice(length), ['ERROR 410']);
  }
});

test('when the store has lost its history all watches end with 410 and reads see the new state', async (t) => {
  const store = new InterceptedStore(await memoryStore(t));
  const logger = new RecordingLogger();
  const storage = await startStorage(t, store, {logger});
  const type = widgets(storage);
  const x = await put(type, 'a/x');
  const {sink} = await watch(t, type, {start: {kind: 'after', revision: x.revision}});
  const slow = new CollectingSink();
  store.breakOff(new StoreError('EpochChanged', 'the store was replaced'));
  await sink.until(() => sink.ended);
  t.is(sink.summary.at(-1), 'ERROR 410');
  t.is((await type.get('a', 'x', 'recent'))?.revision, x.revision);
  await put(type, 'a/y');
  const again = (await watch(t, type, {start: {kind: 'initial', freshness: 'recent'}}, slow)).sink;
  t.is(again.events.length, 2);
  for (const revision of [x.revision - 1]) {
    const error = told(
      await t.throwsAsync(async () => type.watch({start: {kind: 'after', revision}, bookmarks: false, encoder}, new CollectingSink())),
    );
    t.true(StatusError.is(error) && error.code === 410, 'versions of the lost history are not served');
  }
  t.true(logger.records.some(({message}) => message.includes('broke off')));
});

test('a representation that cannot be made ends its watches with 500 and no others', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  const broken: FrameEncoder = {
    key: 'broken',
    encode: () => {
      throw new Error('cannot convert');
    },
    bookmark: (...args) => encoder.bookmark(...args),
    error: (status) => encoder.error(status),
  };
  const start = {kind: 'initial', freshness: 'recent'} as const;
  const live = (await watch(t, type, {start, encoder: broken})).sink;
  const healthy = (await watch(t, type, {start})).sink;
  await put(type, 'a/x');
  await Promise.all([live.until(() => live.ended), healthy.count(1)]);
  const atStart = (await watch(t, type, {start, encoder: broken})).sink;
  t.deepEqual([live.summary, atStart.summary], [['ERROR 500'], ['ERROR 500']]);
  t.true(atStart.ended && !healthy.ended);
});

test('a stream that throws is dropped and does not disturb the others', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  const start = {kind: 'now', freshness: 'recent'} as const;
  const bad = new CollectingSink();
  bad.write = () => {
    throw new Error('socket gone');
  };
  await watch(t, type, {start}, bad);
  const {sink} = await watch(t, type, {start});
  await put(type, 'a/x');
  await sink.count(1);
  t.true(bad.ended);
});

test('a closed watch gets nothing more and leaves nothing behind', async (t) => {
  const storage = await startStorage(t, await memoryStore(t));
  const type = widgets(storage);
  const {sink, handle} = await watch(t, type, {start: {kind: 'now', freshness: 'recent'}, bookmarks: true});
  const other = (await watch(t, type, {start: {kind: 'now', freshness: 'recent'}, namespace: 'a'})).handle;
  t.is(storage.health().types[0]!.watches, 2);
  handle.close();
  handle.close();
  other.close();
  t.is(storage.health().types[0]!.watches, 0);
  await put(type, 'a/x');
  handle.bookmark();
  t.deepEqual([sink.events.length, sink.ended], [0, false]);
});

test('a stop ends all watches without an error, and so does the removal of a type', async (t) => {
  const storage = await startStorage(t, await memoryStore(t));
  const first = (await watch(t, widgets(storage), {start: {kind: 'now', freshness: 'recent'}})).sink;
  storage.remove('widgets.example.com');
  const second = (await watch(t, widgets(storage), {start: {kind: 'now', freshness: 'recent'}})).sink;
  await storage.stop();
  t.deepEqual([first.ended, second.ended, first.events.length, second.events.length], [true, true, 0, 0]);
});
