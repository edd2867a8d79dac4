import test from 'ava';
import {internalError, type ApiObject} from '../../../sdk/index.js';
import {parseFieldSelector} from '../../../core/api/selectors/field-selector.js';
import {parseLabelSelector} from '../../../core/api/selectors/label-selector.js';
import type {CachedObject} from '../../../core/storage/cache/cached-object.js';
import type {ObjectView} from '../../../core/storage/read/object-view.js';
import {JsonFrameEncoder} from '../../../core/registry/views/json-frame-encoder.js';
import {type CollectingSink, encoder, memoryStore, put, remove, startStorage, watch, widgets} from './support.js';

/** Shows `spec.data` as label and field `data`, after a while; what was not prepared cannot be seen. */
class SlowView implements ObjectView {
  failure: Error | undefined;
  /** Steps wait for it. */
  gate: Promise<void> = Promise.resolve();
  private readonly shown = new WeakMap<CachedObject, CachedObject>();

  isReady(object: CachedObject): boolean {
    return this.shown.has(object);
  }

  prepare(objects: readonly CachedObject[]): Promise<void> | undefined {
    const missing = objects.filter((object) => !this.isReady(object));
    return missing.length === 0 ? undefined : this.make(missing);
  }

  convertedNow(object: CachedObject): CachedObject {
    const shown = this.shown.get(object);
    if (!shown) throw new Error(`${object.key} was not prepared`);
    return shown;
  }

  private async make(objects: readonly CachedObject[]): Promise<void> {
    await this.gate;
    await new Promise((resolve) => setImmediate(resolve));
    if (this.failure) throw this.failure;
    for (const object of objects) this.keep(object, this.show(object));
  }

  private keep(object: CachedObject, shown: CachedObject): void {
    this.shown.set(object, shown).set(shown, shown);
  }

  private show(object: CachedObject, revision = object.revision): CachedObject {
    const stored = object.object();
    const data = String((stored['spec'] as {data?: unknown}).data ?? '');
    const seen: ApiObject = {...stored, metadata: {...stored.metadata, labels: {data}, resourceVersion: String(revision)}};
    const {key, namespace, name, writtenAt, schemaMark, stale} = object;
    return {
      ...{key, namespace, name, writtenAt, schemaMark, stale, revision},
      bytes: Buffer.from(JSON.stringify(seen)),
      beginsWith: (prefix) => JSON.stringify(seen).startsWith(prefix.toString()),
      object: () => seen,
      labels: () => ({data}),
      fields: () => ({'spec.data': data}),
      withRevision: (next) => {
        const shown = this.show(object, next);
        this.keep(shown, shown);
        return shown;
      },
    };
  }
}

const seenEncoder = (view: ObjectView) =>
  new JsonFrameEncoder({apiVersion: 'example.com/v1', kind: 'Widget'}, 'seen', (object) => view.convertedNow(object).bytes);

test('a watch through a view gets every change in order, shown by it', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  const view = new SlowView();
  const x = await put(type, 'a/x', {data: 1});
  const start = {kind: 'initial', freshness: 'recent'} as const;
  const plain = await watch(t, type, {start});
  const first = await watch(t, type, {start, view, encoder: seenEncoder(view)});
  const second = await watch(t, type, {start, view, encoder: seenEncoder(view)});
  for (const {sink} of [first, second]) await sink.count(1);
  const changed = await put(type, 'a/x', {data: 2});
  const y = await put(type, 'b/y', {data: 3});
  const removed = await remove(type, 'a/x');
  const expected = [`ADDED a/x@${x.revision}`, `MODIFIED a/x@${changed.revision}`, `ADDED b/y@${y.revision}`, `DELETED a/x@${removed}`];
  for (const {sink} of [plain, first, second]) {
    await sink.count(4);
    t.deepEqual(sink.summary, expected);
  }
  for (const {sink} of [first, second])
    t.deepEqual(
      sink.events.map(({object}) => object.metadata.labels),
      [{data: '1'}, {data: '2'}, {data: '3'}, {data: '2'}],
    );
});

test('while a view is busy other watches go on, and its own get what has gathered', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  const view = new SlowView();
  let open: () => void = () => undefined;
  view.gate = new Promise((resolve) => (open = resolve));
  const start = {kind: 'now', freshness: 'recent'} as const;
  const plain = await watch(t, type, {start});
  const seen = await watch(t, type, {start, view, encoder: seenEncoder(view)});
  const revisions: number[] = [];
  for (let data = 0; data < 20; data++) revisions.push((await put(type, 'a/x', {data})).revision);
  await plain.sink.count(20);
  t.is(seen.sink.events.length, 0);
  open();
  await seen.sink.count(20);
  t.deepEqual(seen.sink.summary, plain.sink.summary);
  t.is(seen.sink.events[19]!.object.metadata.labels?.['data'], '19');
});

test('a view that fails ends the watches that look through it with its error, and no others', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  const view = new SlowView();
  view.failure = internalError('the converter is gone');
  const start = {kind: 'now', freshness: 'recent'} as const;
  const plain = await watch(t, type, {start});
  const seen = await watch(t, type, {start, view, encoder: seenEncoder(view)});
  await put(type, 'a/x', {data: 1});
  await seen.sink.count(1);
  t.true(seen.sink.ended);
  t.is(seen.sink.events[0]!.type, 'ERROR');
  t.regex(String(seen.sink.events[0]!.object.message), /the converter is gone/);
  await put(type, 'a/y');
  await plain.sink.count(2);
  t.false(plain.sink.ended);
});

test('selectors look through the view: lists, their pages and watches select what is seen', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  const view = new SlowView();
  for (let index = 0; index < 40; index++)
    await put(type, `a/w${String(index).padStart(2, '0')}`, {data: index % 4, labels: {data: 'stored'}});
  for (const selection of [{labelSelector: parseLabelSelector('data=3')}, {fieldSelector: parseFieldSelector('spec.data=3')}]) {
    const whole = await type.list({freshness: 'recent', view, ...selection});
    t.deepEqual(
      whole.items.map(({name}) => name),
      Array.from({length: 10}, (_, index) => `w${String(index * 4 + 3).padStart(2, '0')}`),
    );
    const paged: string[] = [];
    let continueToken: string | undefined;
    do {
      const page = await type.list({
        freshness: 'recent',
        limit: 3,
        view,
        ...selection,
        ...(continueToken === undefined ? {} : {continueToken}),
      });
      t.is(page.revision, whole.revision);
      paged.push(...page.items.map(({name}) => name));
      ({continueToken} = page);
      await put(type, 'a/later', {data: 3});
    } while (continueToken !== undefined);
    t.deepEqual(
      paged,
      whole.items.map(({name}) => name),
    );
    await remove(type, 'a/later');
  }
  const {sink} = await watch(t, type, {
    start: {kind: 'initial', freshness: 'recent'},
    labelSelector: parseLabelSelector('data=1'),
    view,
    encoder: seenEncoder(view),
  });
  await sink.count(10);
  const out = await put(type, 'a/w01', {data: 2});
  const into = await put(type, 'a/w02', {data: 1});
  await put(type, 'a/w03', {data: 0});
  await sink.count(12);
  t.deepEqual(sink.summary.slice(10), [`DELETED a/w01@${out.revision}`, `ADDED a/w02@${into.revision}`]);
});

test('under random changes a watch through a view tells the same as one of the stored form', async (t) => {
  const seed = Number(process.env.ORCH_TEST_SEED ?? 20_261_120);
  t.log(`seed ${seed}`);
  let state = seed;
  const random = (below: number) => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) % below;
  const type = widgets(await startStorage(t, await memoryStore(t)));
  const view = new SlowView();
  const watches = new Set<{sink: CollectingSink; plain: CollectingSink}>();
  let writes = 0;
  for (let step = 0; step < 300; step++) {
    const key = `a/${String(random(6))}`;
    if (random(4) === 0 && (await type.get('a', key.slice(2), 'recent'))) await remove(type, key);
    else await put(type, key, {data: random(3)});
    writes += 1;
    if (step % 60 === 10) {
      const start = {kind: 'initial', freshness: 'recent'} as const;
      const plain = await watch(t, type, {start, encoder});
      const seen = await watch(t, type, {start, view, encoder: seenEncoder(view)});
      watches.add({sink: seen.sink, plain: plain.sink});
    }
    if (random(10) === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  t.is(writes, 300);
  const last = await put(type, 'a/last');
  for (const {sink, plain} of watches) {
    for (const each of [sink, plain])
      while (each.summary.at(-1) !== `ADDED a/last@${last.revision}`) await each.count(each.events.length + 1);
    t.deepEqual(sink.summary, plain.summary);
  }
});
