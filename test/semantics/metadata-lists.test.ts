import {definition, establish, freshGroup} from '../plugins/resources/apiextensions/definition-fixture.js';
import {testOnEachStore} from '../helpers/each-store.js';
import {answer, assertFailure, warningsOf} from './answers.js';
import {configMap, gadget, gadgets, withFixtures, type ReadObject} from './fixtures.js';

const eachStore = testOnEachStore(withFixtures);
const owner = {apiVersion: 'v1', kind: 'ConfigMap', name: 'boss', uid: 'd3b07384-d9a0-4c9b-9a3e-0123456789ab', controller: true};
const second = {...owner, name: 'aide', uid: 'aaaaaaaa-d9a0-4c9b-9a3e-0123456789ab', controller: false};

eachStore('equal owner references are made one, with a Warning, by every kind of write', async (t, {client, path}) => {
  const collection = path('configmaps');
  const item = `${collection}/one`;
  const ownerReferences = [owner, second, {uid: owner.uid, controller: true, name: 'boss', kind: 'ConfigMap', apiVersion: 'v1'}];
  const merged = async (response: Awaited<ReturnType<typeof client.get>>, code: number) => {
    const warnings = warningsOf(response);
    t.is(warnings.length, 1, JSON.stringify(warnings));
    t.regex(warnings[0]!, /^\.metadata\.ownerReferences contains duplicate entries.*d3b07384-d9a0-4c9b-9a3e-/);
    const {metadata} = answer<ReadObject>(t, response, code);
    t.deepEqual(metadata.ownerReferences, [owner, second]);
  };
  await merged(await client.post(collection, configMap('one', {}, {ownerReferences})), 201);
  await merged(await client.put(item, configMap('one', {a: '1'}, {ownerReferences})), 200);
  await merged(await client.patch(item, {data: {a: '2'}, metadata: {ownerReferences}}), 200);
  const add = [{op: 'add', path: '/metadata/ownerReferences/-', value: owner}];
  await merged(await client.patch(item, add, 'application/json-patch+json'), 200);
  await merged(await client.post(`${collection}?dryRun=All`, configMap('two', {}, {ownerReferences})), 201);
  // References that differ in anything stay: two controllers cannot be.
  const rivals = [owner, {...owner, name: 'rival'}];
  assertFailure(t, await client.post(collection, configMap('two', {}, {ownerReferences: rivals})), 422, 'Invalid', /Only one reference/);
});

eachStore('a finalizer of a built-in object is a standard one or has a domain', async (t, {client, path}) => {
  const collection = path('configmaps');
  const wrong = (finalizer: string, index: number) =>
    new RegExp(
      `metadata\\.finalizers\\[${index}\\]: Invalid value: "${finalizer}": name is neither a standard finalizer name nor is it fully qualified`,
    );
  assertFailure(t, await client.post(collection, configMap('one', {}, {finalizers: ['plain']})), 422, 'Invalid', wrong('plain', 0));
  const made = configMap('one', {}, {finalizers: ['example.com/a', 'foregroundDeletion', 'orch']});
  answer(t, await client.post(collection, made), 201);
  const item = `${collection}/one`;
  for (const finalizers of [
    ['example.com/a', 'plain'],
    ['orphan', 'kubernetes'],
  ]) {
    const message = wrong(finalizers[1]!, 1);
    assertFailure(t, await client.put(item, configMap('one', {}, {finalizers})), 422, 'Invalid', message);
    assertFailure(t, await client.patch(item, {metadata: {finalizers}}), 422, 'Invalid', message);
  }
  const apply = {...configMap('one'), metadata: {name: 'one', finalizers: ['plain']}};
  assertFailure(
    t,
    await client.patch(`${item}?fieldManager=a&force=true`, apply, 'application/apply-patch+yaml'),
    422,
    'Invalid',
    /metadata\.finalizers\[\d\]/,
  );
  assertFailure(t, await client.post(gadgets, gadget({}, {finalizers: ['plain']})), 422, 'Invalid', wrong('plain', 0));
});

eachStore('a custom resource may have any finalizer; one without a domain is warned of when it is added', async (t, {client, path}) => {
  const group = freshGroup();
  await establish(client, definition(group));
  const collection = path('widgets', `${group}/v1`);
  const widget = (finalizers: string[]) => ({
    apiVersion: `${group}/v1`,
    kind: 'Widget',
    metadata: {name: 'one', finalizers},
  });
  const warning =
    'metadata.finalizers: "plain": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers';
  const made = await client.post(collection, widget(['plain', 'example.com/a', 'orphan']));
  t.deepEqual(answer<ReadObject>(t, made, 201).metadata.finalizers, ['plain', 'example.com/a', 'orphan']);
  t.deepEqual(warningsOf(made), [warning]);
  const kept = await client.patch(`${collection}/one`, {metadata: {finalizers: ['plain']}, spec: {a: 1}});
  answer(t, kept, 200);
  t.deepEqual(warningsOf(kept), []);
  const added = await client.patch(`${collection}/one`, {metadata: {finalizers: ['plain', 'other']}});
  answer(t, added, 200);
  t.deepEqual(warningsOf(added), [warning.replace('"plain"', '"other"')]);
  await client.patch(`${collection}/one`, {metadata: {finalizers: null}});
});
