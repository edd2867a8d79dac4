import {testOnEachStore} from '../../../helpers/each-store.js';
import {condition, definition, definitionsPath, establish, eventually, freshGroup, readDefinition, version, type Json} from './definition-fixture.js';

const storeTest = testOnEachStore();
const finalizer = 'customresourcecleanup.apiextensions.orch';

storeTest('deleting a definition deletes its objects, then the definition, then the type', async (t, {client, path}) => {
  const group = freshGroup();
  const name = `widgets.${group}`;
  await establish(client, definition(group));
  const url = path('widgets', `${group}/v1`);
  for (const widget of ['a', 'b', 'c']) await client.post(url, {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: widget}});
  const deleted = await client.delete(`${definitionsPath}/${name}`);
  t.is(deleted.status, 200);
  t.deepEqual(deleted.json<{metadata: Json}>().metadata['finalizers'], [finalizer]);
  await eventually('the deletion', async () => (await client.get(`${definitionsPath}/${name}`)).status === 404);
  t.is((await client.get(url)).status, 404);
  await establish(client, definition(group));
  t.deepEqual((await client.get(url)).json<{items: unknown[]}>().items, []);
});

storeTest('a definition waits for objects that finalizers hold and says so, and takes no new ones [A-CRD-110] [A-OTHER-1]', async (t, {client, path}) => {
  const group = freshGroup();
  const name = `widgets.${group}`;
  await establish(client, definition(group));
  const url = path('widgets', `${group}/v1`);
  await client.post(url, {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: 'held', finalizers: ['example.com/hold']}});
  await client.delete(`${definitionsPath}/${name}`);
  const waiting = await eventually('the objects to be looked at', async () => {
    const stored = await readDefinition(client, name);
    return condition(stored, 'Terminating')?.reason === 'InstanceDeletionInProgress' && stored;
  });
  t.is(condition(waiting, 'Terminating')?.status, 'True');
  t.is((await client.post(url, {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: 'late'}})).status, 405);
  const applied = await client.patch(`${url}/late?fieldManager=m`, {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: 'late'}}, 'application/apply-patch+yaml');
  t.is(applied.status, 405);
  t.is((await client.patch(`${url}/held`, {metadata: {finalizers: null}})).status, 200);
  await eventually('the deletion', async () => (await client.get(`${definitionsPath}/${name}`)).status === 404);
});

storeTest('objects of versions that are not served are deleted too', async (t, {client, path}) => {
  const group = freshGroup();
  const name = `widgets.${group}`;
  await establish(client, definition(group));
  const url = path('widgets', `${group}/v1`);
  await client.post(url, {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: 'w'}});
  await client.patch(`${definitionsPath}/${name}`, {spec: {versions: [{...version(), served: false}]}});
  await eventually('the version to go', async () => (await client.get(url)).status === 404);
  await client.delete(`${definitionsPath}/${name}`);
  await eventually('the deletion', async () => (await client.get(`${definitionsPath}/${name}`)).status === 404);
  await establish(client, definition(group));
  t.deepEqual((await client.get(url)).json<{items: unknown[]}>().items, []);
});

storeTest('a definition that somebody else holds too says that its objects are gone', async (t, {client}) => {
  const group = freshGroup();
  const name = `widgets.${group}`;
  const body = definition(group);
  (body['metadata'] as Json)['finalizers'] = ['example.com/hold'];
  await establish(client, body);
  await client.delete(`${definitionsPath}/${name}`);
  const emptied = await eventually('the finalizer to go', async () => {
    const stored = await readDefinition(client, name);
    return !stored.metadata.finalizers?.includes(finalizer) && stored;
  });
  t.like(condition(emptied, 'Terminating'), {status: 'False', reason: 'InstanceDeletionCompleted', message: 'removed all instances'});
  t.is((await client.patch(`${definitionsPath}/${name}`, {metadata: {finalizers: null}})).status, 200);
  t.is((await client.get(`${definitionsPath}/${name}`)).status, 404);
});

storeTest('a definition that never was served goes at once', async (t, {client}) => {
  const group = freshGroup();
  await establish(client, definition(group));
  const twin = {...definition(group, [version()], {names: {plural: 'twins', kind: 'Widget', singular: 'twin', listKind: 'TwinList'}}), metadata: {name: `twins.${group}`}};
  await client.post(definitionsPath, twin);
  await client.delete(`${definitionsPath}/twins.${group}`);
  await eventually('the deletion', async () => (await client.get(`${definitionsPath}/twins.${group}`)).status === 404);
  t.is((await client.get(`/apis/${group}/v1/widgets`)).status, 200);
});
