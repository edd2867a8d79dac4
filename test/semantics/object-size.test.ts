import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {testOnEachStore} from '../helpers/each-store.js';
import {answer, assertFailure} from './answers.js';
import {configMap, gadget, gadgets, withFixtures, type ReadObject} from './fixtures.js';

const limit = 64 * 1024;
const eachStore = testOnEachStore({...withFixtures, limits: {maxObjectBytes: limit}});
const apply = 'application/apply-patch+yaml';
const tooLarge = new RegExp(`limit is ${limit}`);
const json = 'application/json-patch+json';

eachStore('no write makes an object larger than --max-object-bytes', async (t, {client, path}) => {
  const collection = path('configmaps');
  const item = `${collection}/one`;
  const text = 'x'.repeat(limit);
  const half = 'x'.repeat(limit / 2 + 100);
  for (const query of ['', '?dryRun=All']) {
    assertFailure(t, await client.post(collection + query, configMap('one', {a: text})), 413, 'RequestEntityTooLarge', tooLarge);
    assertFailure(
      t,
      await client.patch(`${item}${query || '?'}&fieldManager=one`, configMap('one', {a: text}), apply),
      413,
      'RequestEntityTooLarge',
      tooLarge,
    );
  }
  assertFailure(t, await client.get(item), 404, 'NotFound');
  const made = answer<ReadObject>(t, await client.post(collection, configMap('one', {a: half})), 201);
  for (const query of ['', '?dryRun=All']) {
    assertFailure(t, await client.put(item + query, configMap('one', {a: text})), 413, 'RequestEntityTooLarge', tooLarge);
    assertFailure(t, await client.patch(item + query, {data: {b: half}}), 413, 'RequestEntityTooLarge', tooLarge);
    const copy = [{op: 'copy', from: '/data/a', path: '/data/b'}];
    assertFailure(t, await client.patch(item + query, copy, json), 413, 'RequestEntityTooLarge', tooLarge);
    assertFailure(
      t,
      await client.patch(item + query, {data: {b: half}}, 'application/strategic-merge-patch+json'),
      413,
      'RequestEntityTooLarge',
      tooLarge,
    );
  }
  t.deepEqual(answer<ReadObject>(t, await client.get(item), 200), made);
  const status = {text: 'some', words: Array.from({length: 20_000}, (_, index) => `w${index}`)};
  assertFailure(t, await client.post(gadgets, gadget(status)), 413, 'RequestEntityTooLarge', tooLarge);
});

eachStore('the size that counts is that of the stored text in bytes', async (t, {client, path}) => {
  const collection = path('configmaps');
  // Three bytes each, one character.
  assertFailure(t, await client.post(collection, configMap('one', {a: '☃'.repeat(limit / 2)})), 413, 'RequestEntityTooLarge', tooLarge);
  answer(t, await client.post(collection, configMap('one', {a: '☃'.repeat(limit / 4)})), 201);
});

eachStore('what has nearly the size is stored without its managed fields rather than not at all', async (t, {client, path}) => {
  const collection = path('configmaps');
  const data = Object.fromEntries(Array.from({length: 1000}, (_, index) => [`key-${index}`, 'x'.repeat(44)]));
  const {metadata} = answer<ReadObject & {metadata: {managedFields?: object[]}}>(
    t,
    await client.post(collection, configMap('one', data)),
    201,
  );
  t.is(metadata.managedFields, undefined);
  answer(t, await client.put(`${collection}/one`, configMap('one', {...data, 'key-0': 'y'})), 200);
});

test('what is in no namespace may have more values than what is in one', async (t) => {
  await using server = await startTestServer();
  const {client} = server;
  const data = Object.fromEntries(Array.from({length: 32_000}, (_, index) => [`k${index}`, '']));
  const inNamespace = await client.post('/api/v1/namespaces/default/configmaps', configMap('many', data));
  assertFailure(t, inNamespace, 413, 'RequestEntityTooLarge', /too many values .* limit is 30000/);
  const properties = Object.fromEntries(Array.from({length: 16_000}, (_, index) => [`p${index}`, {type: 'string'}]));
  const names = {plural: 'wides', kind: 'Wide'};
  const versions = [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object', properties}}}];
  const definition = {metadata: {name: 'wides.example.com'}, spec: {group: 'example.com', scope: 'Namespaced', names, versions}};
  answer(t, await client.post('/apis/apiextensions.orch/v1/customresourcedefinitions', definition), 201);
});
