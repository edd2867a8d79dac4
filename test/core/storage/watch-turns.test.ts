import test, {type ExecutionContext} from 'ava';
import {parseFieldSelector} from '../../../core/api/selectors/field-selector.js';
import {parseLabelSelector} from '../../../core/api/selectors/label-selector.js';
import {isWithin, longestTurn} from '../../helpers/longest-turn.js';
import {startRedis} from '../../helpers/redis-server.js';
import {openEmbedded, temporaryDirectory} from '../../helpers/store-embedded.js';
import {openStore} from '../../plugins/stores/redis/open-store.js';
import type {Store} from '../../../sdk/index.js';
import type {TypeStorage} from '../../../core/storage/type-storage.js';
import type {Selection} from '../../../core/storage/read/list-query.js';
import {memoryStore, put, remove, startStorage, watch, widgets, type CollectingSink} from './support.js';

const initial = {kind: 'initial', freshness: 'recent'} as const;
const type = 'widgets.example.com';
/** All tests fill their stores at once: on a machine with other work, to follow thousands of writes takes seconds. */
const patient = {waitMillis: 60_000};

/** A name as long as that of the object that is copied. */
const nameOf = (index: number) => `c${String(index).padStart(5, '0')}`;

/** Fills a store with copies of an object. */
async function fill(store: Store, widgetsOf: TypeStorage, count: number, content: Parameters<typeof put>[2]): Promise<void> {
  await put(widgetsOf, 'space/copied', content);
  const text = (await store.read(type, 'space/copied'))!.value.toString('latin1');
  await Promise.all(
    Array.from({length: count}, (_, index) =>
      store.commit({
        type,
        key: `space/${nameOf(index)}`,
        expected: 0,
        value: Buffer.from(text.replaceAll('copied', nameOf(index)), 'latin1'),
      }),
    ),
  );
  await widgetsOf.get('space', nameOf(count - 1), 'recent');
}

const initialEventsEnded = (sink: CollectingSink) =>
  sink.until(() => sink.events.some(({object}) => object.metadata.annotations?.['example.com/initial-events-end'] === 'true'));

for (const [what, selection] of [
  ['a label', {labelSelector: parseLabelSelector('rare=yes')}],
  ['a field', {fieldSelector: parseFieldSelector('spec.node=rare')}],
] as const) {
  test(`a watch by ${what} that hardly any of many objects has leaves turns to everybody else before its first event`, async (t) => {
    const store = await memoryStore(t);
    const stored = widgets(await startStorage(t, store, patient));
    await put(stored, 'space/first', {data: 'x'.repeat(200), labels: {rare: 'yes'}, node: 'rare'});
    await fill(store, stored, 40_000, {data: 'x'.repeat(200)});
    const {result, longestMillis} = await longestTurn(async () => {
      const {sink} = await watch(t, stored, {start: initial, initialEventsEnd: true, ...selection});
      await initialEventsEnded(sink);
      return sink;
    });
    t.deepEqual(
      result.events.map(({type: event, object}) => `${event} ${object.metadata.name ?? ''}`),
      ['ADDED first', 'BOOKMARK '],
    );
    t.log(`${longestMillis.toFixed(0)} ms`);
    t.true(await isWithin(longestMillis, 50), `${longestMillis} ms of processor in one turn`);
  });
}

const stores: readonly (readonly [name: string, open: (t: ExecutionContext) => Promise<Store>])[] = [
  ['in memory', memoryStore],
  [
    'embedded',
    async (t) => {
      const store = await openEmbedded(await temporaryDirectory(t));
      t.teardown(() => store.close());
      return store;
    },
  ],
  [
    'in Redis',
    async (t) => {
      const {port} = await startRedis(t);
      const store = await openStore(`redis://127.0.0.1:${port}`, {config: {commandMillis: 20_000}});
      t.teardown(() => store.close());
      return store;
    },
  ],
];

/** What a client knows that has followed a watch: names with their versions. */
function followed(t: ExecutionContext, sink: CollectingSink): Map<string, string> {
  const known = new Map<string, string>();
  for (const {type: event, object} of sink.events) {
    const {name, resourceVersion} = object.metadata;
    if (event === 'BOOKMARK') continue;
    t.is(known.has(name!), event !== 'ADDED', `${event} of ${name}, which is ${known.has(name!) ? '' : 'not '}known`);
    if (event === 'DELETED') known.delete(name!);
    else known.set(name!, resourceVersion!);
  }
  return known;
}

for (const [where, open] of stores) {
  for (const [what, selection] of [
    ['a label', {labelSelector: parseLabelSelector('shown=yes')}],
    ['a field', {fieldSelector: parseFieldSelector('spec.node=shown')}],
    ['nothing', {}],
  ] as const satisfies readonly (readonly [string, Selection])[]) {
    test(`a watch by ${what} among many objects ${where} misses nothing and tells nothing twice while they change`, async (t) => {
      const store = await open(t);
      const stored = widgets(await startStorage(t, store, patient));
      const shown = {labels: {shown: 'yes'}, node: 'shown'};
      await fill(store, stored, 3_000, {});
      for (let index = 0; index < 3_000; index += 100) await put(stored, `space/${nameOf(index)}`, shown);
      const {sink} = await watch(t, stored, {start: initial, initialEventsEnd: true, ...selection});
      const isSearching = !sink.events.some(({type: event}) => event === 'BOOKMARK');
      // In front of the search and behind it: what begins to be selected, ceases to be, comes, goes, and comes again.
      const changes = Array.from({length: 60}, async (_, index) => {
        const key = `space/${nameOf(index * 50)}`;
        if (index % 4 === 0) await put(stored, key, index % 8 === 0 ? shown : {});
        else if (index % 4 === 1) await put(stored, key, shown);
        else await remove(stored, key);
        if (index % 4 === 3) await put(stored, key, shown);
        await put(stored, `space/new-${index}`, shown);
      });
      await Promise.all([...changes, initialEventsEnded(sink)]);
      await put(stored, 'space/zz-last', shown);
      await sink.until(() => sink.events.some(({object}) => object.metadata.name === 'zz-last'));
      const {items} = await stored.list({...selection, freshness: 'recent', limit: 0});
      const actual = new Map(items.map(({name, revision}) => [name, String(revision)]));
      t.true(isSearching);
      t.deepEqual([...followed(t, sink)].sort(), [...actual].sort());
    });
  }
}
