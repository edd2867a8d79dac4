import {testOnEachStore} from '../helpers/each-store.js';
import {answer, assertFailure} from './answers.js';
import {configMap, namesOf, withFixtures, type ReadList, type ReadObject} from './fixtures.js';

const eachStore = testOnEachStore(withFixtures);

eachStore('preconditions of a deletion count as parameters too', async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  const first = answer<ReadObject>(t, await client.post(path('configmaps'), configMap('one')), 201);
  const {metadata} = answer<ReadObject>(t, await client.patch(item, {data: {a: '1'}}), 200);
  for (const query of [
    'uid=other',
    `resourceVersion=${first.metadata.resourceVersion}`,
    `uid=${metadata.uid}&resourceVersion=${first.metadata.resourceVersion}`,
    `uid=other&resourceVersion=${metadata.resourceVersion}`,
    `uid=other&dryRun=All`,
  ]) {
    assertFailure(
      t,
      await client.delete(`${item}?${query}`),
      409,
      'Conflict',
      /the (UID|ResourceVersion) in the precondition \(.*\) does not match the (UID|ResourceVersion) in record/,
    );
  }
  answer(t, await client.get(item), 200);
  // Of a parameter and a member of the body the member counts; what the body does not say the parameter does.
  assertFailure(t, await client.delete(`${item}?uid=${metadata.uid}`, {body: {preconditions: {uid: 'other'}}}), 409, 'Conflict');
  assertFailure(t, await client.delete(`${item}?uid=other`, {body: {gracePeriodSeconds: 0}}), 409, 'Conflict');
  answer(t, await client.delete(`${item}?uid=${metadata.uid}&resourceVersion=${metadata.resourceVersion}`), 200);
  assertFailure(t, await client.get(item), 404, 'NotFound');
});

eachStore('empty preconditions as parameters demand nothing', async (t, {client, path}) => {
  await client.post(path('configmaps'), configMap('one'));
  answer(t, await client.delete(`${path('configmaps')}/one?uid=&resourceVersion=`), 200);
});

eachStore('a uid as parameter binds the deletion of a collection', async (t, {client, path}) => {
  const collection = path('configmaps');
  const made = answer<ReadObject>(t, await client.post(collection, configMap('one')), 201);
  assertFailure(t, await client.delete(`${collection}?uid=other&fieldSelector=metadata.name%3Done`), 409, 'Conflict');
  t.true(namesOf(answer<ReadList>(t, await client.get(collection), 200)).includes('one'));
  answer(t, await client.delete(`${collection}?uid=${made.metadata.uid}&fieldSelector=metadata.name%3Done`), 200);
  t.false(namesOf(answer<ReadList>(t, await client.get(collection), 200)).includes('one'));
});

eachStore('what orphanDependents=false does not remove at once is answered with 202', async (t, {client, path}) => {
  const collection = path('configmaps');
  const held = configMap('one', {}, {finalizers: ['example.com/hold']});
  await client.post(collection, held);
  const marked = answer<ReadObject>(t, await client.delete(`${collection}/one?orphanDependents=false`), 202);
  t.truthy(marked.metadata.deletionTimestamp);
  t.deepEqual(answer<ReadObject>(t, await client.delete(`${collection}/one`, {body: {orphanDependents: false}}), 202), marked);
  answer(t, await client.delete(`${collection}/one?orphanDependents=true`), 200);
  answer(t, await client.delete(`${collection}/one?propagationPolicy=Background`), 200);
  await client.patch(`${collection}/one`, {metadata: {finalizers: null}});
  await client.post(collection, configMap('two'));
  answer(t, await client.delete(`${collection}/two?orphanDependents=false`), 200);
});

eachStore('a deletion does not look at fieldManager and fieldValidation', async (t, {client, path}) => {
  const collection = path('configmaps');
  for (const query of [`fieldManager=${'x'.repeat(129)}`, 'fieldManager=%01%02', 'fieldValidation=Perhaps']) {
    await client.post(collection, configMap('one'));
    answer(t, await client.delete(`${collection}/one?${query}`), 200);
    await client.post(collection, configMap('one'));
    answer(t, await client.delete(`${collection}?${query}`), 200);
    t.deepEqual(namesOf(answer<ReadList>(t, await client.get(collection), 200)), []);
  }
});

eachStore('creating what is being deleted answers that it is', async (t, {client, path}) => {
  const collection = path('configmaps');
  const held = configMap('one', {}, {finalizers: ['example.com/hold']});
  await client.post(collection, held);
  assertFailure(t, await client.post(collection, held), 409, 'AlreadyExists', /^configmaps "one" already exists$/);
  assertFailure(t, await client.post(`${collection}?dryRun=All`, held), 409, 'AlreadyExists', /^configmaps "one" already exists$/);
  await client.delete(`${collection}/one`);
  for (const query of ['', '?dryRun=All']) {
    const failure = assertFailure(
      t,
      await client.post(collection + query, held),
      409,
      'AlreadyExists',
      /^object is being deleted: configmaps "one" already exists$/,
    );
    t.deepEqual(failure.details, {name: 'one', kind: 'configmaps'});
  }
  await client.patch(`${collection}/one`, {metadata: {finalizers: null}});
  answer(t, await client.post(collection, configMap('one')), 201);
});
