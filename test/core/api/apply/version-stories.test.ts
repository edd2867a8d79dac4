import test from 'ava';
import type {JsonObject, JsonValue} from '../../../../sdk/index.js';
import type {JsonSchema} from '../../../../core/api/schema/json-schema.js';
import {atomic, atomicList, mapList, mapOf, mergeSchema, number, setList, Story, struct, text} from './story.js';

const structure = (mark = {}) =>
  mergeSchema(
    struct({inner: struct({a: text, b: text}, mark), list: struct({items: mapList(['name'], struct({name: text, value: number}))})}),
  );

test('what becomes atomic is owned as a whole by all who owned a part of it [A-SSA-27]', async (t) => {
  const s = new Story(structure());
  await s.apply('one', {inner: {a: 'x'}});
  await s.apply('two', {inner: {b: 'y'}});
  s.changeSchemas(structure(atomic));
  t.deepEqual(await s.apply('three', {inner: {b: 'z'}}), ['one .inner', 'two .inner']);
  await s.apply('three', {inner: {b: 'z'}}, {force: true});
  t.deepEqual(s.content, {inner: {b: 'z'}});
  t.deepEqual(s.owners, {three: ['.inner']});
});

test('an update after a type became atomic takes the whole, too [A-SSA-27]', async (t) => {
  const s = new Story(structure());
  await s.apply('one', {inner: {a: 'x'}});
  s.changeSchemas(structure(atomic));
  await s.update('editor', {inner: {a: 'x', b: 'y'}});
  t.deepEqual(s.owners, {'editor (update)': ['.inner']});
});

test('what becomes granular has no owners inside [A-SSA-28]', async (t) => {
  const s = new Story(structure(atomic));
  await s.apply('one', {inner: {a: 'x', b: 'y'}});
  t.deepEqual(await s.apply('two', {inner: {b: 'z'}}), ['one .inner']);
  s.changeSchemas(structure());
  t.deepEqual(await s.apply('two', {inner: {b: 'z'}}), []);
  t.deepEqual(s.content, {inner: {a: 'x', b: 'z'}});
  t.deepEqual(s.owners, {one: ['.inner'], two: ['.inner.b']});
});

test('lists change their type as structures do [A-SSA-27] [A-SSA-28]', async (t) => {
  const item = struct({name: text, value: number});
  const withList = (list: JsonSchema) => mergeSchema(struct({list}));
  const cases: readonly (readonly [before: JsonSchema, config: JsonObject, other: JsonObject])[] = [
    [mapList(['name'], item), {list: [{name: 'a', value: 1}]}, {list: [{name: 'b', value: 1}]}],
    [setList(text), {list: ['a']}, {list: ['b']}],
  ];
  for (const [before, config, other] of cases) {
    const s = new Story(withList(before));
    await s.apply('one', config);
    s.changeSchemas(withList(atomicList(before.items!)));
    t.deepEqual(await s.apply('two', other), ['one .list']);
    await s.apply('two', other, {force: true});
    t.deepEqual(s.owners, {two: ['.list']});
    s.changeSchemas(withList(before));
    t.deepEqual(await s.apply('three', config), []);
    t.is((s.content['list'] as JsonValue[]).length, 2);
    t.deepEqual(s.owners['two'], ['.list']);
  }
});

test('a further key of a list with a default finds the items that there were', async (t) => {
  const schema = (keys: string[]) =>
    mergeSchema(struct({list: mapList(keys, struct({name: text, id: {...number, default: 1}, value: number}))}));
  const s = new Story(schema(['name']));
  await s.apply('one', {list: [{name: 'a', value: 1}]});
  s.changeSchemas(schema(['name', 'id']));
  await s.apply('one', {
    list: [
      {name: 'a', value: 2},
      {name: 'a', id: 2, value: 3},
    ],
  });
  t.deepEqual(s.content, {
    list: [
      {name: 'a', value: 2},
      {name: 'a', id: 2, value: 3},
    ],
  });
});

/** Members of version v2 are those of v1 with `New` behind their names. */
const renamed = (object: JsonObject, to: string): JsonObject =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => {
      if (name === 'apiVersion') return [name, value];
      const plain = name.replace(/New$/, '');
      return [to === 'v2' ? `${plain}New` : plain, value];
    }),
  );
const members = {size: number, labels: mapOf(text), tags: setList(text)};
const twoVersions = {
  v1: mergeSchema(struct(members)),
  v2: mergeSchema(struct(Object.fromEntries(Object.entries(members).map(([name, schema]) => [`${name}New`, schema])))),
};
const versioned = () => new Story(twoVersions, {convert: renamed});

test('an entry names its fields in the version through which they were written [A-META-20]', async (t) => {
  const s = versioned();
  await s.apply('one', {size: 1});
  await s.update('editor', {sizeNew: 1, labelsNew: {a: '1'}}, 'v2');
  t.deepEqual(s.owners, {one: ['.size'], 'editor (update) v2': ['.labelsNew', '.labelsNew.a']});
});

test('conflicts and lost fields are found through other versions', async (t) => {
  const s = versioned();
  await s.apply('one', {size: 1, labels: {a: '1', b: '2'}});
  t.deepEqual(await s.apply('two', {sizeNew: 2}, {version: 'v2'}), ['one .size']);
  t.deepEqual(await s.apply('two', {sizeNew: 1, labelsNew: {a: '1'}}, {version: 'v2'}), []);
  await s.update('editor', {sizeNew: 3, labelsNew: {a: '1'}}, 'v2');
  t.deepEqual(s.owners, {one: ['.labels.a'], 'two v2': ['.labelsNew.a'], 'editor (update) v2': ['.sizeNew']});
});

test('an applier that changes its version still gives up what it leaves out', async (t) => {
  const s = versioned();
  await s.apply('one', {size: 1, labels: {a: '1', b: '2'}, tags: ['x', 'y']});
  await s.apply('two', {labelsNew: {b: '2'}, tagsNew: ['y']}, {version: 'v2'});
  t.deepEqual(await s.apply('one', {labelsNew: {a: '1'}}, {version: 'v2'}), []);
  t.deepEqual(s.content, {labelsNew: {a: '1', b: '2'}, tagsNew: ['y']});
  t.deepEqual(s.owners, {'one v2': ['.labelsNew.a'], 'two v2': ['.labelsNew.b', '.tagsNew[="y"]']});
});

test('entries of versions that are gone are dropped with the next change', async (t) => {
  const s = versioned();
  await s.apply('one', {size: 1});
  await s.update('editor', {sizeNew: 1, tagsNew: ['a']}, 'v2');
  s.changeSchemas({v2: twoVersions.v2});
  await s.update('editor', {sizeNew: 1, tagsNew: ['a']}, 'v2');
  t.deepEqual(Object.keys(s.owners), ['one', 'editor (update) v2'], 'a write that changes nothing drops nothing');
  await s.apply('two', {sizeNew: 2}, {version: 'v2'});
  t.deepEqual(s.owners, {'two v2': ['.sizeNew'], 'editor (update) v2': ['.tagsNew', '.tagsNew[="a"]']});
});
