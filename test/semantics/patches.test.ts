import {testOnEachStore} from '../helpers/each-store.js';
import {answer, assertFailure} from './answers.js';
import {configMap, gadget, gadgets, reservationsVersion, withFixtures, type ReadObject} from './fixtures.js';

const eachStore = testOnEachStore(withFixtures);
const json = 'application/json-patch+json';
const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';

eachStore('a merge patch replaces members, removes those that are null, and replaces lists whole [A-NEG-8]', async (t, {client}) => {
  const body = gadget({words: ['a', 'b'], numbers: {x: 1, y: 2}, free: {deep: {one: 1, two: 2}}});
  const item = `${gadgets}/${body.metadata.name}`;
  await client.post(gadgets, body);
  const patch = {spec: {words: ['c'], numbers: {x: null, z: 3}, free: {deep: {two: null, three: {four: null, five: 5}}}, small: 4}};
  const patched = answer<ReadObject>(t, await client.patch(item, patch, merge), 200);
  t.deepEqual(patched.spec, {
    text: 'some',
    mode: 'auto',
    small: 4,
    words: ['c'],
    numbers: {y: 2, z: 3},
    free: {deep: {one: 1, three: {five: 5}}},
  });
  t.deepEqual(answer<ReadObject>(t, await client.get(item), 200), patched);
  // What is removed gets its default again, and what is required must stay.
  t.is(answer<ReadObject>(t, await client.patch(item, {spec: {mode: 'manual'}}, merge), 200).spec?.['mode'], 'manual');
  t.is(answer<ReadObject>(t, await client.patch(item, {spec: {mode: null}}, merge), 200).spec?.['mode'], 'auto');
  assertFailure(t, await client.patch(item, {spec: {text: null}}, merge), 422, 'Invalid', /spec\.text: Required value/);
});

eachStore('a JSON patch is a list of operations, carried out one after the other or not at all [A-NEG-9]', async (t, {client}) => {
  const body = gadget({words: ['a', 'b', 'c'], free: {'a/b': 1, 'm~n': 2}});
  const item = `${gadgets}/${body.metadata.name}`;
  const made = answer<ReadObject>(t, await client.post(gadgets, body), 201);
  const operations = [
    {op: 'test', path: '/spec/words/1', value: 'b'},
    {op: 'add', path: '/spec/words/1', value: 'new'},
    {op: 'add', path: '/spec/words/-', value: 'end'},
    {op: 'remove', path: '/spec/words/0'},
    {op: 'replace', path: '/spec/text', value: 'other'},
    {op: 'copy', from: '/spec/words', path: '/spec/free/copied'},
    {op: 'move', from: '/spec/free/a~1b', path: '/spec/free/moved'},
    {op: 'test', path: '/spec/free/m~0n', value: 2},
    {op: 'add', path: '/metadata/labels', value: {a: 'b'}},
  ];
  const patched = answer<ReadObject>(t, await client.patch(item, operations, json), 200);
  t.deepEqual(patched.spec, {
    text: 'other',
    mode: 'auto',
    words: ['new', 'b', 'c', 'end'],
    free: {'m~n': 2, moved: 1, copied: ['new', 'b', 'c', 'end']},
  });
  t.deepEqual(patched.metadata.labels, {a: 'b'});
  t.not(patched.metadata.resourceVersion, made.metadata.resourceVersion);
  const failing = [
    {op: 'replace', path: '/spec/text', value: 'never'},
    {op: 'remove', path: '/spec/none'},
  ];
  assertFailure(t, await client.patch(item, failing, json), 422, 'Invalid', /the server rejected our request/);
  t.deepEqual(answer<ReadObject>(t, await client.get(item), 200), patched);
});

eachStore(
  'operations that do not fit the object are 422: a failing test, a path that leads nowhere, an index beyond the end',
  async (t, {client, path}) => {
    const item = `${path('configmaps')}/one`;
    const made = answer<ReadObject>(t, await client.post(path('configmaps'), configMap('one', {a: '1'})), 201);
    for (const operation of [
      {op: 'test', path: '/data/a', value: '2'},
      {op: 'test', path: '/data/b', value: '1'},
      {op: 'remove', path: '/data/b'},
      {op: 'fly', path: '/a'},
      {op: 'add', path: 'data/a', value: 'x'},
      {op: 'remove'},
      {op: 'copy', path: '/a'},
      {op: 'add', path: '/none/deep', value: 1},
      {op: 'add', path: '/metadata/finalizers/-', value: 'example.com/x'},
      {op: 'copy', from: '/none/deep', path: '/data/b'},
      {op: 'move', from: '/data/none', path: '/data/b'},
      {op: 'add', path: '/data/a/b', value: 'x'},
    ]) {
      assertFailure(
        t,
        await client.patch(item, [operation], json),
        422,
        'Invalid',
        /the server rejected our request due to an error in our request/,
      );
    }
    answer(t, await client.patch(item, [{op: 'test', path: '/data/none', value: null}], json), 200);
    t.deepEqual(answer<ReadObject>(t, await client.get(item), 200), made);
  },
);

eachStore('a body that is no patch of its kind is 400, one with too many operations 413', async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  await client.post(path('configmaps'), configMap('one'));
  for (const [body, type] of [
    ['{"op":"add"}', json],
    ['[1]', json],
    ['not json', json],
    ['', json],
    ['[]', merge],
    ['"text"', merge],
    ['null', merge],
    ['{', merge],
    ['', merge],
    ['[]', strategic],
  ] as const) {
    assertFailure(t, await client.patch(item, body, type), 400, 'BadRequest');
  }
  assertFailure(t, await client.patch(item, {data: {$patch: 'nonsense'}}, strategic), 422, 'Invalid', /the server rejected our request/);
  const many = Array.from({length: 10_001}, () => ({op: 'test', path: '/kind', value: 'ConfigMap'}));
  assertFailure(t, await client.patch(item, many, json), 413, 'RequestEntityTooLarge', /10000/);
  answer(t, await client.patch(item, many.slice(1), json), 200);
});

eachStore('a patch cannot make the object of the path another one, nor grow without bounds', async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  const made = answer<ReadObject>(t, await client.post(path('configmaps'), configMap('one', {a: 'x'.repeat(100_000)})), 201);
  for (const [patch, type] of [
    [{metadata: {name: 'two'}}, merge],
    [{metadata: {name: 'two'}}, strategic],
    [[{op: 'replace', path: '/metadata/name', value: 'two'}], json],
    [{metadata: {namespace: 'other'}}, merge],
  ] as const) {
    assertFailure(t, await client.patch(item, patch, type), 400, 'BadRequest');
  }
  const copies = [
    {op: 'add', path: '/data/b', value: 'y'},
    ...Array.from({length: 40}, (_, index) => ({op: 'copy', from: '/data/a', path: `/data/c${index}`})),
  ];
  t.is((await client.patch(item, copies, json)).status, 422);
  t.deepEqual(answer<ReadObject>(t, await client.get(item), 200), made);
});

eachStore("metadata that a patch removes is the server's again, but for the name, which must stay", async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  const made = answer<ReadObject>(t, await client.post(path('configmaps'), configMap('one', {a: '1'}, {labels: {a: 'b'}})), 201);
  assertFailure(t, await client.patch(item, [{op: 'remove', path: '/metadata'}], json), 400, 'BadRequest', /name must be provided/);
  const patch = [{op: 'replace', path: '/metadata', value: {name: 'one'}}];
  const patched = answer<ReadObject>(t, await client.patch(item, patch, json), 200);
  t.deepEqual(made.metadata.labels, {a: 'b'});
  const {name, namespace, uid, creationTimestamp, labels} = patched.metadata;
  t.deepEqual(
    {name, namespace, uid, creationTimestamp},
    {name: 'one', namespace: made.metadata.namespace, uid: made.metadata.uid, creationTimestamp: made.metadata.creationTimestamp},
  );
  t.is(labels, undefined);
  t.deepEqual(patched.data, {a: '1'});
});

eachStore('a patch of status changes the status and nothing else, one of the object leaves the status', async (t, {client, path}) => {
  const collection = path('reservations', reservationsVersion);
  await client.post(collection, {metadata: {name: 'one'}, spec: {room: 'a', from: '2026-01-01T10:00:00Z'}});
  const patch = {metadata: {labels: {a: 'b'}}, spec: {seats: 9}, status: {phase: 'Confirmed', message: 'fine'}};
  const status = answer<ReadObject>(t, await client.patch(`${collection}/one/status`, patch, merge), 200);
  t.deepEqual([status.status, status.spec?.['seats'], status.metadata.labels], [{phase: 'Confirmed', message: 'fine'}, 1, undefined]);
  const main = answer<ReadObject>(t, await client.patch(`${collection}/one`, {...patch, status: {phase: 'Rejected'}}, merge), 200);
  t.deepEqual([main.status, main.spec?.['seats'], main.metadata.labels], [{phase: 'Confirmed', message: 'fine'}, 9, {a: 'b'}]);
  const put = answer<ReadObject>(
    t,
    await client.put(`${collection}/one/status`, {...main, spec: {...main.spec, seats: 1}, status: {phase: 'Rejected'}}),
    200,
  );
  t.deepEqual([put.status, put.spec?.['seats']], [{phase: 'Rejected'}, 9]);
  assertFailure(t, await client.patch(`${collection}/one/status`, {status: {phase: 'Perhaps'}}, merge), 422, 'Invalid', /status\.phase/);
  assertFailure(t, await client.patch(`${collection}/two/status`, {status: {}}, merge), 404, 'NotFound');
});

eachStore('JSON and strategic merge patches that others overtake are applied anew', async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  await client.post(path('configmaps'), configMap('one', {list: '0'}));
  const responses = await Promise.all(
    Array.from({length: 10}, (_, index) =>
      index % 2 === 0
        ? client.patch(item, [{op: 'add', path: `/data/key-${index}`, value: 'x'}], json)
        : client.patch(item, {metadata: {labels: {[`key-${index}`]: 'x'}}}, strategic),
    ),
  );
  t.deepEqual([...new Set(responses.map(({status}) => status))], [200]);
  const {data, metadata} = answer<ReadObject>(t, await client.get(item), 200);
  t.is(Object.keys(data!).length, 6);
  t.is(Object.keys(metadata.labels!).length, 5);
});
