import test from 'ava';
import type {ManagedFieldsEntry} from '../../../../sdk/index.js';
import {capUpdates} from '../../../../core/api/apply/managers/cap-updates.js';
import {fieldsOfEntry} from '../../../../core/api/apply/managers/managed-fields.js';
import {atomicList, mapList, mapOf, mergeSchema, number, setList, Story, struct, text, texts} from './story.js';

const schema = mergeSchema(
  struct({
    metadata: struct({name: text, uid: text, resourceVersion: text, generation: number, labels: mapOf(text)}),
    size: number,
    tags: setList(text),
    words: atomicList(text),
    parts: mapList(['name'], struct({name: text, count: number})),
    inner: struct({a: text, b: text}),
    free: {},
  }),
);
const story = () => new Story(schema);

test('a new object is its maker’s, with the places that came with its fields', async (t) => {
  const s = story();
  await s.update('maker', {size: 1, tags: ['a'], words: [], inner: {a: 'x'}, parts: [{name: 'p', count: 2}], free: {x: null}});
  t.deepEqual(s.owners, {
    'maker (update)': [
      '.free',
      '.free.x',
      '.inner',
      '.inner.a',
      '.parts',
      '.parts[name="p"]',
      '.parts[name="p"].count',
      '.parts[name="p"].name',
      '.size',
      '.tags',
      '.tags[="a"]',
      '.words',
    ],
  });
});

test('what identifies an object or is the server’s is nobody’s', async (t) => {
  const s = story();
  await s.update('maker', {metadata: {name: 'n', uid: 'u', resourceVersion: '1', generation: 1, labels: {a: '1'}}});
  await s.update('maker', {metadata: {name: 'n', uid: 'u', resourceVersion: '2', generation: 2, labels: {a: '1'}}});
  t.deepEqual(s.owners, {'maker (update)': ['.metadata.labels', '.metadata.labels.a']});
  const before = s.entries;
  await s.update('other', {metadata: {name: 'n', uid: 'u', resourceVersion: '3', generation: 3, labels: {a: '1'}}});
  t.deepEqual(s.entries, before);
});

test('an update that changes nothing leaves the entries as they are', async (t) => {
  const s = story();
  await s.update('maker', {size: 1, free: {a: [1, {b: null}]}, parts: [{name: 'p', count: 2}]});
  const before = s.entries;
  await s.update('other', {parts: [{count: 2, name: 'p'}], free: {a: [1, {b: null}]}, size: 1});
  t.is(s.entries, before);
});

test('what is removed leaves all entries, and an entry with nothing left goes', async (t) => {
  const s = story();
  await s.update('maker', {size: 1});
  await s.update('second', {size: 1, inner: {a: 'x', b: 'y'}});
  await s.update('third', {inner: {b: 'y'}});
  t.deepEqual(s.owners, {'second (update)': ['.inner', '.inner.b']});
});

test('the place of a list or structure stays with who made it', async (t) => {
  const s = story();
  await s.update('maker', {parts: [{name: 'a', count: 1}], inner: {}});
  await s.update('second', {
    parts: [
      {name: 'a', count: 2},
      {name: 'b', count: 1},
    ],
    inner: {a: 'x'},
  });
  t.deepEqual(s.owners, {
    'maker (update)': ['.inner', '.parts', '.parts[name="a"]', '.parts[name="a"].name'],
    'second (update)': ['.inner.a', '.parts[name="a"].count', '.parts[name="b"]', '.parts[name="b"].count', '.parts[name="b"].name'],
  });
});

test('the order of items of a set or map is nobody’s, that of an atomic list is its owner’s', async (t) => {
  const s = story();
  await s.update('maker', {tags: ['a', 'b'], parts: [{name: 'a'}, {name: 'b'}], words: ['a', 'b']});
  await s.update('second', {tags: ['b', 'a'], parts: [{name: 'b'}, {name: 'a'}], words: ['b', 'a']});
  t.deepEqual(s.owners['second (update)'], ['.words']);
});

test('entries of one manager are joined, with the time of the last change [A-META-18]', async (t) => {
  const s = story();
  await s.update('maker', {size: 1});
  await s.update('maker', {size: 1, inner: {a: 'x'}});
  t.deepEqual(s.owners, {'maker (update)': ['.inner', '.inner.a', '.size']});
  t.is(s.entries[0]?.time, '2030-01-01T00:00:02Z');
  await s.update('maker', {inner: {a: 'x'}});
  t.deepEqual(s.owners, {'maker (update)': ['.inner', '.inner.a']});
  t.is(s.entries[0]?.time, '2030-01-01T00:00:02Z', 'a removal is no assertion of a value');
});

test('a manager that applies and updates has an entry for each [A-META-19]', async (t) => {
  const s = story();
  await s.apply('same', {size: 1});
  await s.update('same', {size: 1, inner: {a: 'x'}});
  t.deepEqual(s.owners, {same: ['.size'], 'same (update)': ['.inner', '.inner.a']});
  t.deepEqual(await s.apply('same', {size: 1, inner: {a: 'y'}}), ['same .inner.a']);
});

test('appliers stand before updaters, the older before the newer', async (t) => {
  const s = story();
  await s.update('z', {size: 1});
  await s.update('a', {size: 1, words: ['a']});
  await s.apply('second', {inner: {a: 'x'}});
  await s.apply('first', {inner: {b: 'x'}});
  t.deepEqual(Object.keys(s.owners), ['second', 'first', 'z (update)', 'a (update)']);
});

test('of more than ten updaters the oldest become one, appliers do not count', async (t) => {
  const s = new Story(mergeSchema(mapOf(text)));
  const object: Record<string, string> = {};
  await s.apply('applier', {applied: 'x'});
  for (let index = 1; index <= 14; index++) {
    object[`k${index}`] = 'x';
    await s.update(`m${index}`, {applied: 'x', ...object});
  }
  const names = Object.keys(s.owners);
  t.deepEqual(names, ['applier', 'ancient-changes (update)', ...Array.from({length: 9}, (_, index) => `m${index + 6} (update)`)]);
  t.deepEqual(s.owners['ancient-changes (update)'], ['.k1', '.k2', '.k3', '.k4', '.k5']);
  t.is(s.entries[1]?.time, '2030-01-01T00:00:06Z');
});

test('old updates are joined version by version, and none of their fields is lost', (t) => {
  const entry = (index: number, apiVersion: string): ManagedFieldsEntry => ({
    manager: index === 4 ? 'ancient-changes' : `m${index}`,
    operation: 'Update',
    apiVersion,
    time: new Date(Date.UTC(2030, 0, 1, 0, index)).toISOString(),
    fieldsType: 'FieldsV1',
    fieldsV1: {[`f:k${index}`]: {}},
  });
  const entries = Array.from({length: 13}, (_, index) => entry(index, index % 2 === 0 ? 'v1' : 'v2'));
  const capped = capUpdates(entries);
  t.is(capped.length, 10);
  t.deepEqual(capped.flatMap((kept) => texts(fieldsOfEntry(kept))).sort(), entries.flatMap((kept) => texts(fieldsOfEntry(kept))).sort());
  for (const kept of capped) {
    for (const field of texts(fieldsOfEntry(kept))) t.is(kept.apiVersion, Number(field.slice(2)) % 2 === 0 ? 'v1' : 'v2');
  }
});
