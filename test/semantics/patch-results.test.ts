import {testOnEachStore} from '../helpers/each-store.js';
import {answer, assertFailure, warningsOf} from './answers.js';
import {configMap, reservationsVersion, withFixtures, type ReadObject} from './fixtures.js';

const eachStore = testOnEachStore(withFixtures);
const json = 'application/json-patch+json';
const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';

eachStore('a patch whose result cannot be decoded is refused with a cause on "patch", whatever its kind', async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  const made = answer<ReadObject>(t, await client.post(path('configmaps'), configMap('one', {a: '1'})), 201);
  for (const [patch, type] of [
    [{kind: 'Secret'}, merge],
    [{apiVersion: 'v2'}, merge],
    [[{op: 'replace', path: '/kind', value: 'Secret'}], json],
    [[{op: 'replace', path: '/kind', value: 7}], json],
    [[{op: 'replace', path: '', value: []}], json],
    [[{op: 'replace', path: '/metadata', value: 'x'}], json],
    [[{op: 'replace', path: '/data', value: ['x']}], json],
    [{data: 'x'}, merge],
    [{data: {b: 7}}, merge],
    [{data: {b: 7}}, strategic],
    [{metadata: null, data: {b: 7}}, strategic],
    [{immutable: 'x'.repeat(10_000)}, merge],
  ] as const) {
    const {details, message} = assertFailure(
      t,
      await client.patch(item, patch, type),
      422,
      'Invalid',
      /^ "" is invalid: patch: Invalid value: /,
    );
    t.deepEqual(
      details?.causes?.map(({reason, field}) => ({reason, field})),
      [{reason: 'FieldValueInvalid', field: 'patch'}],
    );
    t.true(message.length < 2000, message);
  }
  t.deepEqual(answer<ReadObject>(t, await client.get(item), 200), made);
});

eachStore('what is wrong with the patched value is said in the cause', async (t, {client, path}) => {
  const collection = path('reservations', reservationsVersion);
  await client.post(collection, {metadata: {name: 'one'}, spec: {room: 'a', from: '2026-01-01T10:00:00Z'}});
  for (const item of [`${collection}/one`, `${collection}/one/status`]) {
    assertFailure(t, await client.patch(item, {kind: 'Room'}, merge), 422, 'Invalid', /Room/);
  }
  const wrong = {spec: {room: 7}, status: {phase: 7}};
  assertFailure(t, await client.patch(`${collection}/one`, wrong, merge), 422, 'Invalid', /: spec\.room in body must be of type string/);
  assertFailure(t, await client.patch(`${collection}/one/status`, wrong, merge), 422, 'Invalid', /: phase in body must be of type string/);
});

eachStore('a strategic merge patch of null changes nothing', async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  const made = answer<ReadObject>(t, await client.post(path('configmaps'), configMap('one', {a: '1'})), 201);
  t.deepEqual(answer<ReadObject>(t, await client.patch(item, 'null', strategic), 200), made);
  for (const body of ['[]', '"x"', '7']) assertFailure(t, await client.patch(item, body, strategic), 400, 'BadRequest');
});

eachStore(
  'a patch cannot change the uid; a PUT with another uid is a conflict, also where there is no object',
  async (t, {client, path}) => {
    const item = `${path('configmaps')}/one`;
    const gone = {uid: '7b0e8f5e-0000-4000-8000-000000000000'};
    const inPlace = (name: string) => new RegExp(`"${name}": Precondition failed: UID in precondition: ${gone.uid}, UID in object meta: `);
    assertFailure(t, await client.put(item, configMap('one', {}, gone)), 409, 'Conflict', inPlace('one'));
    assertFailure(
      t,
      await client.put(`${path('leases', 'coordination.orch/v1')}/one`, {metadata: {name: 'one', ...gone}}),
      409,
      'Conflict',
    );
    assertFailure(t, await client.put(`${path('pods')}/one/status`, {metadata: {name: 'one', ...gone}}), 409, 'Conflict');
    assertFailure(t, await client.patch(item, {metadata: gone}), 404, 'NotFound');
    answer(t, await client.post(path('configmaps'), configMap('one')), 201);
    assertFailure(t, await client.put(item, configMap('one', {}, gone)), 409, 'Conflict', inPlace('one'));
    for (const [patch, type] of [
      [{metadata: gone}, merge],
      [{metadata: gone}, strategic],
      [[{op: 'replace', path: '/metadata/uid', value: gone.uid}], json],
    ] as const) {
      assertFailure(t, await client.patch(item, patch, type), 422, 'Invalid', /metadata\.uid: Invalid value: .*: field is immutable/);
    }
  },
);

eachStore('an unknown member of a JSON patch operation is treated as fieldValidation says', async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  const made = answer<ReadObject>(t, await client.post(path('configmaps'), configMap('one', {a: '1'})), 201);
  const patch = [
    {op: 'test', path: '/data/a', value: '1'},
    {op: 'replace', path: '/data/a', value: '2', vlaue: '3', form: '/x'},
  ];
  const strict = assertFailure(
    t,
    await client.patch(`${item}?fieldValidation=Strict`, patch, json),
    422,
    'Invalid',
    /strict decoding error/,
  );
  for (const field of ['[1].vlaue', '[1].form']) t.true(strict.message.includes(`unknown field "${field}"`), strict.message);
  t.deepEqual(answer<ReadObject>(t, await client.get(item), 200), made);
  // What the result has too much is told together with it.
  const both = [...patch, {op: 'add', path: '/datum', value: {}}];
  const all = assertFailure(t, await client.patch(`${item}?fieldValidation=Strict`, both, json), 422, 'Invalid', /unknown field "datum"/);
  t.true(all.message.includes('unknown field "[1].vlaue"'), all.message);
  const warned = await client.patch(`${item}?fieldValidation=Warn`, patch, json);
  t.deepEqual(warningsOf(warned).sort(), ['json patch unknown field "[1].form"', 'json patch unknown field "[1].vlaue"']);
  t.deepEqual(answer<ReadObject>(t, warned, 200).data, {a: '2'});
  const ignored = await client.patch(`${item}?fieldValidation=Ignore`, [{op: 'replace', path: '/data/a', value: '4', more: 1}], json);
  t.deepEqual(warningsOf(ignored), []);
  answer(t, ignored, 200);
  const twice = '[{"op":"replace","path":"/data/a","value":"5","value":"6"}]';
  assertFailure(t, await client.patch(`${item}?fieldValidation=Strict`, twice, json), 422, 'Invalid', /duplicate field "\[0\]\.value"/);
});

eachStore('kind and apiVersion in a strategic merge patch do not matter, on no subresource', async (t, {client, path}) => {
  const deployments = path('deployments', 'apps/v1');
  const template = {metadata: {labels: {app: 'one'}}, spec: {containers: [{name: 'main', image: 'example.com/main:1'}]}};
  const spec = {replicas: 1, selector: {matchLabels: {app: 'one'}}, template};
  answer(t, await client.post(deployments, {apiVersion: 'apps/v1', kind: 'Deployment', metadata: {name: 'one'}, spec}), 201);
  for (const [suffix, kind, apiVersion] of [
    ['', 'Deployment', 'apps/v1'],
    ['/status', 'Deployment', 'apps/v1'],
    ['/scale', 'Scale', 'autoscaling/v1'],
  ] as const) {
    for (const [index, named] of [
      {apiVersion: 'apps/v1', kind: 'Deployment'},
      {apiVersion: 'v1', kind: 'Pod'},
      {apiVersion: 'apps/v9'},
      {kind: 'Scale'},
      {kind: null, apiVersion: null},
    ].entries()) {
      const patch = {...named, spec: {replicas: index + 2}};
      const patched = answer<ReadObject>(t, await client.patch(`${deployments}/one${suffix}`, patch, strategic), 200);
      t.deepEqual([patched.kind, patched.apiVersion], [kind, apiVersion]);
      if (suffix !== '/status') t.is(patched.spec?.['replicas'], index + 2);
      t.is(answer<ReadObject>(t, await client.get(`${deployments}/one`), 200).kind, 'Deployment');
    }
    assertFailure(t, await client.patch(`${deployments}/one${suffix}`, {kind: 'Other'}, merge), 422, 'Invalid', /patch: Invalid value/);
    assertFailure(
      t,
      await client.patch(`${deployments}/one${suffix}`, [{op: 'replace', path: '/kind', value: 'Other'}], json),
      422,
      'Invalid',
    );
    answer(t, await client.patch(`${deployments}/one${suffix}`, {kind: null, apiVersion: null}, merge), 200);
  }
  answer(t, await client.post(path('pods'), {metadata: {name: 'one'}, spec: template.spec}), 201);
  const debug = {kind: 'EphemeralContainers', spec: {ephemeralContainers: [{name: 'debug', image: 'example.com/debug:1'}]}};
  answer(t, await client.patch(`${path('pods')}/one/ephemeralcontainers`, debug, strategic), 200);
});
