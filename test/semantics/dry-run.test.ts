import {testOnEachStore} from '../helpers/each-store.js';
import {answer, assertFailure} from './answers.js';
import {
  configMap,
  gadget,
  gadgets,
  namesOf,
  semanticsVersion,
  uniqueName,
  widget,
  widgetsVersion,
  withFixtures,
  withoutType,
  type ReadList,
  type ReadObject,
} from './fixtures.js';
import {sentMessages} from './fixtures/semantics/plugin.js';

const eachStore = testOnEachStore(withFixtures);

eachStore(
  'a dry-run create answers 201 with the final object and stores nothing [A-QP-2] [A-DRY-1] [A-DRY-9] [A-DRY-11]',
  async (t, {client, path}) => {
    const collection = path('widgets', widgetsVersion);
    const {kind, metadata, spec} = answer<ReadObject>(t, await client.post(`${collection}?dryRun=All`, widget('one')), 201);
    t.is(kind, 'Widget');
    t.deepEqual(spec, {size: 'small', replicas: 1, colour: '#ffffff'});
    t.truthy(metadata.uid);
    t.truthy(metadata.creationTimestamp);
    t.is(metadata.generation, 1);
    assertFailure(t, await client.get(`${collection}/one`), 404, 'NotFound');
    t.deepEqual(namesOf(answer<ReadList>(t, await client.get(collection), 200)), []);
    t.regex(
      answer<ReadObject>(t, await client.post(`${collection}?dryRun=All`, {metadata: {generateName: 'made-'}, spec: {size: 'small'}}), 201)
        .metadata.name,
      /^made-.{5}$/,
    );
    await client.post(collection, widget('two'));
    assertFailure(t, await client.post(`${collection}?dryRun=All`, widget('two')), 409, 'AlreadyExists');
  },
);

eachStore(
  'dry-run updates and patches answer 200 with the changed object and leave the stored one [A-QP-2] [A-DRY-2] [A-DRY-8] [A-DRY-11]',
  async (t, {client, path}) => {
    const item = `${path('configmaps')}/one`;
    const made = answer<ReadObject>(t, await client.post(path('configmaps'), configMap('one', {a: '1', b: '2'})), 201);
    t.deepEqual(answer<ReadObject>(t, await client.put(`${item}?dryRun=All`, configMap('one', {a: '9'})), 200).data, {a: '9'});
    for (const [body, type] of [
      [{data: {b: '3'}}, 'application/merge-patch+json'],
      [{data: {b: '3'}}, 'application/strategic-merge-patch+json'],
      [[{op: 'replace', path: '/data/b', value: '3'}], 'application/json-patch+json'],
    ] as const) {
      t.deepEqual(answer<ReadObject>(t, await client.patch(`${item}?dryRun=All`, body, type), 200).data, {a: '1', b: '3'}, type);
    }
    t.deepEqual(answer<ReadObject>(t, await client.get(item), 200), made);
    assertFailure(t, await client.put(`${path('configmaps')}/none?dryRun=All`, configMap('none')), 404, 'NotFound');
    assertFailure(t, await client.put(`${item}?dryRun=All`, configMap('one', {}, {resourceVersion: '1'})), 409, 'Conflict');
    const lease = `${path('leases', 'coordination.orch/v1')}/one`;
    answer(t, await client.put(`${lease}?dryRun=All`, {metadata: {name: 'one'}}), 201);
    assertFailure(t, await client.get(lease), 404, 'NotFound');
  },
);

eachStore(
  'dry-run deletions answer as real ones and leave objects stored and alive [A-QP-2] [A-DRY-3] [A-DRY-11]',
  async (t, {client, path}) => {
    const collection = path('configmaps');
    const plain = answer<ReadObject>(t, await client.post(collection, configMap('plain')), 201);
    const held = answer<ReadObject>(t, await client.post(collection, configMap('held', {}, {finalizers: ['example.com/hold']})), 201);
    t.is(answer<{kind: string}>(t, await client.delete(`${collection}/plain?dryRun=All`), 200).kind, 'Status');
    t.truthy(answer<ReadObject>(t, await client.delete(`${collection}/held?dryRun=All`), 200).metadata.deletionTimestamp);
    t.is(answer<{kind: string}>(t, await client.delete(`${collection}/plain`, {body: {dryRun: ['All']}}), 200).kind, 'Status');
    answer(t, await client.delete(`${collection}?dryRun=All`), 200);
    answer(t, await client.delete(collection, {body: {kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All']}}), 200);
    t.deepEqual(answer<ReadObject>(t, await client.get(`${collection}/plain`), 200), plain);
    t.deepEqual(answer<ReadObject>(t, await client.get(`${collection}/held`), 200), held);
    // Neither does a dry run remove what waits for its last finalizer.
    await client.delete(`${collection}/held`);
    answer(t, await client.patch(`${collection}/held?dryRun=All`, {metadata: {finalizers: null}}), 200);
    answer(t, await client.get(`${collection}/held`), 200);
    await client.patch(`${collection}/held`, {metadata: {finalizers: null}});
  },
);

eachStore('a dry run makes no event [A-DRY-4]', async (t, {client, path}) => {
  const collection = path('configmaps');
  await client.post(collection, configMap('one'));
  const {resourceVersion} = answer<ReadList>(t, await client.get(collection), 200).metadata;
  await client.post(`${collection}?dryRun=All`, configMap('two'));
  await client.put(`${collection}/one?dryRun=All`, configMap('one', {a: '1'}));
  await client.patch(`${collection}/one?dryRun=All`, {data: {a: '2'}});
  await client.delete(`${collection}/one?dryRun=All`);
  await client.delete(`${collection}?dryRun=All`);
  const real = answer<ReadObject>(t, await client.patch(`${collection}/one`, {data: {real: 'yes'}}), 200);
  const events = client.watch(`${collection}?watch=1&resourceVersion=${resourceVersion}`);
  t.deepEqual((await events.next()).value, {type: 'MODIFIED', object: real});
  await events.return(undefined);
});

eachStore('mutating and validating admission run in a dry run [A-DRY-5] [A-DRY-6]', async (t, {client, path}) => {
  const collection = path('configmaps');
  const marked = {annotations: {'test/mark': ''}};
  t.is(
    answer<ReadObject>(t, await client.post(`${collection}?dryRun=All`, configMap('one', {}, marked)), 201).metadata.annotations?.[
      'test/mark'
    ],
    'CREATE dry run',
  );
  await client.post(collection, configMap('one', {}, marked));
  t.is(
    answer<ReadObject>(t, await client.put(`${collection}/one?dryRun=All`, configMap('one', {a: '1'}, marked)), 200).metadata.annotations?.[
      'test/mark'
    ],
    'UPDATE dry run',
  );
  t.is(
    answer<ReadObject>(t, await client.patch(`${collection}/one?dryRun=All`, {data: {a: '1'}}), 200).metadata.annotations?.['test/mark'],
    'UPDATE dry run',
  );
  const refusedFor = (operation: string) => ({annotations: {'test/refuse': operation}});
  assertFailure(
    t,
    await client.post(`${collection}?dryRun=All`, configMap('two', {}, refusedFor('CREATE'))),
    403,
    'Forbidden',
    /the test wants it so/,
  );
  assertFailure(
    t,
    await client.patch(`${collection}/one?dryRun=All`, {metadata: refusedFor('UPDATE')}),
    403,
    'Forbidden',
    /the test wants it so/,
  );
  await client.post(collection, configMap('three', {}, refusedFor('DELETE')));
  assertFailure(t, await client.delete(`${collection}/three?dryRun=All`), 403, 'Forbidden', /the test wants it so/);
  assertFailure(t, await client.delete(`${collection}?dryRun=All`), 403, 'Forbidden', /the test wants it so/);
  assertFailure(t, await client.post('/api/v1/namespaces/nowhere/configmaps?dryRun=All', configMap('one')), 404, 'NotFound', /nowhere/);
});

eachStore(
  'what is invalid is refused in a dry run as it would be otherwise, by the schema of a custom type too [A-DRY-7] [A-DRY-10]',
  async (t, {client, path}) => {
    for (const [collection, body, code] of [
      [path('configmaps'), configMap('Bad Name'), 422],
      [path('configmaps'), {metadata: {name: 'x'}, data: {a: 1}}, 400],
      [path('widgets', widgetsVersion), widget('one', {size: 'huge'}), 422],
      [path('widgets', widgetsVersion), widget('one', {}), 422],
      [path('widgets', widgetsVersion), widget('one', {size: 'small', replicas: 'x'}), 422],
      [gadgets, gadget({text: 'far too long for this field'}), 422],
      [gadgets, {...gadget(), kind: 'Other'}, 400],
    ] as const) {
      const [dry, real] = [await client.post(`${collection}?dryRun=All`, body), await client.post(collection, body)];
      t.deepEqual([dry.status, real.status], [code, code]);
      t.deepEqual(dry.json(), real.json());
    }
  },
);

eachStore('another value of dryRun is refused and changes nothing, whatever the verb [A-QP-3]', async (t, {client, path}) => {
  const collection = path('configmaps');
  const made = answer<ReadObject>(t, await client.post(collection, configMap('one')), 201);
  for (const value of ['all', 'Some', 'false', 'All,All']) {
    const query = `?dryRun=${value}`;
    assertFailure(t, await client.post(collection + query, configMap('two')), 422, 'Invalid', /dryRun/);
    assertFailure(t, await client.put(`${collection}/one${query}`, configMap('one', {a: '1'})), 422, 'Invalid', /dryRun/);
    assertFailure(t, await client.patch(`${collection}/one${query}`, {data: {a: '1'}}), 422, 'Invalid', /dryRun/);
    assertFailure(t, await client.delete(`${collection}/one${query}`), 422, 'Invalid', /dryRun/);
    assertFailure(t, await client.delete(collection + query), 422, 'Invalid', /dryRun/);
    assertFailure(t, await client.delete(`${collection}/one`, {body: {dryRun: [value]}}), 422, 'Invalid', /dryRun/);
    assertFailure(t, await client.delete(collection, {body: {dryRun: [value]}}), 422, 'Invalid', /dryRun/);
  }
  assertFailure(t, await client.delete(`${collection}/one?dryRun=All&dryRun=None`), 422, 'Invalid', /dryRun/);
  t.deepEqual(answer<ReadList>(t, await client.get(collection), 200).items, [withoutType(made)]);
});

eachStore('dryRun without a value is an ordinary request [A-QP-4]', async (t, {client, path}) => {
  const collection = path('configmaps');
  for (const query of ['?dryRun', '?dryRun=']) {
    const name = uniqueName('plain');
    answer(t, await client.post(collection + query, configMap(name)), 201);
    t.deepEqual(answer<ReadObject>(t, await client.patch(`${collection}/${name}${query}`, {data: {a: '1'}}), 200).data, {a: '1'});
    t.deepEqual(answer<ReadObject>(t, await client.get(`${collection}/${name}`), 200).data, {a: '1'});
    answer(t, await client.delete(`${collection}/${name}${query}`), 200);
    t.is((await client.get(`${collection}/${name}`)).status, 404);
  }
});

eachStore(
  'a dry run that would reach an admission controller with side effects fails, and that is not called [A-DRY-12]',
  async (t, {client, path, namespace}) => {
    const collection = path('messages', semanticsVersion);
    assertFailure(
      t,
      await client.post(`${collection}?dryRun=All`, {metadata: {name: 'one'}}),
      400,
      'BadRequest',
      /TestMessenger.*does not support dry run/,
    );
    t.is(sentMessages.get(`${namespace}/one`), undefined);
    answer(t, await client.post(collection, {metadata: {name: 'one'}}), 201);
    t.is(sentMessages.get(`${namespace}/one`), 1);
    assertFailure(t, await client.patch(`${collection}/one?dryRun=All`, {spec: {text: 'a'}}), 400, 'BadRequest');
    assertFailure(t, await client.delete(`${collection}/one?dryRun=All`), 400, 'BadRequest');
    assertFailure(t, await client.delete(`${collection}?dryRun=All`), 400, 'BadRequest');
    t.is(sentMessages.get(`${namespace}/one`), 1);
  },
);
