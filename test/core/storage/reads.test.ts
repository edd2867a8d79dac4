import test from 'ava';
import {StatusError, StoreError, type ApiObject} from '../../../sdk/index.js';
import {CollectingSink, encoder, InterceptedStore, memoryStore, startStorage, widget, widgets, told} from './support.js';

test('[A-RVS-1] [A-RVS-20] a most recent read answers at once when the store knows its revision', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  await type.get('a', 'x', 'recent');
  const created = await type.create(widget('a', 'x', {labels: {app: 'web'}}), 'a', 'x');
  const read = type.get('a', 'x', 'recent');
  t.is(read, created, 'the answer is the very entry of the write, and no promise');
  t.is(
    created.bytes.toString(),
    JSON.stringify({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: {resourceVersion: String(created.revision), name: 'x', namespace: 'a', uid: 'uid-a-x', labels: {app: 'web'}},
      spec: {},
    }),
  );
  t.deepEqual(created.labels(), {app: 'web'});
  t.deepEqual(created.fields(), {'spec.node': '', 'metadata.name': 'x', 'metadata.namespace': 'a'});
  t.deepEqual([created.key, created.namespace, created.name], ['a/x', 'a', 'x']);
});

test('what was written before the cache is filled is read from the store', async (t) => {
  const store = await memoryStore(t);
  const first = widgets(await startStorage(t, store));
  const created = await first.create(widget('a', 'x'), 'a', 'x');
  const second = widgets(await startStorage(t, store));
  const read = await second.get('a', 'x', 'any');
  t.deepEqual(read?.object(), created.object());
  t.is(read?.writtenAt, created.writtenAt);
});

test('cluster-scoped objects have no namespace', async (t) => {
  const storage = await startStorage(t, await memoryStore(t));
  const type = storage.type({type: 'zones', namespaced: false, selectableFields: () => ({})});
  const created = await type.create({metadata: {name: 'z'}} as ApiObject, '', 'z');
  t.deepEqual([created.key, created.namespace, created.name], ['z', '', 'z']);
  t.deepEqual(
    (await type.list({freshness: 'recent'})).items.map(({bytes}) => bytes),
    [created.bytes],
  );
});

test('[A-RVS-3] a read at a version waits until it is there', async (t) => {
  const store = new InterceptedStore(await memoryStore(t));
  const type = widgets(await startStorage(t, store));
  await type.get('a', 'x', 'any');
  store.holding = true;
  const {revision} = await type.create(widget('a', 'x'), 'a', 'x');
  t.is(await type.get('a', 'x', 'any'), undefined, '[A-RVS-2] any version is good enough here');
  const atLeast = type.get('a', 'x', {atLeast: revision});
  const recent = type.get('a', 'x', 'recent');
  store.release();
  t.is((await atLeast)?.revision, revision);
  t.is((await recent)?.revision, revision);
});

test('[A-RVS-27] [A-RVS-28] a version that does not come is a 504 that says when to come back', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t), {waitMillis: 30}));
  const {revision} = await type.create(widget('a', 'x'), 'a', 'x');
  for (const read of [
    () => type.get('a', 'x', {atLeast: revision + 1}),
    () => type.list({freshness: {atLeast: revision + 1}}),
    () => type.list({freshness: {exact: revision + 1}}),
  ]) {
    const error = told(await t.throwsAsync(async () => read()));
    if (!StatusError.is(error)) return t.fail(String(error));
    t.is(error.code, 504);
    t.is(error.message, `Timeout: Too large resource version: ${revision + 1}, current: ${revision}`);
    t.deepEqual(error.details, {
      causes: [{reason: 'ResourceVersionTooLarge', message: 'Too large resource version'}],
      retryAfterSeconds: 1,
    });
  }
});

test('many first reads fill the cache once', async (t) => {
  const store = new InterceptedStore(await memoryStore(t));
  const type = widgets(await startStorage(t, store));
  await Promise.all(Array.from({length: 20}, async (_, index) => type.get('a', `x${index}`, 'any')));
  t.is(store.calls.get('list'), 1);
});

test('while the store is away any version is answered and a most recent read is refused', async (t) => {
  const store = new InterceptedStore(await memoryStore(t));
  const type = widgets(await startStorage(t, store));
  await type.create(widget('a', 'x'), 'a', 'x');
  await type.get('a', 'x', 'any');
  store.failure = new StoreError('Unavailable', 'the connection is down');
  t.is((await type.get('a', 'x', 'any'))?.name, 'x');
  t.is((await type.list({freshness: 'any'})).items.length, 1);
  for (const read of [() => type.get('a', 'x', 'recent'), () => type.list({freshness: 'recent'})]) {
    const error = await t.throwsAsync(async () => read());
    t.true(StoreError.is(error) && error.code === 'Unavailable');
  }
  store.failure = undefined;
  t.is((await type.get('a', 'x', 'recent'))?.name, 'x');
});

test('a cache that cannot be filled is tried again with the next read', async (t) => {
  const store = new InterceptedStore(await memoryStore(t));
  const type = widgets(await startStorage(t, store));
  store.failure = new StoreError('Unavailable', 'the connection is down');
  const error = await t.throwsAsync(async () => type.get('a', 'x', 'any'));
  t.true(StoreError.is(error) && error.code === 'Unavailable');
  store.failure = undefined;
  t.is(await type.get('a', 'x', 'any'), undefined);
});

test('storage starts while the store is away and follows it once it is back', async (t) => {
  const store = new InterceptedStore(await memoryStore(t));
  store.failure = new StoreError('Unavailable', 'the connection is down');
  const storage = await startStorage(t, store);
  t.false(storage.health().following);
  store.failure = undefined;
  const type = widgets(storage);
  await type.create(widget('a', 'x'), 'a', 'x');
  t.is((await type.get('a', 'x', 'recent'))?.name, 'x');
  t.true(storage.health().following);
});

test('what is written while the cache is being filled is in it once', async (t) => {
  const store = new InterceptedStore(await memoryStore(t));
  const type = widgets(await startStorage(t, store));
  const x = await type.create(widget('a', 'x'), 'a', 'x');
  await type.list({freshness: 'recent'});
  for (const [method, gates] of [
    ['list', store.gates],
    ['history', store.gates],
    ['history', store.resultGates],
  ] as const) {
    const server = widgets(await startStorage(t, store));
    const gate = Promise.withResolvers<void>();
    gates.set(method, gate.promise);
    const calls = store.calls.get(method) ?? 0;
    const list = server.list({freshness: 'any'});
    while ((store.calls.get(method) ?? 0) === calls) await new Promise((resolve) => setImmediate(resolve));
    const y = await type.create(widget('a', 'y'), 'a', 'y');
    await type.delete('a', 'y', y.revision);
    const before = await type.get('a', 'z', 'recent');
    const z = before
      ? await type.update(widget('a', 'z', {data: method}), before, 'a', 'z')
      : await type.create(widget('a', 'z'), 'a', 'z');
    gates.clear();
    gate.resolve();
    const {items, revision} = await list;
    t.is(revision, z.revision);
    t.deepEqual(
      items.map(({bytes}) => bytes.toString()),
      (await type.list({freshness: 'recent'})).items.map(({bytes}) => bytes.toString()),
    );
    t.deepEqual(
      (await server.list({freshness: {exact: x.revision}})).items.map(({key}) => key),
      ['a/x'],
    );
  }
});

test('a log that breaks off while the cache is being filled leads to another try', async (t) => {
  const store = new InterceptedStore(await memoryStore(t));
  const type = widgets(await startStorage(t, store));
  await type.create(widget('a', 'x'), 'a', 'x');
  const gate = Promise.withResolvers<void>();
  store.gates.set('history', gate.promise);
  const read = type.get('a', 'x', 'any');
  while (!store.calls.has('history')) await new Promise((resolve) => setImmediate(resolve));
  store.breakOff(new StoreError('Compacted', 'the log was cut'));
  gate.resolve();
  t.is((await read)?.name, 'x');
  t.is(store.calls.get('list'), 2);
  await type.create(widget('a', 'y'), 'a', 'y');
  t.is((await type.get('a', 'y', 'recent'))?.name, 'y', 'the new log is followed');
});

test('versions of a history that the store has lost are a 410 although the store will count up to them again', async (t) => {
  const store = new InterceptedStore(await memoryStore(t));
  const type = widgets(await startStorage(t, store));
  for (const name of ['x', 'y', 'z']) await type.create(widget('a', name), 'a', name);
  const {revision, continueToken} = await type.list({freshness: 'recent', limit: 1});
  store.replace(await memoryStore(t));
  await type.create(widget('b', 'new'), 'b', 'new');
  t.deepEqual(
    (await type.list({freshness: 'recent'})).items.map(({key}) => key),
    ['b/new'],
  );
  for (const read of [
    () => type.list({freshness: {exact: revision}}),
    () => type.list({freshness: 'any', continueToken: continueToken!}),
    () => type.watch({start: {kind: 'after', revision}, bookmarks: false, encoder}, new CollectingSink()),
  ]) {
    const error = told(await t.throwsAsync(async () => read()));
    t.true(StatusError.is(error) && error.code === 410, String(error));
  }
});

test('after a stop reads are refused', async (t) => {
  const storage = await startStorage(t, await memoryStore(t));
  const type = widgets(storage);
  await storage.stop();
  const error = await t.throwsAsync(async () => type.get('a', 'x', 'any'));
  t.true(StoreError.is(error) && error.code === 'Closed');
});

test('health tells what is held in memory', async (t) => {
  const storage = await startStorage(t, await memoryStore(t));
  const type = widgets(storage);
  t.deepEqual(storage.health().types, []);
  await type.get('a', 'x', 'any');
  const {revision} = await type.create(widget('a', 'x'), 'a', 'x');
  const {shards, types} = storage.health();
  t.is(shards.length, 1);
  t.like(shards[0], {shard: 0, revision, following: true, breaks: 0, epochChanges: 0});
  t.is(await shards[0]!.latest(), revision);
  t.like(types[0], {type: 'widgets.example.com', objects: 1, events: 1, snapshots: 0, watches: 0});
});
