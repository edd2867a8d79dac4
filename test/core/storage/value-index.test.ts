import test from 'ava';
import {CooperativeScheduler} from '@orch-api/orch/sdk';
import {parseFieldSelector} from '../../../core/api/selectors/field-selector.js';
import {parseLabelSelector} from '../../../core/api/selectors/label-selector.js';
import {CachedEntry, type EntryContext} from '../../../core/storage/cache/cached-entry.js';
import type {CachedObject} from '../../../core/storage/cache/cached-object.js';
import {ObjectSelector} from '../../../core/storage/read/object-selector.js';
import {ParsedObjects} from '../../../core/storage/cache/parsed-objects.js';
import {selectObjects} from '../../../core/storage/read/select-objects.js';
import {createTree, type SortedTree} from '../../../core/storage/cache/sorted-tree.js';
import {encodeStoredValue} from '../../../core/storage/cache/stored-value.js';
import {ValueIndex} from '../../../core/storage/cache/value-index.js';
import {eventually} from '../../helpers/eventually.js';
import {seededRandom} from '../../helpers/config-map-writers.js';
import {UnreadableEntries} from '../../../core/storage/cache/unreadable-entries.js';
import {memoryStore, RecordingLogger, startStorage, widget, widgets} from './support.js';

const selectableFields = (entry: CachedObject): Record<string, string> => {
  const {node, data} = entry.object().spec as {node?: string; data?: string};
  return {...(node === undefined ? {} : {'spec.node': node}), 'spec.data': data ?? ''};
};

/** A state, and an index that follows it. */
class Indexed {
  readonly tree: SortedTree = createTree();
  readonly index = new ValueIndex(() => new CooperativeScheduler().task('background', 'test'));
  readonly context: EntryContext;
  private revision = 0;

  constructor(
    count = 0,
    content: (number: number) => Parameters<typeof widget>[2] = (number) => ({node: `n${number % 10}`, labels: {app: `a${number % 5}`}}),
  ) {
    this.context = {
      options: {type: 'widgets', namespaced: true, selectableFields},
      parsed: new ParsedObjects(100, 1e6),
      encryption: undefined,
      unreadable: new UnreadableEntries('widgets', new RecordingLogger(), Date.now),
    };
    for (let number = 0; number < count; number++) this.put(`${number % 3 ? 'a' : 'b'}/x${number}`, content(number));
  }

  put(key: string, content: Parameters<typeof widget>[2]): void {
    const [namespace, name] = key.split('/') as [string, string];
    const previous = this.tree.get(key);
    const revision = ++this.revision;
    const object = CachedEntry.ofRecord(this.context, {key, revision, value: encodeStoredValue(widget(namespace, name, content), 0)});
    this.tree.set(key, object);
    this.index.apply({revision, time: 0, key, object, previous});
  }

  delete(key: string): void {
    const previous = this.tree.get(key);
    if (!previous) return;
    this.tree.delete(key);
    this.index.apply({revision: ++this.revision, time: 0, key, object: undefined, previous});
  }

  candidates(query: {fields?: string; labels?: string}, now = 0): string[] | undefined {
    const tree = this.index.candidates(selectorOf(query), this.tree, now);
    return tree && [...tree.keys()];
  }

  /** Names the selector as often as it takes to get an index. */
  begin(query: {fields?: string; labels?: string}, now = 0): void {
    for (let time = 0; time < 2; time++) this.candidates(query, now);
  }
}

function selectorOf({fields = '', labels = '', namespace}: {fields?: string; labels?: string; namespace?: string}): ObjectSelector {
  return new ObjectSelector(
    {fieldSelector: parseFieldSelector(fields), labelSelector: parseLabelSelector(labels), ...(namespace ? {namespace} : {})},
    true,
  );
}

test('an index of a label parses no object', (t) => {
  const state = new Indexed(300);
  let parsed = 0;
  state.context.parsed.add = () => (parsed += 1);
  state.begin({labels: 'app=a3'});
  t.is(state.candidates({labels: 'app=a3'})?.length, 60);
  t.is(parsed, 0);
});

test('a field is indexed when an equality selector names it for the second time', (t) => {
  const state = new Indexed(300);
  t.is(state.candidates({fields: 'spec.node=n3'}), undefined);
  t.is(state.index.size, 0);
  const found = state.candidates({fields: 'spec.node=n4'});
  t.is(found?.length, 30);
  t.deepEqual(found, [...found!].sort());
  t.true(found!.every((key) => key.endsWith('4')));
  t.deepEqual(state.candidates({fields: 'spec.node=none'}), []);
  t.is(state.index.size, 1);
});

test('inequality, name and namespace make no index, and neither do few objects', (t) => {
  const state = new Indexed(300);
  for (const query of [
    {fields: 'spec.node!=n3'},
    {fields: 'metadata.name=x3'},
    {fields: 'metadata.namespace=a'},
    {labels: 'app!=a1'},
    {labels: 'app'},
    {labels: 'app in (a1,a2)'},
  ]) {
    state.begin(query);
    t.is(state.candidates(query), undefined, JSON.stringify(query));
  }
  const few = new Indexed(20);
  few.begin({fields: 'spec.node=n3'});
  t.is(few.candidates({fields: 'spec.node=n3'}), undefined);
  t.deepEqual([state.index.size, few.index.size], [0, 0]);
});

test('a label and a field of the same name are told apart, and the condition that leaves fewer objects decides', (t) => {
  const state = new Indexed(300, (number) => ({node: `n${number % 10}`, labels: {'spec.node': `n${number % 2}`}}));
  state.begin({labels: 'spec.node=n1'});
  t.is(state.candidates({labels: 'spec.node=n1'})?.length, 150);
  state.begin({fields: 'spec.node=n1'});
  t.is(state.candidates({fields: 'spec.node=n1'})?.length, 30);
  t.is(state.candidates({labels: 'spec.node=n1', fields: 'spec.node=n1'})?.length, 30);
  t.is(state.candidates({labels: 'spec.node=n5', fields: 'spec.node=n1'})?.length, 0);
});

test('objects without a field are found under the empty text, those without a label under nothing', (t) => {
  const state = new Indexed(300, (number) => (number < 7 ? {} : {node: 'n', labels: {app: ''}}));
  state.begin({fields: 'spec.node='});
  state.begin({labels: 'app='});
  t.is(state.candidates({fields: 'spec.node='})?.length, 7);
  t.is(state.candidates({labels: 'app='})?.length, 293);
  for (const path of ['toString', '__proto__', 'constructor']) {
    state.begin({fields: `${path}=`});
    t.is(state.candidates({fields: `${path}=`})?.length, 300, path);
    t.deepEqual(state.candidates({fields: `${path}=x`}), [], path);
  }
});

test('an index of many objects is made in turns, and used once it has all of them as they are by then', async (t) => {
  const state = new Indexed(5_000);
  const query = {fields: 'spec.node=n3'};
  state.begin(query);
  t.is(state.candidates(query), undefined);
  state.put('a/x1', {node: 'n3'});
  state.put('a/x4993', {node: 'other'});
  state.put('a/new', {node: 'n3'});
  state.delete('a/x13');
  const found = await eventually(
    () => Promise.resolve(state.candidates(query)),
    (candidates) => candidates !== undefined,
  );
  const scanned = selectObjects(state.tree, selectorOf(query), true, undefined, Infinity).items;
  t.deepEqual(
    found,
    scanned.map(({key}) => key),
  );
  t.is(found!.length, 500);
});

test('an index that nobody asked for in ten minutes is dropped', (t) => {
  const state = new Indexed(300);
  state.begin({fields: 'spec.node=n1'}, 0);
  state.begin({labels: 'app=a1'}, 0);
  state.candidates({labels: 'app=a1'}, 300_000);
  state.index.trim(600_001);
  t.is(state.index.size, 1);
  t.is(state.candidates({fields: 'spec.node=n1'}, 600_002), undefined);
  t.is(state.candidates({labels: 'app=a1'}, 600_002)?.length, 60);
});

test('at most eight labels and fields are indexed, whatever clients ask for', (t) => {
  const state = new Indexed(300);
  for (let label = 0; label < 200; label++) state.begin({labels: `l${label}=x`});
  for (let field = 0; field < 200; field++) state.begin({fields: `f${field}=x`});
  t.is(state.index.size, 8);
  t.is(state.candidates({fields: 'spec.node=n1'}), undefined);
  state.index.trim(600_001);
  state.begin({fields: 'spec.node=n1'});
  t.is(state.candidates({fields: 'spec.node=n1'})?.length, 30, 'there is room again');
});

test('a new definition of the fields drops what was indexed by the old one, and leaves labels', (t) => {
  const state = new Indexed(300);
  state.begin({fields: 'spec.node=n1'});
  state.begin({labels: 'app=a1'});
  state.context.options = {...state.context.options, selectableFields: () => ({'spec.node': 'same'})};
  state.index.forgetFields();
  t.is(state.index.size, 1);
  state.begin({fields: 'spec.node=same'});
  t.is(state.candidates({fields: 'spec.node=same'})?.length, 300);
  t.deepEqual(state.candidates({fields: 'spec.node=n1'}), []);
});

test('a type whose fields are defined anew answers by the new ones, also where the old ones were indexed', async (t) => {
  const storage = await startStorage(t, await memoryStore(t));
  const type = widgets(storage);
  for (let number = 0; number < 300; number++) await type.create(widget('a', `x${number}`, {node: `n${number % 10}`}), 'a', `x${number}`);
  const count = async (fields: string) => (await type.list({freshness: 'recent', fieldSelector: parseFieldSelector(fields)})).items.length;
  for (let time = 0; time < 3; time++) t.is(await count('spec.node=n1'), 30);
  storage.type({type: 'widgets.example.com', namespaced: true, selectableFields: (entry) => ({'spec.node': `${entry.name.at(-1)}`})});
  for (let time = 0; time < 3; time++) t.deepEqual([await count('spec.node=n1'), await count('spec.node=1')], [0, 30]);
});

test('a value that cannot be read costs the index and nothing else', (t) => {
  const state = new Indexed(300);
  state.begin({fields: 'spec.node=n1'});
  state.begin({labels: 'app=a1'});
  state.context.options = {
    ...state.context.options,
    selectableFields: () => {
      throw new TypeError('no such member');
    },
  };
  t.notThrows(() => state.put('a/x1', {node: 'n2', labels: {app: 'a1'}}));
  t.is(state.index.size, 1);
  t.true(state.candidates({labels: 'app=a1'})!.includes('a/x1'));
  state.begin({fields: 'spec.node=n1'});
  t.is(state.candidates({fields: 'spec.node=n1'}), undefined);
  const scan = () => selectObjects(state.tree, selectorOf({fields: 'spec.node=n1'}), true, undefined, Infinity);
  t.throws(scan, {message: 'no such member'});
});

const pick = <T>(random: () => number, choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!;

for (const seed of [7, 77, 777]) {
  test(`indexes and scans select the same objects under random changes (seed ${seed})`, (t) => {
    const random = seededRandom(seed);
    const content = () => ({
      ...(random() < 0.8 ? {node: pick(random, ['n0', 'n1', 'n2', ''])} : {}),
      // Values that few or single objects have go through all forms of a group.
      ...(random() < 0.8 ? {data: `d${Math.floor(random() * 200)}`} : {}),
      ...(random() < 0.8 ? {labels: {app: pick(random, ['a0', 'a1', '']), ...(random() < 0.5 ? {tier: 'front'} : {})}} : {}),
    });
    const state = new Indexed(300, content);
    let indexed = 0;
    const compare = () => {
      const query = {
        fields: [
          random() < 0.6 ? `spec.node=${pick(random, ['n0', 'n1', '', 'none'])}` : '',
          random() < 0.4 ? `spec.data=d${Math.floor(random() * 200)}` : '',
          random() < 0.2 ? 'spec.node!=n0' : '',
        ]
          .filter(Boolean)
          .join(','),
        labels: [
          random() < 0.4 ? `app=${pick(random, ['a0', 'a1', '', 'none'])}` : '',
          random() < 0.2 ? 'tier in (front)' : '',
          random() < 0.1 ? '!tier' : '',
        ]
          .filter(Boolean)
          .join(','),
        ...(random() < 0.3 ? {namespace: pick(random, ['a', 'b', 'c'])} : {}),
      };
      const selector = selectorOf(query);
      const candidates = state.index.candidates(selector, state.tree, 0);
      if (candidates) indexed++;
      const after = random() < 0.2 ? pick(random, [...state.tree.keys()]) : undefined;
      const found = (tree: SortedTree) => selectObjects(tree, selector, true, after, Infinity).items;
      const [actual, expected] = [found(candidates ?? state.tree), found(state.tree)];
      t.deepEqual(
        actual.map(({key}) => key),
        expected.map(({key}) => key),
        `seed ${seed}: ${JSON.stringify(query)}`,
      );
      t.true(
        actual.every((entry, position) => entry === expected[position]),
        'the latest state of each',
      );
    };
    for (let step = 0; step < 4_000; step++) {
      const key = `${pick(random, ['a', 'b'])}/x${Math.floor(random() * 450)}`;
      if (random() < 0.35) state.delete(key);
      else state.put(key, content());
      if (random() < 0.3) compare();
      if (random() < 0.002) state.index.forgetFields();
    }
    t.true(indexed > 200, 'most queries were answered by an index');
  });
}
