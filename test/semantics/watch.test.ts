import type {ExecutionContext} from 'ava';
import type {TestClient} from '@orch-api/orch/testing';
import {testOnEachStore} from '../helpers/each-store.js';
import {isOnInTestRelease} from '../helpers/test-release.js';
import {answer, assertFailure} from './answers.js';
import {configMap, withFixtures, withoutType, type ReadList, type ReadObject} from './fixtures.js';

const eachStore = testOnEachStore(withFixtures);

interface Event {
  readonly type: string;
  readonly object: ReadObject;
}

/** A watch as a reader of one event after the other. Ends with the test. */
function watch(t: ExecutionContext, client: TestClient, path: string): {next(): Promise<Event | undefined>; rest(): Promise<Event[]>} {
  const abort = new AbortController();
  const events = client.watch(path, {signal: abort.signal});
  t.teardown(() => abort.abort());
  const next = async () => (await events.next()).value as Event | undefined;
  return {
    next,
    async rest() {
      const found: Event[] = [];
      for (let event = await next(); event; event = await next()) found.push(event);
      return found;
    },
  };
}

const brief = ({type, object}: Event) => `${type} ${object.metadata.name}`;
const versionOf = async (t: ExecutionContext, client: TestClient, collection: string) =>
  answer<ReadList>(t, await client.get(collection), 200).metadata.resourceVersion;

eachStore(
  'creation, change and deletion come as ADDED, MODIFIED and DELETED with the whole object [A-EVT-1] [A-EVT-2] [A-EVT-3] [A-SVC-11] [A-QP-13] [A-RVS-26]',
  async (t, {client, path}) => {
    const collection = path('configmaps');
    await client.post(collection, configMap('old'));
    const version = await versionOf(t, client, collection);
    for (const flag of ['watch=1', 'watch=true', 'watch']) {
      const events = watch(t, client, `${collection}?${flag}&resourceVersion=${version}`);
      if (flag === 'watch=1') {
        const made = answer<ReadObject>(t, await client.post(collection, configMap('one', {a: '1'})), 201);
        const changed = answer<ReadObject>(t, await client.patch(`${collection}/one`, {data: {a: '2'}}), 200);
        await client.delete(`${collection}/one`);
        t.deepEqual(await events.next(), {type: 'ADDED', object: made});
        t.deepEqual(await events.next(), {type: 'MODIFIED', object: changed});
        const gone = (await events.next())!;
        t.deepEqual([gone.type, gone.object.data, gone.object.metadata.uid], ['DELETED', {a: '2'}, made.metadata.uid]);
        t.true(BigInt(gone.object.metadata.resourceVersion) > BigInt(changed.metadata.resourceVersion));
      } else {
        t.deepEqual(
          [await events.next(), await events.next(), await events.next()].map((event) => brief(event!)),
          ['ADDED one', 'MODIFIED one', 'DELETED one'],
        );
      }
    }
    t.is(answer<ReadList>(t, await client.get(`${collection}?watch=0`), 200).kind, 'ConfigMapList');
    t.is(answer<ReadList>(t, await client.get(`${collection}?watch=false`), 200).kind, 'ConfigMapList');
  },
);

eachStore(
  'a watch without version, or at version 0, first tells what there is, then what changes [A-RVS-24] [A-RVS-25]',
  async (t, {client, path}) => {
    const collection = path('configmaps');
    const existing = ['a', 'b', 'c'];
    for (const name of existing) await client.post(collection, configMap(name));
    for (const query of ['', '&resourceVersion=', '&resourceVersion=0']) {
      const events = watch(t, client, `${collection}?watch=1${query}`);
      const initial = [await events.next(), await events.next(), await events.next()];
      t.deepEqual(
        initial.map((event) => brief(event!)).sort(),
        existing.map((name) => `ADDED ${name}`),
      );
      const stored = answer<ReadList>(t, await client.get(collection), 200).items;
      for (const event of initial)
        t.deepEqual(
          withoutType(event!.object),
          stored.find(({metadata}) => metadata.name === event!.object.metadata.name),
        );
      await client.patch(`${collection}/b`, {data: {query}});
      const next = (await events.next())!;
      t.is(brief(next), 'MODIFIED b');
      t.deepEqual(next.object.data, {query});
    }
  },
);

eachStore('a watch from a version that is yet to come waits for it and sends what is after it [A-RVS-29]', async (t, {client, path}) => {
  const collection = path('configmaps');
  const made = answer<ReadObject>(t, await client.post(collection, configMap('one')), 201);
  // Other tests write to the same store: versions go on by more than the writes of this one.
  const from = BigInt(made.metadata.resourceVersion) + 50n;
  const events = watch(t, client, `${collection}?watch=1&resourceVersion=${from}`);
  const expected: string[] = [];
  for (let round = 0; expected.length < 3; round++) {
    const {metadata} = answer<ReadObject>(t, await client.patch(`${collection}/one`, {data: {round: String(round)}}), 200);
    if (BigInt(metadata.resourceVersion) > from) expected.push(metadata.resourceVersion);
  }
  for (const version of expected) t.is((await events.next())!.object.metadata.resourceVersion, version);
  const idle = watch(t, client, `${collection}?watch=1&timeoutSeconds=1&resourceVersion=${from + 1_000_000n}`);
  t.deepEqual(await idle.rest(), []);
});

eachStore('a watch is resumed after the last event without gap or repetition [A-WATCH-3]', async (t, {client, path}) => {
  const collection = path('configmaps');
  let version = await versionOf(t, client, collection);
  await client.post(collection, configMap('one'));
  for (let round = 0; round < 6; round++) await client.patch(`${collection}/one`, {data: {round: String(round)}});
  const seen: string[] = [];
  for (let round = 0; round < 7; round++) {
    const abort = new AbortController();
    for await (const event of client.watch(`${collection}?watch=1&resourceVersion=${version}`, {signal: abort.signal})) {
      seen.push((event as unknown as Event).object.data?.['round'] ?? 'made');
      version = event.object.metadata.resourceVersion!;
      break;
    }
    abort.abort();
  }
  t.deepEqual(seen, ['made', '0', '1', '2', '3', '4', '5']);
});

eachStore(
  'list, then watch: nothing is missed and nothing comes twice while eight clients write [A-WATCH-2]',
  async (t, {client, path}) => {
    const collection = path('configmaps');
    for (let index = 0; index < 4; index++) await client.post(collection, configMap(`n-${index}`, {count: '0'}));
    const writers = Array.from({length: 8}, async (_, writer) => {
      for (let round = 0; round < 12; round++) {
        const name = `n-${(writer + round) % 6}`;
        const choice = (writer * 7 + round * 3) % 5;
        if (choice === 0) await client.delete(`${collection}/${name}`);
        else if (choice < 3) await client.post(collection, configMap(name, {by: `${writer}-${round}`}));
        else await client.patch(`${collection}/${name}`, {data: {by: `${writer}-${round}`}});
      }
    });
    const list = answer<ReadList>(t, await client.get(collection), 200);
    const known = new Map(list.items.map((item) => [item.metadata.name, item]));
    const events = watch(t, client, `${collection}?watch=1&resourceVersion=${list.metadata.resourceVersion}`);
    await Promise.all(writers);
    await client.post(collection, configMap('end'));
    let last = BigInt(list.metadata.resourceVersion);
    for (;;) {
      const event = (await events.next())!;
      const {name, resourceVersion} = event.object.metadata;
      t.true(BigInt(resourceVersion) > last, `${brief(event)} at ${resourceVersion} after ${last}`);
      last = BigInt(resourceVersion);
      if (name === 'end') break;
      t.is(known.has(name), event.type !== 'ADDED', `${brief(event)} at ${resourceVersion}`);
      if (event.type === 'DELETED') known.delete(name);
      else known.set(name, withoutType(event.object));
    }
    await client.delete(`${collection}/end`);
    t.deepEqual(
      [...known.values()].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1)),
      answer<ReadList>(t, await client.get(collection), 200).items,
    );
  },
);

eachStore('objects enter and leave what a label selector selects as ADDED and DELETED [A-QP-18]', async (t, {client, path}) => {
  const collection = path('configmaps');
  await client.post(collection, configMap('in', {a: '1'}, {labels: {colour: 'red'}}));
  await client.post(collection, configMap('out', {}, {labels: {colour: 'blue'}}));
  const events = watch(t, client, `${collection}?watch=1&labelSelector=colour%3Dred`);
  t.is(brief((await events.next())!), 'ADDED in');
  await client.patch(`${collection}/out`, {data: {quiet: 'yes'}});
  const entered = answer<ReadObject>(t, await client.patch(`${collection}/out`, {metadata: {labels: {colour: 'red'}}}), 200);
  const changed = answer<ReadObject>(t, await client.patch(`${collection}/in`, {data: {a: '2'}}), 200);
  const left = answer<ReadObject>(t, await client.patch(`${collection}/in`, {data: {a: '3'}, metadata: {labels: {colour: 'blue'}}}), 200);
  await client.delete(`${collection}/in`);
  await client.delete(`${collection}/out`);
  t.deepEqual(await events.next(), {type: 'ADDED', object: entered});
  t.deepEqual(await events.next(), {type: 'MODIFIED', object: changed});
  // The last state that was selected, at the version of the change.
  t.deepEqual(await events.next(), {
    type: 'DELETED',
    object: {...changed, metadata: {...changed.metadata, resourceVersion: left.metadata.resourceVersion}},
  });
  t.is(brief((await events.next())!), 'DELETED out');
});

eachStore('a field selector on a watch selects by fields, transitions included [A-QP-21]', async (t, {client, path}) => {
  const collection = path('events');
  const body = (name: string, reason: string) => ({
    metadata: {name},
    involvedObject: {kind: 'ConfigMap', name: 'x', namespace: path('').split('/')[4]},
    reason,
  });
  await client.post(collection, body('a', 'Started'));
  await client.post(collection, body('b', 'Ended'));
  const events = watch(t, client, `${collection}?watch=1&fieldSelector=reason%3DStarted`);
  t.is(brief((await events.next())!), 'ADDED a');
  await client.patch(`${collection}/b`, {reason: 'Started'});
  await client.patch(`${collection}/a`, {reason: 'Ended'});
  await client.patch(`${collection}/a`, {message: 'unseen'});
  await client.patch(`${collection}/b`, {message: 'seen'});
  t.deepEqual(
    [await events.next(), await events.next(), await events.next()].map((event) => brief(event!)),
    ['ADDED b', 'DELETED a', 'MODIFIED b'],
  );
  assertFailure(t, await client.get(`${collection}?watch=1&fieldSelector=count%3D1`), 400, 'BadRequest', /field label not supported/);
});

eachStore(
  'a watch of one name, by field selector or by the path of the object, tells of that object only [A-SVC-12]',
  async (t, {client, path}) => {
    const collection = path('configmaps');
    for (const name of ['one', 'two']) await client.post(collection, configMap(name));
    for (const target of [`${collection}?watch=1&fieldSelector=metadata.name%3Done`, `${collection}/one?watch=1`]) {
      const events = watch(t, client, target);
      t.is(brief((await events.next())!), 'ADDED one');
      await client.patch(`${collection}/two`, {data: {target}});
      await client.patch(`${collection}/one`, {data: {target}});
      const changed = (await events.next())!;
      t.deepEqual([brief(changed), changed.object.data], ['MODIFIED one', {target}]);
    }
    // An object that is yet to come may be watched.
    const version = await versionOf(t, client, collection);
    const events = watch(t, client, `${collection}/three?watch=1&resourceVersion=${version}`);
    await client.post(collection, configMap('three'));
    t.is(brief((await events.next())!), 'ADDED three');
  },
);

eachStore('a watch across namespaces tells of all, one of a namespace of its own [A-PATH-8]', async (t, {client, path, namespace}) => {
  const label = `labelSelector=run%3D${namespace}`;
  const version = await versionOf(t, client, path('configmaps'));
  const everywhere = watch(t, client, `/api/v1/configmaps?watch=1&${label}&resourceVersion=${version}`);
  const here = watch(t, client, `${path('configmaps')}?watch=1&${label}&resourceVersion=${version}`);
  await client.post('/api/v1/namespaces/default/configmaps', configMap(namespace, {}, {labels: {run: namespace}}));
  await client.post(path('configmaps'), configMap('here', {}, {labels: {run: namespace}}));
  const first = (await everywhere.next())!;
  t.deepEqual([first.object.metadata.namespace, first.object.metadata.name], ['default', namespace]);
  t.is(brief((await everywhere.next())!), 'ADDED here');
  t.is(brief((await here.next())!), 'ADDED here');
  t.true(answer<ReadList>(t, await client.get(`/api/v1/configmaps?${label}`), 200).items.length === 2);
});

eachStore('the step to terminating is a MODIFIED with deletionTimestamp, the end a DELETED [A-FIN-6]', async (t, {client, path}) => {
  const collection = path('configmaps');
  await client.post(collection, configMap('one', {}, {finalizers: ['example.com/hold']}));
  const events = watch(t, client, `${collection}?watch=1&resourceVersion=${await versionOf(t, client, collection)}`);
  const terminating = answer<ReadObject>(t, await client.delete(`${collection}/one`), 200);
  t.truthy(terminating.metadata.deletionTimestamp);
  t.deepEqual(await events.next(), {type: 'MODIFIED', object: terminating});
  await client.patch(`${collection}/one`, {metadata: {finalizers: null}});
  t.is(brief((await events.next())!), 'DELETED one');
});

eachStore('timeoutSeconds ends a watch in good order [A-QP-15]', async (t, {client, path}) => {
  const collection = path('configmaps');
  await client.post(collection, configMap('one'));
  const started = performance.now();
  const found = await watch(t, client, `${collection}?watch=1&timeoutSeconds=1`).rest();
  const seconds = (performance.now() - started) / 1000;
  t.true(seconds >= 0.9 && seconds < 30, `${seconds} s`);
  t.deepEqual(found.map(brief), ['ADDED one']);
});

eachStore(
  'bookmarks come to those who ask for them: of the kind, with nothing but a version, from which a watch goes on without gap [A-QP-14] [A-EVT-4] [B-WEV-1] [B-WEV-2]',
  async (t, {client, path}) => {
    const collection = path('configmaps');
    for (const name of ['a', 'b']) await client.post(collection, configMap(name));
    const asked = watch(t, client, `${collection}?watch=1&timeoutSeconds=4&allowWatchBookmarks=true`);
    const silent = watch(t, client, `${collection}?watch=1&timeoutSeconds=4`).rest();
    t.deepEqual([await asked.next(), await asked.next()].map((event) => brief(event!)).sort(), ['ADDED a', 'ADDED b']);
    const changed = answer<ReadObject>(t, await client.patch(`${collection}/a`, {data: {a: '1'}}), 200);
    const sent = await asked.rest();
    const isInitial = ({object}: Event) => object.metadata.annotations?.['orch/initial-events-end'] === 'true';
    // Where the gate is on, another one follows what was there at the beginning, and says so.
    t.is(sent.filter(isInitial).length, isOnInTestRelease('WatchList') ? 1 : 0);
    const found = sent.filter((event) => !isInitial(event));
    const bookmark = found.pop()!;
    const {resourceVersion} = bookmark.object.metadata;
    t.deepEqual(bookmark, {
      type: 'BOOKMARK',
      object: {kind: 'ConfigMap', apiVersion: 'v1', metadata: {resourceVersion}},
    } as unknown as Event);
    t.deepEqual(found, [{type: 'MODIFIED', object: changed}]);
    t.true(BigInt(resourceVersion) >= BigInt(changed.metadata.resourceVersion));
    t.false((await silent).some(({type}) => type === 'BOOKMARK'));
    const resumed = watch(t, client, `${collection}?watch=1&resourceVersion=${resourceVersion}`);
    const next = answer<ReadObject>(t, await client.patch(`${collection}/b`, {data: {a: '2'}}), 200);
    t.deepEqual(await resumed.next(), {type: 'MODIFIED', object: next});
  },
);
