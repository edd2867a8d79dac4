import {testOnEachStore} from '../helpers/each-store.js';
import {answer, assertFailure} from './answers.js';
import {apply, ownersOf, shelf, shelvesVersion, withShelves, type OwnedObject} from './apply-fixtures.js';

const eachStore = testOnEachStore(withShelves);
const emma = '[{"edition":1,"title":"Emma"}]';
const emma2 = '[{"edition":2,"title":"Emma"}]';

eachStore(
  'items of a list of type map have owners of their own, and so have their fields [A-SSA-16] [A-SSA-21]',
  async (t, {client, path}) => {
    const item = `${path('shelves', shelvesVersion)}/one`;
    await apply(
      client,
      item,
      'one',
      shelf('one', {
        books: [
          {title: 'Emma', pages: 400},
          {title: 'Emma', edition: 2},
        ],
      }),
    );
    const both = answer<OwnedObject>(
      t,
      await apply(client, item, 'two', shelf('one', {books: [{title: 'Emma', edition: 1, language: 'en'}]})),
      200,
    );
    t.deepEqual(both.spec?.['books'], [
      {title: 'Emma', edition: 1, pages: 400, language: 'en'},
      {title: 'Emma', edition: 2},
    ]);
    t.deepEqual(ownersOf(both), {
      one: [
        `.spec.books${emma}`,
        `.spec.books${emma}.pages`,
        `.spec.books${emma}.title`,
        `.spec.books${emma2}`,
        `.spec.books${emma2}.edition`,
        `.spec.books${emma2}.title`,
      ],
      two: [`.spec.books${emma}`, `.spec.books${emma}.edition`, `.spec.books${emma}.language`, `.spec.books${emma}.title`],
    });
    const left = answer<OwnedObject>(t, await apply(client, item, 'one', shelf('one', {books: []})), 200);
    t.deepEqual(left.spec?.['books'], [{title: 'Emma', edition: 1, language: 'en'}]);
  },
);

eachStore('elements of a set are owned one by one [A-SSA-18] [A-SSA-20]', async (t, {client, path}) => {
  const item = `${path('shelves', shelvesVersion)}/one`;
  await apply(client, item, 'one', shelf('one', {tags: ['a', 'b']}));
  const both = answer<OwnedObject>(t, await apply(client, item, 'two', shelf('one', {tags: ['b', 'c']})), 200);
  t.deepEqual(both.spec?.['tags'], ['a', 'b', 'c']);
  t.deepEqual(ownersOf(both), {one: ['.spec.tags["a"]', '.spec.tags["b"]'], two: ['.spec.tags["b"]', '.spec.tags["c"]']});
  const left = answer<OwnedObject>(t, await apply(client, item, 'one', shelf('one', {})), 200);
  t.deepEqual(left.spec?.['tags'], ['b', 'c']);
});

eachStore('atomic lists, and lists without a mark, have one owner [A-SSA-19] [A-SSA-26]', async (t, {client, path}) => {
  const item = `${path('shelves', shelvesVersion)}/one`;
  await apply(client, item, 'one', shelf('one', {notes: ['a', 'b'], plain: ['x']}));
  for (const list of ['notes', 'plain']) {
    const status = assertFailure(t, await apply(client, item, 'two', shelf('one', {[list]: ['c']})), 409, 'Conflict');
    t.deepEqual(
      status.details?.causes?.map(({field}) => field),
      [`.spec.${list}`],
    );
  }
  const forced = answer<OwnedObject>(t, await apply(client, item, 'two', shelf('one', {notes: ['c'], plain: []}), '&force=true'), 200);
  t.deepEqual(forced.spec, {colour: 'white', notes: ['c'], plain: []});
  t.deepEqual(ownersOf(forced), {two: ['.spec.notes', '.spec.plain']});
});

eachStore(
  'keys of maps are owned apart, with the mark granular and without one [A-SSA-17] [A-SSA-23] [A-SSA-26]',
  async (t, {client, path}) => {
    const item = `${path('shelves', shelvesVersion)}/one`;
    for (const map of ['labels', 'granular', 'free']) {
      await apply(client, item, `${map}-one`, shelf('one', {[map]: {a: '1', b: '2'}}));
      const both = answer<OwnedObject>(t, await apply(client, item, `${map}-two`, shelf('one', {[map]: {b: '2', c: '3'}})), 200);
      t.deepEqual(both.spec?.[map], {a: '1', b: '2', c: '3'});
      assertFailure(t, await apply(client, item, `${map}-two`, shelf('one', {[map]: {a: '9'}})), 409, 'Conflict');
      const left = answer<OwnedObject>(t, await apply(client, item, `${map}-one`, shelf('one', {})), 200);
      t.deepEqual(left.spec?.[map], {b: '2', c: '3'});
      t.deepEqual(ownersOf(left)[`${map}-two`], [`.spec.${map}.b`, `.spec.${map}.c`]);
    }
  },
);

eachStore('atomic maps and structures are replaced as a whole and have one owner [A-SSA-22] [A-SSA-24]', async (t, {client, path}) => {
  const item = `${path('shelves', shelvesVersion)}/one`;
  await apply(client, item, 'one', shelf('one', {selector: {a: '1', b: '2'}, whole: {a: '1'}, boards: {count: 1}}));
  for (const spec of [{selector: {c: '3'}}, {whole: {b: '2'}}]) {
    const status = assertFailure(t, await apply(client, item, 'two', shelf('one', spec)), 409, 'Conflict');
    t.deepEqual(
      status.details?.causes?.map(({field}) => field),
      [`.spec.${Object.keys(spec)[0]}`],
    );
  }
  const forced = answer<OwnedObject>(
    t,
    await apply(client, item, 'two', shelf('one', {selector: {c: '3'}, whole: {b: '2'}, boards: {material: 'oak'}}), '&force=true'),
    200,
  );
  t.deepEqual(forced.spec, {colour: 'white', selector: {c: '3'}, whole: {b: '2'}, boards: {count: 1, material: 'oak'}});
  t.deepEqual(ownersOf(forced), {one: ['.spec.boards.count'], two: ['.spec.boards.material', '.spec.selector', '.spec.whole']});
});

eachStore(
  'lists of built-in types that patches merge by a key are maps of that key, those merged without one sets [A-SSA-25]',
  async (t, {client, path}) => {
    const item = `${path('configmaps')}/one`;
    const uid = (digit: string) => `${digit.repeat(8)}-0000-4000-8000-000000000000`;
    const owner = (digit: string, name = `owner-${digit}`) => ({apiVersion: 'v1', kind: 'ConfigMap', name, uid: uid(digit)});
    const config = (metadata: object) => ({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'one', ...metadata}});
    await apply(client, item, 'one', config({ownerReferences: [owner('1')], finalizers: ['example.com/one']}));
    const both = answer<OwnedObject>(
      t,
      await apply(client, item, 'two', config({ownerReferences: [owner('2')], finalizers: ['example.com/two']})),
      200,
    );
    t.deepEqual(both.metadata.ownerReferences, [owner('1'), owner('2')]);
    t.deepEqual(both.metadata.finalizers, ['example.com/one', 'example.com/two']);
    t.deepEqual(ownersOf(both), {
      one: ['.metadata.finalizers["example.com/one"]', `.metadata.ownerReferences[{"uid":"${uid('1')}"}]`],
      two: ['.metadata.finalizers["example.com/two"]', `.metadata.ownerReferences[{"uid":"${uid('2')}"}]`],
    });
    const status = assertFailure(t, await apply(client, item, 'two', config({ownerReferences: [owner('1', 'renamed')]})), 409, 'Conflict');
    t.deepEqual(
      status.details?.causes?.map(({field}) => field),
      [`.metadata.ownerReferences[uid="${uid('1')}"]`],
    );
    const left = answer<OwnedObject>(t, await apply(client, item, 'one', config({})), 200);
    t.deepEqual(left.metadata.ownerReferences, [owner('2')]);
    t.deepEqual(left.metadata.finalizers, ['example.com/two']);
    await client.patch(item, {metadata: {finalizers: null}});
  },
);
