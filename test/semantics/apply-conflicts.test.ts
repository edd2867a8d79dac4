import {testOnEachStore} from '../helpers/each-store.js';
import {answer, assertFailure} from './answers.js';
import {apply, ownersOf, shelf, shelvesVersion, stored, withShelves, type OwnedObject} from './apply-fixtures.js';
import {configMap} from './fixtures.js';

const eachStore = testOnEachStore(withShelves);

eachStore(
  'a change of a field that another manager owns is a 409 with a cause for each field, and stores nothing [A-SSA-9]',
  async (t, {client, path}) => {
    const item = `${path('shelves', shelvesVersion)}/one`;
    await apply(client, item, 'one', shelf('one', {width: 1, books: [{title: 'Emma', pages: 400}]}));
    const made = answer<OwnedObject>(t, await client.patch(`${item}?fieldManager=editor`, {spec: {tags: ['a'], notes: ['n']}}), 200);
    const single = assertFailure(t, await apply(client, item, 'two', shelf('one', {width: 2})), 409, 'Conflict');
    t.is(single.message, 'Apply failed with 1 conflict: conflict with "one": .spec.width');
    t.deepEqual(single.details, {causes: [{reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.spec.width'}]});
    const several = assertFailure(
      t,
      await apply(client, item, 'two', shelf('one', {width: 2, notes: ['m'], tags: ['b'], books: [{title: 'Emma', pages: 401}]})),
      409,
      'Conflict',
    );
    t.is(
      several.message,
      'Apply failed with 3 conflicts: conflicts with "one":\n- .spec.books[edition=1,title="Emma"].pages\n- .spec.width\nconflicts with "editor" using apply.example.com/v1:\n- .spec.notes',
    );
    t.deepEqual(
      several.details?.causes?.map(({field}) => field),
      ['.spec.books[edition=1,title="Emma"].pages', '.spec.width', '.spec.notes'],
    );
    t.deepEqual(await stored(t, client, item), made);
  },
);

eachStore('a conflict with what was written through a subresource says so', async (t, {client, path}) => {
  const item = `${path('shelves', shelvesVersion)}/one`;
  await client.post(path('shelves', shelvesVersion), shelf('one', {boards: {count: 1}}));
  const scale = {apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: {name: 'one'}, spec: {replicas: 3}};
  answer(t, await client.put(`${item}/scale?fieldManager=scaler`, scale), 200);
  const status = assertFailure(t, await apply(client, item, 'two', shelf('one', {boards: {count: 4}})), 409, 'Conflict');
  t.is(
    status.message,
    'Apply failed with 1 conflict: conflict with "scaler" with subresource "scale" using apply.example.com/v1: .spec.boards.count',
  );
});

eachStore('force makes the applier the only owner [A-SSA-8] [A-SSA-11]', async (t, {client, path}) => {
  const item = `${path('shelves', shelvesVersion)}/one`;
  await apply(client, item, 'one', shelf('one', {width: 1, tags: ['a']}));
  await apply(client, item, 'two', shelf('one', {width: 1}));
  const shared = assertFailure(t, await apply(client, item, 'one', shelf('one', {width: 2, tags: ['a']})), 409, 'Conflict');
  t.deepEqual(
    shared.details?.causes?.map(({message}) => message),
    ['conflict with "two"'],
  );
  for (const force of ['false', '0', 'False']) {
    assertFailure(t, await apply(client, item, 'one', shelf('one', {width: 2}), `&force=${force}`), 409, 'Conflict');
  }
  const forced = answer<OwnedObject>(t, await apply(client, item, 'three', shelf('one', {width: 2}), '&force=true'), 200);
  t.is(forced.spec?.['width'], 2);
  t.deepEqual(ownersOf(forced), {one: ['.spec.tags["a"]'], three: ['.spec.width']});
});

eachStore(
  'an owner resolves a conflict by leaving the field out or by sending the live value [A-SSA-7] [A-SSA-12] [A-SSA-13]',
  async (t, {client, path}) => {
    const item = `${path('shelves', shelvesVersion)}/one`;
    await apply(client, item, 'one', shelf('one', {width: 1, colour: 'red'}));
    await apply(client, item, 'two', shelf('one', {width: 2}), '&force=true');
    const left = answer<OwnedObject>(t, await apply(client, item, 'one', shelf('one', {colour: 'red'})), 200);
    t.deepEqual(left.spec, {width: 2, colour: 'red'});
    t.deepEqual(ownersOf(left), {one: ['.spec.colour'], two: ['.spec.width']});
    const joined = answer<OwnedObject>(t, await apply(client, item, 'one', shelf('one', {colour: 'red', width: 2})), 200);
    t.deepEqual(ownersOf(joined), {one: ['.spec.colour', '.spec.width'], two: ['.spec.width']});
    assertFailure(t, await apply(client, item, 'two', shelf('one', {width: 3})), 409, 'Conflict');
  },
);

eachStore('updates and patches never conflict: they take the field [A-SSA-6] [A-SSA-10]', async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  const writes = [
    () => client.put(`${item}?fieldManager=put`, configMap('one', {a: 'put', b: '1'})),
    () => client.patch(`${item}?fieldManager=merge`, {data: {a: 'merge'}}),
    () => client.patch(`${item}?fieldManager=json`, [{op: 'replace', path: '/data/a', value: 'json'}], 'application/json-patch+json'),
    () => client.patch(`${item}?fieldManager=strategic`, {data: {a: 'strategic'}}, 'application/strategic-merge-patch+json'),
  ];
  await apply(client, item, 'applier', configMap('one', {a: '0', b: '1'}));
  for (const write of writes) {
    const object = answer<OwnedObject>(t, await write(), 200);
    t.deepEqual(ownersOf(object), {applier: ['.data.b'], [`${object.data?.['a']} (update)`]: ['.data.a']});
    assertFailure(t, await apply(client, item, 'applier', configMap('one', {a: '0', b: '1'})), 409, 'Conflict');
  }
});

eachStore(
  'what an applier owned alone and leaves out goes, or goes back to its default; what it shared stays [A-SSA-14] [A-SSA-15]',
  async (t, {client, path}) => {
    const item = `${path('shelves', shelvesVersion)}/one`;
    const made = answer<OwnedObject>(
      t,
      await apply(client, item, 'one', shelf('one', {width: 1, colour: 'red', boards: {count: 2, material: 'oak'}})),
      201,
    );
    t.deepEqual(made.spec, {width: 1, colour: 'red', boards: {count: 2, material: 'oak'}});
    await apply(client, item, 'two', shelf('one', {boards: {material: 'oak'}}));
    const left = answer<OwnedObject>(t, await apply(client, item, 'one', shelf('one', {boards: {count: 2}})), 200);
    t.deepEqual(left.spec, {colour: 'white', boards: {count: 2, material: 'oak'}});
    t.deepEqual(ownersOf(left), {one: ['.spec.boards.count'], two: ['.spec.boards.material']});
    const none = answer<OwnedObject>(
      t,
      await apply(client, item, 'one', {apiVersion: shelvesVersion, kind: 'Shelf', metadata: {name: 'one'}}),
      200,
    );
    t.deepEqual(none.spec, {colour: 'white', boards: {material: 'oak'}});
    t.deepEqual(Object.keys(ownersOf(none)), ['two']);
  },
);

eachStore('a default is nobody’s after an apply: anybody may set it', async (t, {client, path}) => {
  const item = `${path('shelves', shelvesVersion)}/one`;
  t.deepEqual(ownersOf(answer<OwnedObject>(t, await apply(client, item, 'one', shelf('one', {width: 1})), 201)), {one: ['.spec.width']});
  const set = answer<OwnedObject>(t, await apply(client, item, 'two', shelf('one', {colour: 'red'})), 200);
  t.deepEqual(set.spec, {width: 1, colour: 'red'});
});

eachStore('applying the same again changes nothing: neither version nor entries nor their times', async (t, {client, path}) => {
  const item = `${path('shelves', shelvesVersion)}/one`;
  const config = shelf('one', {width: 1, tags: ['b', 'a'], books: [{title: 't', pages: 1}], free: {a: {b: [1, null]}}, labels: {}});
  const made = answer<OwnedObject>(t, await apply(client, item, 'one', config), 201);
  t.deepEqual(answer<OwnedObject>(t, await apply(client, item, 'one', config), 200), made);
  t.deepEqual(answer<OwnedObject>(t, await apply(client, item, 'one', config, '&force=true'), 200), made);
  const other = answer<OwnedObject>(t, await apply(client, item, 'two', shelf('one', {width: 1})), 200);
  t.not(other.metadata.resourceVersion, made.metadata.resourceVersion, 'a further owner is a change');
  t.deepEqual(answer<OwnedObject>(t, await apply(client, item, 'one', config), 200), other);
});
