import test from 'ava';
import {atomic, atomicList, mapList, mapOf, mergeSchema, number, setList, Story, struct, text} from './story.js';

const schema = mergeSchema(
  struct({
    size: number,
    colour: text,
    tags: setList(text),
    words: atomicList(text),
    parts: mapList(['name'], struct({name: text, count: number, tags: setList(text), labels: mapOf(text)})),
    ports: mapList(['port', 'protocol'], struct({port: number, protocol: {...text, default: 'TCP'}, name: text})),
    labels: mapOf(text),
    selector: mapOf(text, atomic),
    whole: struct({a: text, b: text}, atomic),
    inner: struct({a: text, b: text}),
    free: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true},
  }),
);
const story = () => new Story(schema);

test('an applier owns what its configuration mentions, and nothing else changes [A-SSA-2] [A-SSA-6]', async (t) => {
  const s = story();
  await s.update('maker', {size: 1, inner: {a: 'x'}});
  t.deepEqual(await s.apply('one', {colour: 'red', inner: {b: 'y'}}), []);
  t.deepEqual(s.content, {size: 1, colour: 'red', inner: {a: 'x', b: 'y'}});
  t.deepEqual(s.owners, {one: ['.colour', '.inner.b'], 'maker (update)': ['.inner', '.inner.a', '.size']});
});

test('the same value has several owners; any of them conflicts with a change [A-SSA-7] [A-SSA-8] [A-SSA-13]', async (t) => {
  const s = story();
  await s.apply('one', {colour: 'red'});
  t.deepEqual(await s.apply('two', {colour: 'red'}), []);
  t.deepEqual(s.owners, {one: ['.colour'], two: ['.colour']});
  t.deepEqual(await s.apply('one', {colour: 'blue'}), ['two .colour']);
  t.deepEqual(await s.apply('three', {colour: 'blue'}), ['one .colour', 'two .colour']);
  t.deepEqual(s.content, {colour: 'red'});
});

test('force takes the field from all others [A-SSA-11]', async (t) => {
  const s = story();
  await s.apply('one', {colour: 'red', size: 1});
  await s.apply('two', {colour: 'red'});
  t.deepEqual(await s.apply('three', {colour: 'blue'}, {force: true}), ['one .colour', 'two .colour']);
  t.deepEqual(s.content, {colour: 'blue', size: 1});
  t.deepEqual(s.owners, {one: ['.size'], three: ['.colour']});
});

test('an update takes ownership of what it changes and never conflicts [A-SSA-10]', async (t) => {
  const s = story();
  await s.apply('one', {colour: 'red', size: 1, tags: ['a', 'b']});
  await s.update('editor', {colour: 'blue', size: 1, tags: ['a', 'c']});
  t.deepEqual(s.owners, {one: ['.size', '.tags[="a"]'], 'editor (update)': ['.colour', '.tags[="c"]']});
});

test('what its only owner leaves out is removed; what others own stays without the owner [A-SSA-12] [A-SSA-14] [A-SSA-15]', async (t) => {
  const s = story();
  await s.apply('one', {colour: 'red', size: 1, inner: {a: 'x', b: 'y'}});
  await s.apply('two', {colour: 'red', inner: {b: 'y'}});
  t.deepEqual(await s.apply('one', {inner: {a: 'x'}}), []);
  t.deepEqual(s.content, {colour: 'red', inner: {a: 'x', b: 'y'}});
  t.deepEqual(s.owners, {one: ['.inner.a'], two: ['.colour', '.inner.b']});
  t.deepEqual(await s.apply('one', {}), []);
  t.deepEqual(s.content, {colour: 'red', inner: {b: 'y'}});
  t.deepEqual(Object.keys(s.owners), ['two']);
});

test('items of a list of type map are owned one by one, and so are their fields [A-SSA-16] [A-SSA-21]', async (t) => {
  const s = story();
  await s.apply('one', {
    parts: [
      {name: 'a', count: 1},
      {name: 'b', count: 2},
    ],
  });
  t.deepEqual(await s.apply('two', {parts: [{name: 'b', tags: ['x']}, {name: 'c'}]}), []);
  t.deepEqual(s.content, {parts: [{name: 'a', count: 1}, {name: 'b', count: 2, tags: ['x']}, {name: 'c'}]});
  t.deepEqual(s.owners, {
    one: [
      '.parts[name="a"]',
      '.parts[name="a"].count',
      '.parts[name="a"].name',
      '.parts[name="b"]',
      '.parts[name="b"].count',
      '.parts[name="b"].name',
    ],
    two: ['.parts[name="b"]', '.parts[name="b"].name', '.parts[name="b"].tags[="x"]', '.parts[name="c"]', '.parts[name="c"].name'],
  });
  t.deepEqual(await s.apply('two', {parts: [{name: 'b', count: 3}]}), ['one .parts[name="b"].count']);
  await s.apply('one', {parts: [{name: 'a', count: 1}]});
  t.deepEqual(s.content, {parts: [{name: 'a', count: 1}, {name: 'b', tags: ['x']}, {name: 'c'}]});
  await s.apply('one', {});
  t.deepEqual(s.content, {parts: [{name: 'b', tags: ['x']}, {name: 'c'}]});
});

test('several keys and defaulted ones tell items apart [A-SSA-21]', async (t) => {
  const s = story();
  await s.update('maker', {
    ports: [
      {port: 80, protocol: 'TCP', name: 'web'},
      {port: 80, protocol: 'UDP'},
    ],
  });
  t.deepEqual(await s.apply('one', {ports: [{port: 80, name: 'web'}, {port: 81}]}), []);
  t.deepEqual(s.content, {ports: [{port: 80, protocol: 'TCP', name: 'web'}, {port: 80, protocol: 'UDP'}, {port: 81}]});
  t.deepEqual(s.owners['one'], [
    '.ports[port=80,protocol="TCP"]',
    '.ports[port=80,protocol="TCP"].name',
    '.ports[port=80,protocol="TCP"].port',
    '.ports[port=81,protocol="TCP"]',
    '.ports[port=81,protocol="TCP"].port',
  ]);
});

test('elements of a set live side by side [A-SSA-18] [A-SSA-20]', async (t) => {
  const s = story();
  await s.apply('one', {tags: ['a', 'b']});
  t.deepEqual(await s.apply('two', {tags: ['b', 'c']}), []);
  t.deepEqual(s.owners, {one: ['.tags[="a"]', '.tags[="b"]'], two: ['.tags[="b"]', '.tags[="c"]']});
  await s.apply('one', {tags: []});
  t.deepEqual(s.content, {tags: ['b', 'c']});
  t.deepEqual(Object.keys(s.owners), ['two']);
});

test('keys of a map are owned apart [A-SSA-17] [A-SSA-23]', async (t) => {
  const s = story();
  await s.apply('one', {labels: {a: '1', b: '2'}});
  t.deepEqual(await s.apply('two', {labels: {b: '2', c: '3'}}), []);
  t.deepEqual(await s.apply('two', {labels: {a: '9', b: '2'}}), ['one .labels.a']);
  await s.apply('one', {labels: {b: '2'}});
  t.deepEqual(s.content, {labels: {b: '2', c: '3'}});
  await s.apply('two', {labels: {}});
  t.deepEqual(s.content, {labels: {b: '2'}});
});

test('atomic lists, maps and structures have one owner and are replaced as a whole [A-SSA-19] [A-SSA-22] [A-SSA-24]', async (t) => {
  const s = story();
  await s.apply('one', {words: ['a', 'b'], selector: {x: '1', y: '2'}, whole: {a: '1'}});
  t.deepEqual(s.owners, {one: ['.selector', '.whole', '.words']});
  t.deepEqual(await s.apply('two', {words: ['a']}), ['one .words']);
  t.deepEqual(await s.apply('two', {selector: {z: '3'}}), ['one .selector']);
  t.deepEqual(await s.apply('two', {whole: {b: '2'}}), ['one .whole']);
  await s.apply('two', {words: ['c'], selector: {z: '3'}, whole: {b: '2'}}, {force: true});
  t.deepEqual(s.content, {words: ['c'], selector: {z: '3'}, whole: {b: '2'}});
  t.deepEqual(s.owners, {two: ['.selector', '.whole', '.words']});
});

test('structures without a mark are granular [A-SSA-24] [A-SSA-26]', async (t) => {
  const s = story();
  await s.apply('one', {inner: {a: '1'}});
  t.deepEqual(await s.apply('two', {inner: {b: '2'}}), []);
  t.deepEqual(s.owners, {one: ['.inner.a'], two: ['.inner.b']});
});

test('where nothing is known of a value, members are owned apart and lists as a whole [A-SSA-26]', async (t) => {
  const s = story();
  await s.apply('one', {free: {a: {x: 1}, list: [{name: 'a'}]}});
  t.deepEqual(await s.apply('two', {free: {a: {y: 2}}}), []);
  t.deepEqual(s.content, {free: {a: {x: 1, y: 2}, list: [{name: 'a'}]}});
  t.deepEqual(s.owners, {one: ['.free.a', '.free.a.x', '.free.list'], two: ['.free.a', '.free.a.y']});
  t.deepEqual(await s.apply('two', {free: {list: [{name: 'b'}]}}), ['one .free.list']);
  t.deepEqual(await s.apply('two', {free: {a: 'scalar'}}), ['one .free.a']);
  await s.apply('two', {free: {a: 'scalar'}}, {force: true});
  t.deepEqual(s.content, {free: {a: 'scalar', list: [{name: 'a'}]}});
});

test('null and empty values are opinions: they are owned and take the place of what was there', async (t) => {
  const s = story();
  await s.update('maker', {colour: 'red', labels: {a: '1'}, words: ['a']});
  t.deepEqual(await s.apply('one', {colour: null, labels: {}, words: []}, {force: true}), ['maker .colour', 'maker .words']);
  t.deepEqual(s.content, {labels: {a: '1'}, words: []});
  t.deepEqual(s.owners['one'], ['.colour', '.labels', '.words']);
});

test('members that the schema does not know are nobody’s', async (t) => {
  const s = story();
  await s.apply('one', {colour: 'red', unknown: 1, parts: [{name: 'a', more: true}]});
  t.deepEqual(s.owners['one'], ['.colour', '.parts[name="a"]', '.parts[name="a"].name']);
});

test('items keep their places: shared ones in the order of the configuration, others where they stood', async (t) => {
  const s = story();
  await s.update('maker', {tags: ['a', 'b', 'c', 'd']});
  await s.apply('one', {tags: ['a', 'x', 'c', 'y']});
  t.deepEqual(s.content, {tags: ['a', 'b', 'x', 'c', 'd', 'y']});
  await s.apply('two', {tags: ['d', 'a']});
  t.deepEqual([...(s.content['tags'] as string[])].sort(), ['a', 'b', 'c', 'd', 'x', 'y']);
  t.true((s.content['tags'] as string[]).indexOf('d') < (s.content['tags'] as string[]).indexOf('a'));
});

test('an item that is there twice is owned as one, and an applier puts a single one in its place', async (t) => {
  const s = story();
  await s.update('maker', {parts: [{name: 'a', count: 1}, {name: 'a', count: 2}, {name: 'b'}], tags: ['x', 'x']});
  t.deepEqual(s.owners['maker (update)'], [
    '.parts',
    '.parts[name="a"]',
    '.parts[name="b"]',
    '.parts[name="b"].name',
    '.tags',
    '.tags[="x"]',
  ]);
  t.deepEqual(await s.apply('one', {parts: [{name: 'c'}]}), []);
  t.is((s.content['parts'] as object[]).length, 4);
  t.deepEqual(await s.apply('one', {parts: [{name: 'a', count: 3}]}), ['maker .parts[name="a"]']);
  await s.apply('one', {parts: [{name: 'a', count: 3}]}, {force: true});
  t.deepEqual(s.content['parts'], [{name: 'a', count: 3}, {name: 'b'}]);
});

test('an endpoint’s scope limits what is owned and what is not', async (t) => {
  const s = new Story(schema, {scope: {except: {'f:inner': {}, 'f:colour': {}}}});
  await s.apply('one', {colour: 'red', size: 1, inner: {a: 'x'}});
  await s.update('two', {colour: 'blue', size: 2, inner: {a: 'y'}});
  t.deepEqual(s.owners, {'two (update)': ['.size']});
  const only = new Story(schema, {scope: {only: {'f:inner': {}}}});
  await only.apply('one', {colour: 'red', inner: {a: 'x', b: 'y'}});
  t.deepEqual(only.owners, {one: ['.inner.a', '.inner.b']});
});

test('a change that gives up ownership only leaves the object and its other owners alone', async (t) => {
  const s = story();
  await s.apply('one', {colour: 'red'});
  await s.apply('two', {colour: 'red', size: 1});
  const {object} = s;
  const [first] = s.entries;
  await s.apply('two', {size: 1});
  t.deepEqual(s.object, object);
  t.is(s.entries[0], first);
  t.deepEqual(s.owners, {one: ['.colour'], two: ['.size']});
});
