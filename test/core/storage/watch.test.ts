import test from 'ava';
import {StatusError, StoreError} from '../../../sdk/index.js';
import {parseFieldSelector} from '../../../core/api/selectors/field-selector.js';
import {parseLabelSelector} from '../../../core/api/selectors/label-selector.js';
import type {CachedObject} from '../../../core/storage/cached-object.js';
import type {TypeStorage} from '../../../core/storage/type-storage.js';
import type {FrameEncoder} from '../../../core/storage/watch/frame-encoder.js';
import {CollectingSink, encoder, historyMillis, InterceptedStore, memoryStore, RecordingLogger, startStorage, TestClock, watch, widget, widgets} from './support.js';

const put = async (type: TypeStorage, key: string, content: Parameters<typeof widget>[2] = {}): Promise<CachedObject> => {
  const [namespace, name] = key.split('/') as [string, string];
  const current = await type.get(namespace, name, 'recent');
  return current ? type.update(widget(namespace, name, content), current, namespace, name) : type.create(widget(namespace, name, content), namespace, name);
};

const remove = async (type: TypeStorage, key: string): Promise<number> => {
  const [namespace, name] = key.split('/') as [string, string];
  return (await type.delete(namespace, name, (await type.get(namespace, name, 'recent'))!.revision)).revision;
};

test('[A-WATCH-1] [A-EVT-2] [A-EVT-3] a watch delivers creations, changes and deletions after its start', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  const first = await put(type, 'a/x');
  const {revision} = await type.list({level: 'recent'});
  const {sink} = await watch(t, type, {start: {kind: 'after', revision}});
  const changed = await put(type, 'a/x', {data: 1});
  const created = await put(type, 'b/y');
  const removed = await remove(type, 'a/x');
  await sink.count(3);
  t.deepEqual(sink.summary, [`MODIFIED a/x@${changed.revision}`, `ADDED b/y@${created.revision}`, `DELETED a/x@${removed}`]);
  t.deepEqual(sink.events[0]!.object, changed.object());
  t.deepEqual(sink.events[2]!.object.spec, {data: 1}, 'a deletion carries the last state');
  t.is(sink.events[2]!.object.metadata.uid, first.object().metadata.uid);
});

test('[A-RVS-24] [A-RVS-25] without a version the existing objects come first', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  const x = await put(type, 'a/x');
  const y = await put(type, 'b/y');
  for (const level of ['recent', 'any', {atLeast: y.revision}] as const) {
    const {sink} = await watch(t, type, {start: {kind: 'initial', level}});
    t.deepEqual(sink.summary, [`ADDED a/x@${x.revision}`, `ADDED b/y@${y.revision}`]);
  }
  const {sink} = await watch(t, type, {start: {kind: 'now', level: 'recent'}});
  const z = await put(type, 'c/z');
  await sink.count(1);
  t.deepEqual(sink.summary, [`ADDED c/z@${z.revision}`], 'a watch that starts now has none');
});

test('[A-WATCH-3] [A-RVS-26] a watch resumes exactly after any version of the history', async (t) => {
  const store = await memoryStore(t);
  const type = widgets(await startStorage(t, store));
  const revisions = [(await put(type, 'a/x')).revision, (await put(type, 'a/y')).revision, (await put(type, 'a/x', {data: 1})).revision, await remove(type, 'a/y')];
  const whole = [`ADDED a/x@${revisions[0]}`, `ADDED a/y@${revisions[1]}`, `MODIFIED a/x@${revisions[2]}`, `DELETED a/y@${revisions[3]}`];
  const restarted = widgets(await startStorage(t, store));
  for (const server of [type, restarted]) {
    for (const [index, revision] of revisions.entries()) {
      const {sink} = await watch(t, server, {start: {kind: 'after', revision}});
      t.deepEqual(sink.summary, whole.slice(index + 1));
    }
  }
});

test('[A-RVS-29] a watch from a version that is yet to come waits for it', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  const {revision} = await put(type, 'a/x');
  const {sink, handle} = await watch(t, type, {start: {kind: 'after', revision: revision + 2}});
  handle.bookmark();
  for (let index = 1; index <= 3; index++) await put(type, `a/x${index}`);
  await sink.count(1);
  t.deepEqual(sink.summary, [`ADDED a/x3@${revision + 3}`]);
});

test('[A-WATCH-4] a watch from before the history is refused with 410', async (t) => {
  const clock = new TestClock();
  const storage = await startStorage(t, await memoryStore(t), {clock: clock.now});
  const type = widgets(storage);
  await type.list({level: 'recent'});
  const x = await put(type, 'a/x');
  await put(type, 'a/y');
  clock.advance(historyMillis - 1000);
  storage.tick();
  t.is((await watch(t, type, {start: {kind: 'after', revision: x.revision}})).sink.events.length, 1, '[B-LIM-1] still served');
  clock.advance(2000);
  storage.tick();
  const error = await t.throwsAsync(async () => type.watch({start: {kind: 'after', revision: x.revision}, bookmarks: false, encoder}, new CollectingSink()));
  t.true(StatusError.is(error) && error.code === 410 && error.reason === 'Expired' && error.message.startsWith('too old resource version'), String(error));
});

test('[A-QP-18] an object that comes to be selected is added, one that ceases to be is deleted with its last selected state', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  const {sink} = await watch(t, type, {start: {kind: 'initial', level: 'recent'}, labelSelector: parseLabelSelector('app=web')});
  await put(type, 'a/x', {labels: {app: 'db'}});
  const into = await put(type, 'a/x', {labels: {app: 'web'}, data: 1});
  const within = await put(type, 'a/x', {labels: {app: 'web'}, data: 2});
  const out = await put(type, 'a/x', {labels: {app: 'db'}, data: 3});
  await remove(type, 'a/x');
  const again = await put(type, 'a/x', {labels: {app: 'web'}});
  const removed = await remove(type, 'a/x');
  await sink.count(5);
  t.deepEqual(sink.summary, [
    `ADDED a/x@${into.revision}`,
    `MODIFIED a/x@${within.revision}`,
    `DELETED a/x@${out.revision}`,
    `ADDED a/x@${again.revision}`,
    `DELETED a/x@${removed}`,
  ]);
  t.deepEqual(sink.events[2]!.object.spec, {data: 2});
  t.deepEqual(sink.events[2]!.object.metadata.labels, {app: 'web'});
});

test('[A-SVC-12] [A-QP-21] watches of one namespace, one object and one field value get only what concerns them', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  const start = {kind: 'initial', level: 'recent'} as const;
  const namespace = (await watch(t, type, {start, namespace: 'a'})).sink;
  const named = (await watch(t, type, {start, namespace: 'a', name: 'x'})).sink;
  const byField = (await watch(t, type, {start, namespace: 'a', fieldSelector: parseFieldSelector('metadata.name=x')})).sink;
  const onNode = (await watch(t, type, {start, fieldSelector: parseFieldSelector('spec.node=n1')})).sink;
  const all = (await watch(t, type, {start})).sink;
  await put(type, 'a/x', {node: 'n1'});
  await put(type, 'a/y');
  await put(type, 'b/x');
  await put(type, 'a/x', {node: 'n2'});
  await all.count(4);
  const seen = (sink: CollectingSink) => sink.summary.map((line) => line.replace(/@.*/, ''));
  t.deepEqual(seen(namespace), ['ADDED a/x', 'ADDED a/y', 'MODIFIED a/x']);
  t.deepEqual(seen(named), ['ADDED a/x', 'MODIFIED a/x']);
  t.deepEqual(seen(byField), ['ADDED a/x', 'MODIFIED a/x']);
  t.deepEqual(seen(onNode), ['ADDED a/x', 'DELETED a/x']);
  t.deepEqual(seen(all), ['ADDED a/x', 'ADDED a/y', 'ADDED b/x', 'MODIFIED a/x']);
});

test('all watches that ask for the same get the same buffer, encoded once', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  let encoded = 0;
  const counting: FrameEncoder = {...encoder, key: 'counting', encode: (...args) => (encoded++, encoder.encode(...args)), bookmark: (...args) => encoder.bookmark(...args), error: (status) => encoder.error(status)};
  const start = {kind: 'initial', level: 'recent'} as const;
  const same = await Promise.all(Array.from({length: 20}, () => watch(t, type, {start, encoder: counting})));
  const filtered = await watch(t, type, {start, encoder: counting, labelSelector: parseLabelSelector('app')});
  await Promise.all(['x', 'y', 'z'].map((name) => put(type, `a/${name}`, {labels: {app: 'web'}})));
  await Promise.all([...same, filtered].map(({sink}) => sink.count(3)));
  t.is(encoded, 3, 'also for watches with other selectors');
  const [first, ...others] = same.map(({sink}) => sink.chunks);
  for (const chunks of others) for (const [index, chunk] of chunks.entries()) t.is(chunk, first![index]!);
});

test('events of one moment reach a watch in one write', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  const {sink} = await watch(t, type, {start: {kind: 'initial', level: 'recent'}});
  await Promise.all(Array.from({length: 50}, (_, index) => put(type, `a/x${index}`)));
  await sink.count(50);
  t.true(sink.chunks.length <= 10, `${sink.chunks.length} writes`);
});

test('the first change of a stream is encoded in a way of its own where the representation asks for it', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  const line = (text: string) => Buffer.from(`${JSON.stringify({type: text, object: {metadata: {}}})}\n`);
  const table: FrameEncoder = {
    key: 'table',
    encode: (_type, object) => line(object.name),
    encodeFirst: (_type, object) => line(`first ${object.name}`),
    bookmark: () => line('bookmark'),
    error: () => line('error'),
  };
  await put(type, 'a/x');
  const early = (await watch(t, type, {start: {kind: 'initial', level: 'recent'}, encoder: table})).sink;
  const late = (await watch(t, type, {start: {kind: 'now', level: 'recent'}, encoder: table})).sink;
  await Promise.all([put(type, 'a/y'), put(type, 'a/z')]);
  await Promise.all([early.count(3), late.count(2)]);
  await put(type, 'a/w');
  await Promise.all([early.count(4), late.count(3)]);
  const types = (sink: CollectingSink) => sink.events.map((event) => event.type);
  t.deepEqual(types(early), ['first x', 'y', 'z', 'w']);
  t.deepEqual(types(late), ['first y', 'z', 'w']);
});

test('a watch that begins while events are waiting to be sent gets each once', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  const first = (await watch(t, type, {start: {kind: 'initial', level: 'recent'}})).sink;
  const x = await put(type, 'a/x');
  const second = (await watch(t, type, {start: {kind: 'initial', level: 'recent'}})).sink;
  const third = (await watch(t, type, {start: {kind: 'after', revision: x.revision - 1}})).sink;
  const fourth = (await watch(t, type, {start: {kind: 'after', revision: x.revision}})).sink;
  const y = await put(type, 'a/y');
  await Promise.all([first.count(2), second.count(2), third.count(2), fourth.count(1)]);
  const both = [`ADDED a/x@${x.revision}`, `ADDED a/y@${y.revision}`];
  t.deepEqual([first.summary, second.summary, third.summary, fourth.summary], [both, both, both, both.slice(1)]);
});

test('[A-EVT-4] [B-WEV-1] [B-WEV-2] a bookmark tells the version up to which everything was sent', async (t) => {
  const storage = await startStorage(t, await memoryStore(t));
  const type = widgets(storage);
  const {sink, handle} = await watch(t, type, {start: {kind: 'initial', level: 'recent'}});
  const x = await put(type, 'a/x');
  handle.bookmark();
  await sink.count(2);
  t.deepEqual(sink.summary, [`BOOKMARK @${x.revision - 1}`, `ADDED a/x@${x.revision}`], 'the change was not yet sent');
  t.deepEqual(sink.events[0], {type: 'BOOKMARK', object: {kind: 'Widget', apiVersion: 'example.com/v1', metadata: {resourceVersion: String(x.revision - 1)}}} as never);
  const other = await storage.type({type: 'others', namespaced: false, selectableFields: () => ({})}).create(widget('', 'o'), '', 'o');
  handle.bookmark();
  t.is(sink.summary.at(-1), `BOOKMARK @${other.revision}`, 'writes to other types count');
  t.is(handle.revision, other.revision);
});

test('[A-QP-14] bookmarks come about every minute to those who asked for them', async (t) => {
  const clock = new TestClock();
  const storage = await startStorage(t, await memoryStore(t), {clock: clock.now});
  const type = widgets(storage);
  const start = {kind: 'now', level: 'recent'} as const;
  const asked = (await watch(t, type, {start, bookmarks: true})).sink;
  const silent = (await watch(t, type, {start})).sink;
  clock.advance(44_000);
  storage.tick();
  t.is(asked.events.length, 0);
  for (let minute = 1; minute <= 3; minute++) {
    clock.advance(60_000);
    storage.tick();
    t.is(asked.events.length, minute);
  }
  t.is(silent.events.length, 0);
});

test('the initial events end with a bookmark that says so when it was asked for', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  const x = await put(type, 'a/x');
  const {sink} = await watch(t, type, {start: {kind: 'initial', level: 'recent'}, bookmarks: true, initialEventsEnd: true});
  t.deepEqual(sink.summary, [`ADDED a/x@${x.revision}`, `BOOKMARK @${x.revision}`]);
  t.deepEqual(sink.events[1]!.object.metadata.annotations, {'k8s.io/initial-events-end': 'true'});
});

test('a watch whose client does not read is ended with 410 when too much is waiting', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t), {maximumQueuedBytes: 4000}));
  const {sink} = await watch(t, type, {start: {kind: 'initial', level: 'recent'}});
  const healthy = (await watch(t, type, {start: {kind: 'initial', level: 'recent'}})).sink;
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
  await watch(t, type, {start: {kind: 'initial', level: 'recent'}}, sink);
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
  const {items} = await type.list({level: 'recent'});
  t.deepEqual([...state].sort(), items.map(({key, revision}) => [key, String(revision)]).sort());
});

test('a client that is so slow that the history has gone on without it is ended with 410', async (t) => {
  const storage = await startStorage(t, await memoryStore(t), {pauseAtQueuedBytes: 1, maximumEvents: 2});
  const type = widgets(storage);
  await put(type, 'a/x');
  for (const notice of [() => storage.tick(), (sink: CollectingSink) => sink.drain()]) {
    const sink = new CollectingSink();
    sink.stalled = true;
    await watch(t, type, {start: {kind: 'initial', level: 'recent'}}, sink);
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
  const again = (await watch(t, type, {start: {kind: 'initial', level: 'recent'}}, slow)).sink;
  t.is(again.events.length, 2);
  for (const revision of [x.revision - 1]) {
    const error = await t.throwsAsync(async () => type.watch({start: {kind: 'after', revision}, bookmarks: false, encoder}, new CollectingSink()));
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
  const start = {kind: 'initial', level: 'recent'} as const;
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
  const start = {kind: 'now', level: 'recent'} as const;
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
  const {sink, handle} = await watch(t, type, {start: {kind: 'now', level: 'recent'}, bookmarks: true});
  const other = (await watch(t, type, {start: {kind: 'now', level: 'recent'}, namespace: 'a'})).handle;
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
  const first = (await watch(t, widgets(storage), {start: {kind: 'now', level: 'recent'}})).sink;
  storage.remove('widgets.example.com');
  const second = (await watch(t, widgets(storage), {start: {kind: 'now', level: 'recent'}})).sink;
  await storage.stop();
  t.deepEqual([first.ended, second.ended, first.events.length, second.events.length], [true, true, 0, 0]);
});
