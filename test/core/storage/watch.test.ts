import test from 'ava';
import {StatusError} from '../../../sdk/index.js';
import {parseFieldSelector} from '../../../core/api/selectors/field-selector.js';
import {parseLabelSelector} from '../../../core/api/selectors/label-selector.js';
import type {FrameEncoder} from '../../../core/storage/watch/frame-encoder.js';
import {
  CollectingSink,
  encoder,
  historyMillis,
  memoryStore,
  put,
  remove,
  startStorage,
  TestClock,
  told,
  watch,
  widget,
  widgets,
} from './support.js';

test('[A-WATCH-1] [A-EVT-2] [A-EVT-3] a watch delivers creations, changes and deletions after its start', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  const first = await put(type, 'a/x');
  const {revision} = await type.list({freshness: 'recent'});
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
  for (const freshness of ['recent', 'any', {atLeast: y.revision}] as const) {
    const {sink} = await watch(t, type, {start: {kind: 'initial', freshness}});
    t.deepEqual(sink.summary, [`ADDED a/x@${x.revision}`, `ADDED b/y@${y.revision}`]);
  }
  const {sink} = await watch(t, type, {start: {kind: 'now', freshness: 'recent'}});
  const z = await put(type, 'c/z');
  await sink.count(1);
  t.deepEqual(sink.summary, [`ADDED c/z@${z.revision}`], 'a watch that starts now has none');
});

test('[A-WATCH-3] [A-RVS-26] a watch resumes exactly after any version of the history', async (t) => {
  const store = await memoryStore(t);
  const type = widgets(await startStorage(t, store));
  const revisions = [
    (await put(type, 'a/x')).revision,
    (await put(type, 'a/y')).revision,
    (await put(type, 'a/x', {data: 1})).revision,
    await remove(type, 'a/y'),
  ];
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
  await type.list({freshness: 'recent'});
  const x = await put(type, 'a/x');
  await put(type, 'a/y');
  clock.advance(historyMillis - 1000);
  storage.tick();
  t.is((await watch(t, type, {start: {kind: 'after', revision: x.revision}})).sink.events.length, 1, '[B-LIM-1] still served');
  clock.advance(2000);
  storage.tick();
  const error = told(
    await t.throwsAsync(async () =>
      type.watch({start: {kind: 'after', revision: x.revision}, bookmarks: false, encoder}, new CollectingSink()),
    ),
  );
  t.true(
    StatusError.is(error) && error.code === 410 && error.reason === 'Expired' && error.message.startsWith('too old resource version'),
    String(error),
  );
});

test('[A-QP-18] an object that comes to be selected is added, one that ceases to be is deleted with its last selected state', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  const {sink} = await watch(t, type, {start: {kind: 'initial', freshness: 'recent'}, labelSelector: parseLabelSelector('app=web')});
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
  const start = {kind: 'initial', freshness: 'recent'} as const;
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
  const counting: FrameEncoder = {
    ...encoder,
    key: 'counting',
    encode: (...args) => (encoded++, encoder.encode(...args)),
    bookmark: (...args) => encoder.bookmark(...args),
    error: (status) => encoder.error(status),
  };
  const start = {kind: 'initial', freshness: 'recent'} as const;
  const same = await Promise.all(Array.from({length: 20}, () => watch(t, type, {start, encoder: counting})));
  const filtered = await watch(t, type, {start, encoder: counting, labelSelector: parseLabelSelector('app')});
  await Promise.all(['x', 'y', 'z'].map((name) => put(type, `a/${name}`, {labels: {app: 'web'}})));
  await Promise.all([...same, filtered].map(({sink}) => sink.count(3)));
  t.is(encoded, 3, 'also for watches with other selectors');
  const [first, ...others] = same.map(({sink}) => sink.chunks);
  for (const chunks of others) for (const [index, chunk] of chunks.entries()) t.is(chunk, first![index]!);
});

test('events of one moment reach a watch in a few writes', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  const {sink} = await watch(t, type, {start: {kind: 'initial', freshness: 'recent'}});
  await Promise.all(Array.from({length: 50}, (_, index) => put(type, `a/x${index}`)));
  await sink.count(50);
  // The store makes them known four at a time at least.
  t.true(sink.chunks.length <= 13, `${sink.chunks.length} writes`);
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
  const early = (await watch(t, type, {start: {kind: 'initial', freshness: 'recent'}, encoder: table})).sink;
  const late = (await watch(t, type, {start: {kind: 'now', freshness: 'recent'}, encoder: table})).sink;
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
  const first = (await watch(t, type, {start: {kind: 'initial', freshness: 'recent'}})).sink;
  const x = await put(type, 'a/x');
  const second = (await watch(t, type, {start: {kind: 'initial', freshness: 'recent'}})).sink;
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
  const {sink, handle} = await watch(t, type, {start: {kind: 'initial', freshness: 'recent'}});
  const x = await put(type, 'a/x');
  handle.bookmark();
  await sink.count(2);
  t.deepEqual(sink.summary, [`BOOKMARK @${x.revision - 1}`, `ADDED a/x@${x.revision}`], 'the change was not yet sent');
  t.deepEqual(sink.events[0], {
    type: 'BOOKMARK',
    object: {kind: 'Widget', apiVersion: 'example.com/v1', metadata: {resourceVersion: String(x.revision - 1)}},
  } as never);
  const other = await storage.type({type: 'others', namespaced: false, selectableFields: () => ({})}).create(widget('', 'o'), '', 'o');
  handle.bookmark();
  t.is(sink.summary.at(-1), `BOOKMARK @${other.revision}`, 'writes to other types count');
  t.is(handle.revision, other.revision);
});

test('[A-QP-14] bookmarks come about every minute to those who asked for them', async (t) => {
  const clock = new TestClock();
  const storage = await startStorage(t, await memoryStore(t), {clock: clock.now});
  const type = widgets(storage);
  const start = {kind: 'now', freshness: 'recent'} as const;
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
  const {sink} = await watch(t, type, {start: {kind: 'initial', freshness: 'recent'}, bookmarks: true, initialEventsEnd: true});
  t.deepEqual(sink.summary, [`ADDED a/x@${x.revision}`, `BOOKMARK @${x.revision}`]);
  t.deepEqual(sink.events[1]!.object.metadata.annotations, {'example.com/initial-events-end': 'true'});
});
