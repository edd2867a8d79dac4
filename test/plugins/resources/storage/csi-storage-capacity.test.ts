import test from 'ava';
import {capacityFor} from '@orch-api/orch/families/volumes/storage-capacity';
import type {TestResponse} from '@orch-api/orch/testing';
import {causesOf, faultyFields, servedGroup} from '../served-group.js';

const client = servedGroup(test);
const path = (namespace: string, version = 'v1') => `/apis/storage.orch/${version}/namespaces/${namespace}/csistoragecapacities`;
const capacity = (name: string, members: object = {}) => ({
  apiVersion: 'storage.orch/v1',
  kind: 'CSIStorageCapacity',
  metadata: {name},
  storageClassName: 'fast',
  ...members,
});
const object = (response: TestResponse) => response.json<Record<string, unknown> & {metadata: Record<string, unknown>}>();

async function namespace(name: string): Promise<string> {
  await client().post('/api/v1/namespaces', {metadata: {name}});
  return path(name);
}

test('[A-CSC-1] a capacity is a namespaced object of storage.orch/v1', async (t) => {
  const url = await namespace('kind');
  const made = await client().post(url, capacity('one'));
  t.is(made.status, 201);
  t.is(object(made)['apiVersion'], 'storage.orch/v1');
  t.is(object(made)['kind'], 'CSIStorageCapacity');
  t.is(object(made).metadata['namespace'], 'kind');
  const {resources} = (await client().get('/apis/storage.orch/v1')).json<{
    resources: {name: string; namespaced: boolean; kind: string}[];
  }>();
  t.like(
    resources.find(({name}) => name === 'csistoragecapacities'),
    {namespaced: true, kind: 'CSIStorageCapacity'},
  );
});

test('[A-CSC-2] its name is a DNS subdomain of up to 253 characters', async (t) => {
  const url = await namespace('names');
  const longest = `${'a'.repeat(126)}.${'b'.repeat(126)}`;
  t.is((await client().post(url, capacity(longest))).status, 201);
  for (const bad of [`${longest}c`, 'Upper', 'under_score', '-a', 'a..b']) {
    t.true(faultyFields(await client().post(url, capacity(bad))).includes('metadata.name'), bad);
  }
});

test('[A-CSC-3] [A-CSC-4] storageClassName is a DNS subdomain and must be there', async (t) => {
  const url = await namespace('classes');
  for (const storageClassName of [undefined, '', null]) {
    t.deepEqual(causesOf(await client().post(url, capacity('none', {storageClassName}))), ['storageClassName: Required value']);
  }
  t.deepEqual(faultyFields(await client().post(url, capacity('bad', {storageClassName: 'Not A Name'}))), ['storageClassName']);
  t.is((await client().post(url, capacity('good', {storageClassName: 'a.b-c'}))).status, 201);
});

test('[A-CSC-5] [A-CSC-9] class and topology cannot change, the capacity can', async (t) => {
  const url = await namespace('changes');
  const nodeTopology = {matchLabels: {zone: 'a'}};
  const made = object(await client().post(url, capacity('one', {nodeTopology, capacity: '1Gi'})));
  const changed = await client().put(`${url}/one`, {...made, storageClassName: 'slow', nodeTopology: {matchLabels: {zone: 'b'}}});
  t.deepEqual(faultyFields(changed), ['nodeTopology', 'storageClassName']);
  t.true(causesOf(changed).every((text) => text.endsWith('field is immutable')));
  for (const topology of [null, {}])
    t.deepEqual(faultyFields(await client().put(`${url}/one`, {...made, nodeTopology: topology})), ['nodeTopology']);
  const grown = await client().put(`${url}/one`, {...made, capacity: '2Gi', maximumVolumeSize: '1Gi'});
  t.is(grown.status, 200);
  t.like(object(grown), {capacity: '2Gi', maximumVolumeSize: '1Gi', nodeTopology});
});

test('[A-CSC-6] [A-CSC-7] quantities are optional and stay unset; what is no quantity is refused', async (t) => {
  const url = await namespace('quantities');
  const bare = object(await client().post(url, capacity('bare')));
  t.false('capacity' in bare);
  t.false('maximumVolumeSize' in bare);
  t.like(object(await client().post(url, capacity('zero', {capacity: 0, maximumVolumeSize: '1024Ki'}))), {
    capacity: '0',
    maximumVolumeSize: '1Mi',
  });
  for (const members of [{capacity: 'much'}, {maximumVolumeSize: '1Zi'}])
    t.is((await client().post(url, capacity('bad', members))).status, 400);
  t.deepEqual(causesOf(await client().post(url, capacity('negative', {capacity: '-1'}))), [
    'capacity: Invalid value: "-1": must be greater than or equal to 0',
  ]);
  t.is((await client().post(url, capacity('odd', {maximumVolumeSize: '-1'}))).status, 201);
});

test('[A-CSC-8] no topology and an empty one are kept apart', async (t) => {
  const url = await namespace('topologies');
  for (const [name, nodeTopology] of [
    ['none', undefined],
    ['null', null],
    ['all', {}],
    ['some', {matchExpressions: [{key: 'zone', operator: 'Exists'}]}],
  ] as const) {
    await client().post(url, capacity(name, {nodeTopology}));
    const read = object(await client().get(`${url}/${name}`));
    t.deepEqual('nodeTopology' in read ? read['nodeTopology'] : undefined, nodeTopology ?? undefined, name);
  }
  const bad = await client().post(url, capacity('bad', {nodeTopology: {matchExpressions: [{key: 'a b', operator: 'In'}]}}));
  t.deepEqual(faultyFields(bad), ['nodeTopology.matchExpressions[0].values', 'nodeTopology.matchExpressions[0].key']);
});

test('[A-CSCE-1] [A-CSCE-4] every verb works on capacities', async (t) => {
  const url = await namespace('verbs');
  const first = await client().post(url, capacity('one'));
  t.is(first.status, 201);
  t.is((await client().get(`${url}/one`)).status, 200);
  const list = (await client().get(url)).json<{kind: string; items: unknown[]; metadata: {resourceVersion: string}}>();
  t.is(list.kind, 'CSIStorageCapacityList');
  t.is(list.items.length, 1);
  t.is((await client().put(`${url}/one`, {...object(first), capacity: '1Gi'})).status, 200);
  t.is((await client().patch(`${url}/one`, {capacity: '2Gi'})).status, 200);
  const controller = new AbortController();
  const seen: string[] = [];
  for await (const {type} of client().watch(`${url}?watch=true&resourceVersion=${list.metadata.resourceVersion}`, {
    signal: controller.signal,
  })) {
    seen.push(type);
    if (seen.length === 2) await client().delete(`${url}/one`);
    if (seen.length === 3) break;
  }
  controller.abort();
  t.deepEqual(seen, ['MODIFIED', 'MODIFIED', 'DELETED']);
  await client().post(url, capacity('two'));
  t.is((await client().delete(url)).status, 200);
  t.is((await client().get(`${url}/two`)).status, 404);
});

test('an update needs the version that it was made from', async (t) => {
  const url = await namespace('unconditional');
  await client().post(url, capacity('one'));
  t.deepEqual(faultyFields(await client().put(`${url}/one`, capacity('one'))), ['metadata.resourceVersion']);
});

test('[A-CSCE-2] the capacities of all namespaces are listed together', async (t) => {
  for (const name of ['all-one', 'all-two']) await client().post(await namespace(name), capacity('everywhere'));
  const {items} = (await client().get('/apis/storage.orch/v1/csistoragecapacities?fieldSelector=metadata.name%3Deverywhere')).json<{
    items: {metadata: {namespace: string}}[];
  }>();
  t.deepEqual(
    items.map(({metadata}) => metadata.namespace),
    ['all-one', 'all-two'],
  );
});

test('[A-CSCE-3] a capacity has no status', async (t) => {
  const url = await namespace('status');
  await client().post(url, capacity('one'));
  t.is((await client().get(`${url}/one/status`)).status, 404);
});

test('[B-REM-3] v1beta1 shows the same capacities with a warning', async (t) => {
  await namespace('versions');
  const members = {nodeTopology: {}, capacity: '1Gi', maximumVolumeSize: '5'};
  const old = await client().post(path('versions', 'v1beta1'), {...capacity('one', members), apiVersion: 'storage.orch/v1beta1'});
  t.is(old.status, 201);
  t.regex(
    String(old.headers['warning']),
    /^299 - "storage\.orch\/v1beta1 CSIStorageCapacity is deprecated in v1\.24\+, unavailable in v1\.27\+; use storage\.orch\/v1 CSIStorageCapacity"$/,
  );
  const current = await client().get(`${path('versions')}/one`);
  t.is(current.headers['warning'], undefined);
  t.deepEqual({...object(old), apiVersion: 'storage.orch/v1'}, object(current));
});

const wanted = {storageClassName: 'fast', size: '10Gi', nodeLabels: {zone: 'a'}};
const everyNode = {nodeTopology: {}};

/** The name of the stored capacity that has room for the wanted volume. */
async function roomAmong(url: string, ...capacities: object[]): Promise<string | undefined> {
  for (const each of capacities) await client().post(url, each);
  const {items} = (await client().get(url)).json<{items: Parameters<typeof capacityFor>[1]}>();
  return capacityFor(wanted, items)?.metadata?.name;
}

test('[A-CSC-10] no capacity is available without a suitable object, or with an unset or zero capacity', async (t) => {
  const otherClass = capacity('other-class', {...everyNode, storageClassName: 'slow', capacity: '1Ti'});
  const noNode = capacity('no-node', {capacity: '1Ti'});
  const otherZone = capacity('other-zone', {capacity: '1Ti', nodeTopology: {matchLabels: {zone: 'b'}}});
  const unset = capacity('unset', {...everyNode, maximumVolumeSize: '1Ti'});
  const zero = capacity('zero', {...everyNode, capacity: '0', maximumVolumeSize: '1Ti'});
  const url = await namespace('unavailable');
  t.is(await roomAmong(url, otherClass, noNode, otherZone, unset, zero), undefined);
  t.is(await roomAmong(url, capacity('zone', {capacity: '1Ti', nodeTopology: {matchLabels: {zone: 'a'}}})), 'zone');
  t.is(await roomAmong(await namespace('anywhere'), capacity('all', {...everyNode, capacity: '1Ti'})), 'all');
});

test('[A-CSC-11] a size is compared with maximumVolumeSize, without it with capacity, and without both it does not fit', async (t) => {
  const room = async (name: string, members: object) =>
    (await roomAmong(await namespace(name), capacity('one', {...everyNode, ...members}))) !== undefined;
  t.false(await room('maximum-too-small', {capacity: '1Ti', maximumVolumeSize: '9Gi'}));
  t.true(await room('maximum-just-enough', {capacity: '1Ti', maximumVolumeSize: '10Gi'}));
  t.true(await room('maximum-decides', {capacity: '1Gi', maximumVolumeSize: '10Gi'}));
  t.false(await room('capacity-too-small', {capacity: '9Gi'}));
  t.true(await room('capacity-just-enough', {capacity: '10Gi'}));
  t.false(await room('neither', {}));
});
