import test from 'ava';
import fc from 'fast-check';
import {ownedLines} from '../../../plugins/console/browser/api/field-owners.js';
import {layeredLayout} from '../../../plugins/console/browser/api/layered-layout.js';
import {OrderedArray} from '../../../plugins/console/browser/api/ordered-array.js';
import {rowFilter} from '../../../plugins/console/browser/api/row-filter.js';
import {SortedRows} from '../../../plugins/console/browser/api/sorted-rows.js';
import {rowComparator, type TableRow} from '../../../plugins/console/browser/api/table-rows.js';
import {objectPath} from '../../../plugins/console/browser/api/types.js';
import {managerOf, versionStep, type ObjectVersion} from '../../../plugins/console/browser/api/version-steps.js';
import {pathAt} from '../../../plugins/console/browser/editor/path-at.js';
import {mergeThree} from '../../../plugins/console/browser/editor/three-way.js';
import {RowSlots} from '../../../plugins/console/browser/parts/row-slots.js';

const row = (uid: string, name: string, cell: number): TableRow => ({
  uid,
  name,
  namespace: 'default',
  cells: [name, cell],
  labels: {},
  created: cell,
  isDeleting: false,
  version: '1',
});

test('rows stay in order and unique, and those looked for as well, whatever comes, changes and goes', (t) => {
  const step = fc.record({
    uid: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    name: fc.constantFrom('x', 'y', 'z'),
    cell: fc.oneof(fc.integer({min: 0, max: 11}), fc.constantFrom('', '1x', '10', 'true', null)),
    how: fc.constantFrom('put', 'put', 'remove', 'add', 'replace'),
  });
  const order = fc.record({column: fc.constantFrom(-1, 0, 1, 2), descending: fc.boolean()});
  const search = fc.constantFrom('', 'x', 'y 1', 'z', 'nothing');
  fc.assert(
    fc.property(fc.array(fc.tuple(step, fc.option(order), fc.option(search))), (steps) => {
      const rows = new SortedRows();
      const expected = new Map<string, TableRow>();
      let matches: ReturnType<typeof rowFilter>;
      for (const [{uid, name, cell, how}, newOrder, newSearch] of steps) {
        const made = {...row(uid, name, 0), cells: [name, cell], created: typeof cell === 'number' ? cell : Number.NaN};
        if (newOrder) rows.sort(newOrder, 2);
        if (newSearch !== null) rows.filter((matches = rowFilter(newSearch)));
        if (how === 'remove') rows.remove(uid);
        else if (how === 'replace') rows.replace([...expected.values(), made]);
        else if (how === 'add') rows.add([made, made]);
        else rows.put(made);
        expected.delete(uid);
        if (how !== 'remove') expected.set(uid, made);
        const sorted = [...expected.values()].sort(rowComparator(rows.order, 2));
        t.deepEqual(rows.rows, sorted);
        t.deepEqual(rows.found, matches ? sorted.filter(matches) : sorted);
      }
    }),
  );
});

test('rows in sight have a place each, which they keep, and those of rows that went are taken again', (t) => {
  const sights = fc.array(fc.uniqueArray(fc.integer({min: 0, max: 20}).map(String), {maxLength: 8}), {minLength: 1});
  fc.assert(
    fc.property(sights, (all) => {
      const slots = new RowSlots();
      let before = new Map<string, number>();
      let most = 0;
      for (const ids of all) {
        const given = slots.assign(ids);
        t.is(new Set(given).size, ids.length);
        const now = new Map(ids.map((id, index) => [id, given[index]!]));
        for (const [id, slot] of now) t.is(slot, before.get(id) ?? slot);
        most = Math.max(most, ids.length);
        t.true(Math.max(-1, ...given) < most, 'no more places than rows at once');
        before = now;
      }
    }),
  );
  const slots = new RowSlots();
  t.deepEqual(slots.assign(['a', 'b', 'c']), [0, 1, 2]);
  t.deepEqual(slots.assign(['b', 'c', 'd']), [1, 2, 0]);
  t.deepEqual(slots.assign(['x', 'y', 'z']), [1, 2, 0], 'nothing is moved');
});

test('a change looks at few of many rows, and a page that comes in order at none twice', (t) => {
  let looked = 0;
  const compare = (left: number, right: number) => {
    looked += 1;
    return left - right;
  };
  const count = 50_000;
  const ordered = new OrderedArray(compare);
  ordered.add(Array.from({length: count}, (_, index) => index * 2));
  t.true(looked <= count, `${looked} comparisons`);
  looked = 0;
  for (let index = 0; index < 500; index += 1) {
    ordered.exchange(index * 100, index * 100);
    ordered.insert(index * 100 + 1);
    ordered.remove(index * 100);
  }
  t.true(looked <= 500 * 50, `${looked} comparisons`);
  t.is(ordered.items.length, count);
});

test('words are looked for in names, cells and labels', (t) => {
  const shown = {...row('a', 'Settings', 7), labels: {tier: 'front'}};
  const finds = (search: string) => rowFilter(search)?.(shown);
  t.deepEqual(['settings 7', 'TIER=front def', 'front back', '  '].map(finds), [true, true, false, undefined]);
});

test('ages are sorted by the time, not by their text', (t) => {
  const compare = rowComparator({column: 1, descending: false}, 1);
  t.deepEqual(
    [row('a', 'old', 100), row('b', 'new', 1000)].sort(compare).map(({name}) => name),
    ['new', 'old'],
  );
});

test('changes of two are put together where they touch different fields', (t) => {
  const base = {a: 1, list: [1, 2], nested: {x: 1, y: 2, gone: 3}};
  t.deepEqual(mergeThree(base, {a: 2, list: [1, 2], nested: {x: 1, y: 2}}, {a: 1, list: [1, 3], nested: {x: 9, y: 2, gone: 3}, more: 1}), {
    value: {a: 2, list: [1, 3], nested: {x: 9, y: 2}, more: 1},
    conflicts: [],
  });
});

test('what both have changed is named, and stays as it was edited', (t) => {
  const merged = mergeThree({a: {b: 1}, list: [1], kept: 1}, {a: {b: 2}, list: [2], kept: 1}, {a: {b: 3}, list: [3], kept: 1});
  t.deepEqual(merged, {value: {a: {b: 2}, list: [2], kept: 1}, conflicts: ['a.b', 'list']});
  t.deepEqual(mergeThree({a: 1}, {a: 2}, {a: 2}).conflicts, [], 'both have done the same');
  t.deepEqual(mergeThree({a: 1}, {}, {a: 2}), {value: {}, conflicts: ['a']}, 'removed by one, changed by the other');
});

test('a merge takes what one side did alone', (t) => {
  const values = fc.dictionary(
    fc.constantFrom('a', 'b', 'c'),
    fc.oneof(fc.integer(), fc.dictionary(fc.constantFrom('d', 'e'), fc.integer())),
    {
      noNullPrototype: true,
    },
  );
  fc.assert(
    fc.property(values, values, (base, changed) => {
      t.deepEqual(mergeThree(base, changed, base), {value: changed, conflicts: []});
      t.deepEqual(mergeThree(base, base, changed), {value: changed, conflicts: []});
    }),
  );
});

for (const [text, expected] of [
  ['sp|', {path: [], key: undefined, typed: 'sp'}],
  ['spec:\n  rep|', {path: ['spec'], key: undefined, typed: 'rep'}],
  [
    'spec:\n  replicas: 1\n  template:\n    spec:\n      containers:\n      - name: a\n        im|',
    {path: ['spec', 'template', 'spec', 'containers', '-'], key: undefined, typed: 'im'},
  ],
  ['spec:\n  ports:\n    - na|', {path: ['spec', 'ports', '-'], key: undefined, typed: 'na'}],
  ['spec:\n  ports:\n  - protocol: T|', {path: ['spec', 'ports', '-'], key: 'protocol', typed: 'T'}],
  ['metadata:\n  labels:\n    a: b\nspec:\n  |', {path: ['spec'], key: undefined, typed: ''}],
  ['a:\n  # b:\n  c|', {path: ['a'], key: undefined, typed: 'c'}],
] as const)
  test(`the place of ${JSON.stringify(text)} is found`, (t) => {
    t.deepEqual(pathAt(text.replace('|', ''), text.indexOf('|')), expected);
  });

test('each field has the managers that managedFields name for it, items by their keys and values', (t) => {
  const {lines, managers} = ownedLines({
    kind: 'Pod',
    metadata: {
      name: 'a',
      uid: 'u',
      resourceVersion: '1',
      managedFields: [
        {manager: 'one', fieldsV1: {'f:spec': {'f:containers': {'k:{"name":"main"}': {'.': {}, 'f:image': {}}}}}},
        {
          manager: 'two',
          fieldsV1: {'f:metadata': {'f:finalizers': {'v:"x/y"': {}}}, 'f:spec': {'f:containers': {'k:{"name":"main"}': {'f:image': {}}}}},
        },
      ],
    } as never,
    spec: {
      containers: [
        {name: 'main', image: 'i'},
        {name: 'side', image: 'i'},
      ],
      more: [],
    },
  });
  t.is(managers.length, 2);
  const owned = lines.filter(({owners}) => owners.length > 0).map(({text, owners}) => [text, owners]);
  t.deepEqual(owned, [
    ['-', [0]],
    ['image: "i"', [0, 1]],
  ]);
  t.false(lines.some(({text}) => text.startsWith('managedFields')));
});

test('a graph is laid out in columns: edges go to the right but on circles, and no two nodes have one place', (t) => {
  const node = fc.integer({min: 0, max: 9}).map(String);
  fc.assert(
    fc.property(fc.array(fc.record({from: node, to: node})), (edges) => {
      const ids = [...new Set(edges.flatMap(({from, to}) => [from, to]))];
      const placed = layeredLayout(ids, edges);
      t.deepEqual(placed.map(({id}) => id).sort(), ids.toSorted());
      t.is(new Set(placed.map(({layer, row}) => `${layer} ${row}`)).size, ids.length);
      const layers = new Map(placed.map(({id, layer}) => [id, layer]));
      const forward = edges.filter(({from, to}) => Number(from) < Number(to));
      const again = new Map(layeredLayout(ids, forward).map(({id, layer}) => [id, layer]));
      for (const {from, to} of forward) t.true(again.get(from)! < again.get(to)!);
      for (const layer of new Set(layers.values())) {
        const rows = placed.filter((each) => each.layer === layer).map(({row}) => row);
        t.deepEqual(
          rows.toSorted((left, right) => left - right),
          rows.map((_, index) => index),
        );
      }
    }),
  );
});

test('nodes are beside what they are linked to', (t) => {
  const edges = [
    {from: 'a', to: 'x'},
    {from: 'b', to: 'y'},
  ];
  const placed = layeredLayout(['a', 'b', 'y', 'x'], edges);
  const rowOf = (id: string) => placed.find((each) => each.id === id)!.row;
  t.is(rowOf('a') < rowOf('b'), rowOf('x') < rowOf('y'));
});

function version(type: ObjectVersion['type'], managers: Readonly<Record<string, string>>): ObjectVersion {
  const managedFields = Object.entries(managers).map(([manager, time]) => ({manager, operation: 'Update', time}));
  const metadata = {name: 'one', uid: 'one', resourceVersion: '1', managedFields};
  return {type, resourceVersion: '1', object: {metadata}};
}

test('a version was written by the manager that is new or has a new time', (t) => {
  const versions = [
    version('ADDED', {one: '10'}),
    version('MODIFIED', {one: '10', two: '10'}),
    version('MODIFIED', {one: '12', two: '10'}),
    version('DELETED', {one: '12'}),
  ];
  t.deepEqual(
    versions.map((_, index) => managerOf(versions, index)),
    ['one', 'two', 'one', ''],
  );
});

test('a version leads from the state before to its own, and says so where that is not known', (t) => {
  const [added, modified, deleted, existing] = (['ADDED', 'MODIFIED', 'DELETED', 'EXISTING'] as const).map((type) => version(type, {})) as [
    ObjectVersion,
    ObjectVersion,
    ObjectVersion,
    ObjectVersion,
  ];
  const unreadable = {type: 'MODIFIED', resourceVersion: '1'} as const;
  const steps = (versions: ObjectVersion[]) => versions.map((_, index) => versionStep(versions, index));
  t.deepEqual(steps([added, modified, deleted, added]), [
    {before: undefined, after: added.object, unknown: ''},
    {before: added.object, after: modified.object, unknown: ''},
    {before: deleted.object, after: undefined, unknown: ''},
    {before: undefined, after: added.object, unknown: ''},
  ]);
  t.deepEqual(steps([existing, modified]), [
    {before: existing.object, after: existing.object, unknown: ''},
    {before: existing.object, after: modified.object, unknown: ''},
  ]);
  t.deepEqual(
    steps([modified, unreadable, modified]).map(({unknown}) => unknown),
    ['before', 'version', 'before'],
  );
});

test('names and types are a segment of a path each, whatever they are', (t) => {
  const text = fc.oneof(fc.string(), fc.constantFrom('.', '..', '../..', '%2e%2e', '/', '\\', '?', '#', '..;', 'a/b'));
  fc.assert(
    fc.property(text, text, text, text, text, (group, version, resource, namespace, name) => {
      const type = {group: `g${group}`, version, resource, kind: 'Kind', namespaced: true, verbs: [], shortNames: [], subresources: []};
      const {origin, pathname, search, hash} = new URL(objectPath(type, {namespace: `${namespace}`, name}), 'https://server.example');
      t.is(origin + search + hash, 'https://server.example');
      t.is(pathname.split('/').length, namespace === '' ? 6 : 8);
    }),
  );
});
