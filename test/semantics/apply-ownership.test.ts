import type {ManagedFieldsEntry} from '@orch-api/orch/sdk';
import {testOnEachStore} from '../helpers/each-store.js';
import {answer, assertFailure} from './answers.js';
import {apply, ownersOf, shelf, shelvesVersion, stored, withShelves, type OwnedObject} from './apply-fixtures.js';
import {configMap} from './fixtures.js';

const eachStore = testOnEachStore(withShelves);
const json = 'application/json-patch+json';
const strategic = 'application/strategic-merge-patch+json';

eachStore(
  'every kind of write records its fields: create, update, each patch and apply, with manager, operation, version and time ' +
    '[A-META-15] [A-META-18] [A-META-19] [A-META-20] [A-META-21] [A-QP-5]',
  async (t, {client, path}) => {
    const collection = path('configmaps');
    const item = `${collection}/one`;
    const before = Math.floor(Date.now() / 1000) * 1000;
    answer(t, await client.post(`${collection}?fieldManager=create`, configMap('one', {create: '1'}, {labels: {a: 'b'}})), 201);
    answer(t, await client.patch(`${item}?fieldManager=merge`, {data: {merge: '1'}}), 200);
    answer(t, await client.patch(`${item}?fieldManager=json`, [{op: 'add', path: '/data/json', value: '1'}], json), 200);
    answer(t, await client.patch(`${item}?fieldManager=strategic`, {data: {strategic: '1'}}, strategic), 200);
    answer(t, await apply(client, item, 'apply', configMap('one', {apply: '1'})), 200);
    const {data, ...rest} = await stored(t, client, item);
    const object = answer<OwnedObject>(t, await client.put(`${item}?fieldManager=update`, {...rest, data: {...data, update: '1'}}), 200);
    t.deepEqual(ownersOf(object), {
      apply: ['.data.apply'],
      'create (update)': ['.data', '.data.create', '.metadata.labels', '.metadata.labels.a'],
      'merge (update)': ['.data.merge'],
      'json (update)': ['.data.json'],
      'strategic (update)': ['.data.strategic'],
      'update (update)': ['.data.update'],
    });
    const entries = object.metadata.managedFields!;
    for (const {time, ...entry} of entries) {
      t.deepEqual(
        {...entry, manager: '', fieldsV1: {}},
        {manager: '', operation: entry.manager === 'apply' ? 'Apply' : 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {}},
      );
      t.regex(time!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      t.true(Date.parse(time!) >= before && Date.parse(time!) <= Date.now());
    }
    t.deepEqual(entries.find(({manager}) => manager === 'create')?.fieldsV1, {
      'f:data': {'.': {}, 'f:create': {}},
      'f:metadata': {'f:labels': {'.': {}, 'f:a': {}}},
    });
  },
);

eachStore('without fieldManager the first part of the user agent is the manager [A-SSA-4]', async (t, {client, path}) => {
  const collection = path('configmaps');
  const agents = [
    ['kubectl/v1.29.0 (linux/amd64) kubernetes/abc', 'kubectl'],
    ['my tool', 'my tool'],
    ['/nothing', 'unknown'],
    [`${'é'.repeat(200)}/1`, 'é'.repeat(64)],
  ] as const;
  for (const [index, [agent, manager]] of agents.entries()) {
    const made = answer<OwnedObject>(
      t,
      await client.post(collection, configMap(`agent-${index}`, {a: '1'}), {headers: {'user-agent': agent}}),
      201,
    );
    t.deepEqual(ownersOf(made), {[`${manager} (update)`]: ['.data', '.data.a']});
    const patched = answer<OwnedObject>(t, await client.patch(`${collection}/agent-${index}`, {data: {a: '2'}}), 200);
    t.deepEqual(Object.keys(ownersOf(patched)).sort(), [...new Set([`${manager} (update)`, 'unknown (update)'])].sort());
  }
});

eachStore('what identifies an object or is set by the server is nobody’s', async (t, {client, path}) => {
  const collection = path('shelves', shelvesVersion);
  const made = answer<OwnedObject>(
    t,
    await client.post(`${collection}?fieldManager=one`, {...shelf('one', {width: 1}), status: {phase: 'ignored'}}),
    201,
  );
  t.deepEqual(ownersOf(made), {'one (update)': ['.spec', '.spec.colour', '.spec.width']});
  const item = `${collection}/one`;
  answer(t, await client.patch(`${item}?fieldManager=two`, {metadata: {labels: {a: 'b'}}, status: {phase: 'ignored'}}), 200);
  const applied = answer<OwnedObject>(
    t,
    await apply(client, item, 'three', {...shelf('one', {width: 1}), status: {phase: 'ignored'}}),
    200,
  );
  t.deepEqual(ownersOf(applied), {
    three: ['.spec.width'],
    'one (update)': ['.spec', '.spec.colour', '.spec.width'],
    'two (update)': ['.metadata.labels', '.metadata.labels.a'],
  });
  t.is(applied.status, undefined);
});

eachStore('a write that changes nothing leaves version, entries and times as they are', async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  const made = answer<OwnedObject>(t, await client.post(`${path('configmaps')}?fieldManager=one`, configMap('one', {a: '1'})), 201);
  const {
    metadata: {managedFields: _entries, ...metadata},
    ...rest
  } = made;
  for (const write of [
    () => client.put(`${item}?fieldManager=two`, made),
    () => client.put(`${item}?fieldManager=two`, {...rest, metadata}),
    () => client.put(`${item}?fieldManager=two`, {...made, metadata: {...made.metadata, managedFields: []}}),
    () => client.patch(`${item}?fieldManager=two`, {data: {a: '1'}}),
    () => client.patch(`${item}?fieldManager=two`, [], json),
  ]) {
    t.deepEqual(answer<OwnedObject>(t, await write(), 200), made);
  }
});

eachStore(
  'the entries of an object can be edited by updates, and are kept when a client sends none or nonsense',
  async (t, {client, path}) => {
    const item = `${path('configmaps')}/one`;
    await client.post(`${path('configmaps')}?fieldManager=one`, configMap('one', {a: '1'}));
    const entry: ManagedFieldsEntry = {
      manager: 'heir',
      operation: 'Apply',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: {'f:data': {'f:a': {}}},
    };
    const patched = answer<OwnedObject>(t, await client.patch(item, {metadata: {managedFields: [entry]}}), 200);
    t.deepEqual(ownersOf(patched), {heir: ['.data.a']});
    for (const managedFields of [
      [{manager: 'x', operation: 'Nonsense', apiVersion: 'v1'}],
      [{...entry, fieldsType: 'FieldsV9'}],
      [{...entry, fieldsV1: {nonsense: {}}}],
      null,
      [],
    ]) {
      const kept = answer<OwnedObject>(t, await client.patch(item, {metadata: {managedFields}}), 200);
      t.deepEqual(kept, patched, JSON.stringify(managedFields));
    }
    assertFailure(
      t,
      await client.patch(item, {metadata: {managedFields: [{...entry, manager: 'x'.repeat(200)}]}}),
      422,
      'Invalid',
      /managedFields\[0\]\.manager/,
    );
    assertFailure(t, await client.patch(item, {metadata: {managedFields: 'text'}}), 422, 'Invalid', /patch: Invalid value/);
  },
);

eachStore('status and scale have entries of their own, and cannot change those of others', async (t, {client, path}) => {
  const item = `${path('shelves', shelvesVersion)}/one`;
  await client.post(`${path('shelves', shelvesVersion)}?fieldManager=one`, shelf('one', {boards: {count: 1}}));
  const forged = [{manager: 'forged', operation: 'Update', apiVersion: shelvesVersion, fieldsType: 'FieldsV1', fieldsV1: {'f:spec': {}}}];
  const status = {...shelf('one', {width: 9}), status: {phase: 'ready', boards: 1}, metadata: {name: 'one', managedFields: forged}};
  const updated = answer<OwnedObject>(t, await client.put(`${item}/status?fieldManager=two`, status), 200);
  t.deepEqual(ownersOf(updated), {
    'one (update)': ['.spec', '.spec.boards', '.spec.boards.count', '.spec.colour'],
    'two (update) status': ['.status', '.status.boards', '.status.phase'],
  });
  const applied = answer<OwnedObject>(
    t,
    await apply(client, `${item}/status`, 'three', {...shelf('one', {width: 9}, {status: {phase: 'ready'}})}),
    200,
  );
  t.is(applied.spec?.['width'], undefined);
  t.deepEqual(ownersOf(applied)['three status'], ['.status.phase']);
  assertFailure(
    t,
    await apply(client, `${item}/status`, 'three', shelf('one', {}, {status: {phase: 'other'}})),
    409,
    'Conflict',
    /conflict with "two" with subresource "status" using apply\.example\.com\/v1: \.status\.phase/,
  );
  answer(t, await client.patch(`${item}/scale?fieldManager=four`, {spec: {replicas: 2}}), 200);
  t.deepEqual(ownersOf(await stored(t, client, item)), {
    'three status': ['.status.phase'],
    'one (update)': ['.spec', '.spec.boards', '.spec.colour'],
    'two (update) status': ['.status', '.status.boards', '.status.phase'],
    'four (update) scale': ['.spec.boards.count'],
  });
  assertFailure(
    t,
    await apply(client, `${path('shelves', shelvesVersion)}/none/status`, 'one', shelf('none', {}, {status: {phase: 'x'}})),
    404,
    'NotFound',
  );
});

eachStore('a Scale can be applied: its replicas are the object’s', async (t, {client, path}) => {
  const item = `${path('shelves', shelvesVersion)}/one`;
  const scale = (spec: object) => ({apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: {name: 'one'}, spec});
  assertFailure(t, await apply(client, `${item}/scale`, 'scaler', scale({replicas: 3})), 404, 'NotFound');
  await apply(client, item, 'one', shelf('one', {boards: {count: 1, material: 'oak'}}));
  const refused = assertFailure(t, await apply(client, `${item}/scale`, 'scaler', scale({replicas: 3})), 409, 'Conflict');
  t.deepEqual(refused.details?.causes, [{reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.spec.replicas'}]);
  const answered = answer<OwnedObject>(t, await apply(client, `${item}/scale`, 'scaler', scale({replicas: 3}), '&force=true'), 200);
  t.is(answered.kind, 'Scale');
  t.deepEqual(answered.spec, {replicas: 3});
  const object = await stored(t, client, item);
  t.deepEqual(object.spec, {colour: 'white', boards: {count: 3, material: 'oak'}});
  t.deepEqual(ownersOf(object), {one: ['.spec.boards.material'], 'scaler scale': ['.spec.boards.count']});
  assertFailure(t, await apply(client, `${item}/scale`, 'scaler', scale({replicas: -1})), 422, 'Invalid', /spec\.replicas/);
  assertFailure(t, await apply(client, `${item}/scale`, 'scaler', shelf('one')), 400, 'BadRequest', /invalid object type/);
});

eachStore(
  'entries name their fields in the version of the write, and conflicts are found across versions [A-META-20]',
  async (t, {client, path}) => {
    const v1 = `${path('shelves', shelvesVersion)}/one`;
    const v2 = `${path('shelves', 'apply.example.com/v2')}/one`;
    await apply(client, v1, 'one', shelf('one', {colour: 'red', width: 1}));
    const config = (spec: object) => ({apiVersion: 'apply.example.com/v2', kind: 'Shelf', metadata: {name: 'one'}, spec});
    const status = assertFailure(t, await apply(client, v2, 'two', config({paint: 'blue'})), 409, 'Conflict');
    t.deepEqual(status.details?.causes, [{reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.spec.colour'}]);
    const shared = answer<OwnedObject>(t, await apply(client, v2, 'two', config({paint: 'red'})), 200);
    t.deepEqual(ownersOf(shared), {'one apply.example.com/v1': ['.spec.colour', '.spec.width'], two: ['.spec.paint']});
    const edited = answer<OwnedObject>(t, await client.patch(`${v2}?fieldManager=editor`, {spec: {paint: 'green'}}), 200);
    t.deepEqual(ownersOf(edited), {'one apply.example.com/v1': ['.spec.width'], 'editor (update)': ['.spec.paint']});
    const moved = answer<OwnedObject>(t, await apply(client, v2, 'one', config({labels: {a: '1'}})), 200);
    t.deepEqual(moved.spec, {paint: 'green', labels: {a: '1'}});
    t.deepEqual(ownersOf(moved), {one: ['.spec.labels.a'], 'editor (update)': ['.spec.paint']});
  },
);

eachStore('an update that creates records its manager as a create does', async (t, {client, path}) => {
  const item = `${path('leases', 'coordination.orch/v1')}/one`;
  const made = answer<OwnedObject>(
    t,
    await client.put(`${item}?fieldManager=maker`, {metadata: {name: 'one'}, spec: {holderIdentity: 'me'}}),
    201,
  );
  t.deepEqual(ownersOf(made), {'maker (update)': ['.spec.holderIdentity']});
});
