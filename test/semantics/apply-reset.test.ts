import {testOnEachStore, type StoreContext} from '../helpers/each-store.js';
import {answer, assertFailure} from './answers.js';
import {apply, ownersOf, stored, withShelves, type OwnedObject} from './apply-fixtures.js';
import {configMap} from './fixtures.js';

const eachStore = testOnEachStore(withShelves);
const json = 'application/json-patch+json';

/** A ConfigMap with two owners. */
async function owned({client, path}: Pick<StoreContext, 'client' | 'path'>): Promise<string> {
  const item = `${path('configmaps')}/one`;
  await client.post(`${path('configmaps')}?fieldManager=maker`, configMap('one', {a: '1'}));
  await apply(client, item, 'applier', configMap('one', {b: '2'}));
  return item;
}

eachStore('a merge patch with one empty entry clears the managed fields [A-SSA-31]', async (t, context) => {
  const item = await owned(context);
  const cleared = answer<OwnedObject>(t, await context.client.patch(item, {metadata: {managedFields: [{}]}}), 200);
  t.is(cleared.metadata.managedFields, undefined);
  t.deepEqual(await stored(t, context.client, item), cleared);
});

eachStore('a JSON patch that replaces the list by one empty entry clears the managed fields [A-SSA-32]', async (t, context) => {
  const item = await owned(context);
  const patch = [{op: 'replace', path: '/metadata/managedFields', value: [{}]}];
  t.is(answer<OwnedObject>(t, await context.client.patch(item, patch, json), 200).metadata.managedFields, undefined);
});

eachStore('a PUT with one empty entry clears the managed fields [A-SSA-33]', async (t, context) => {
  const item = await owned(context);
  const object = await stored(t, context.client, item);
  const body = {...object, metadata: {...object.metadata, managedFields: [{}]}};
  t.is(answer<OwnedObject>(t, await context.client.put(item, body), 200).metadata.managedFields, undefined);
});

eachStore('an empty list clears nothing, in a patch as in a PUT [A-SSA-34]', async (t, context) => {
  const item = await owned(context);
  const before = await stored(t, context.client, item);
  const patch = [{op: 'replace', path: '/metadata/managedFields', value: []}];
  t.deepEqual(answer<OwnedObject>(t, await context.client.patch(item, {metadata: {managedFields: []}}), 200), before);
  t.deepEqual(answer<OwnedObject>(t, await context.client.patch(item, patch, json), 200), before);
  t.deepEqual(
    answer<OwnedObject>(t, await context.client.put(item, {...before, metadata: {...before.metadata, managedFields: []}}), 200),
    before,
  );
});

eachStore(
  'with other changes in the same request the clearing comes first: the requester owns what it changed [A-SSA-35]',
  async (t, context) => {
    const item = await owned(context);
    const {client} = context;
    const patched = answer<OwnedObject>(
      t,
      await client.patch(`${item}?fieldManager=cleaner`, {metadata: {managedFields: [{}]}, data: {a: '9'}}),
      200,
    );
    t.deepEqual(ownersOf(patched), {'cleaner (update)': ['.data.a']});
    const put = {...patched, data: {a: '9', b: '2', c: '3'}, metadata: {...patched.metadata, managedFields: [{}]}};
    t.deepEqual(ownersOf(answer<OwnedObject>(t, await client.put(`${item}?fieldManager=second`, put), 200)), {
      'second (update)': ['.data.c'],
    });
  },
);

eachStore('an apply after the clearing finds what was there in the hands of before-first-apply', async (t, context) => {
  const item = await owned(context);
  const {client} = context;
  await client.patch(item, {metadata: {managedFields: [{}]}});
  // Updates in between are not recorded.
  t.is(answer<OwnedObject>(t, await client.patch(item, {data: {c: '3'}}), 200).metadata.managedFields, undefined);
  const status = assertFailure(t, await apply(client, item, 'applier', configMap('one', {a: '9', b: '2'})), 409, 'Conflict');
  t.deepEqual(status.details?.causes, [
    {reason: 'FieldManagerConflict', message: 'conflict with "before-first-apply" using v1', field: '.data.a'},
  ]);
  const applied = answer<OwnedObject>(t, await apply(client, item, 'applier', configMap('one', {b: '2'})), 200);
  t.deepEqual(ownersOf(applied), {applier: ['.data.b'], 'before-first-apply (update)': ['.data', '.data.a', '.data.b', '.data.c']});
});
