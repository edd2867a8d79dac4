import test from 'ava';
import {customType, StatusError, types, type ApiObject} from '@orch-api/orch/client';
import {startTestServer} from '@orch-api/orch/testing';
import {fileServer, ownMaps} from './client-server.js';

const server = fileServer();

test('objects are created, read, replaced, listed and deleted', async (t) => {
  const maps = await ownMaps(server().api);
  const created = await maps.create({metadata: {name: 'one', labels: {app: 'a'}}, data: {a: '1'}});
  t.is(created.apiVersion, 'v1');
  t.is(created.kind, 'ConfigMap');
  t.is(created.metadata.namespace, maps.namespace);
  created.data = {a: '2'};
  const updated = await maps.update(created);
  t.not(updated.metadata.resourceVersion, created.metadata.resourceVersion);
  t.deepEqual(await maps.get('one'), updated);
  await maps.create({metadata: {name: 'two', labels: {app: 'b'}}});
  t.deepEqual(
    (await maps.list({labelSelector: {app: 'b'}})).items.map(({metadata}) => metadata.name),
    ['two'],
  );
  t.deepEqual((await maps.list({labelSelector: 'app in (a, b)', fieldSelector: {'metadata.name': 'one'}})).items.length, 1);
  const status = await maps.delete('one');
  t.is(status.kind, 'Status');
  t.like(await maps.deleteCollection({labelSelector: {app: 'b'}}), {kind: 'Status', status: 'Success'});
  t.deepEqual((await maps.list()).items, []);
});

test('what the server refuses is a StatusError with its reason, code, message and details', async (t) => {
  const maps = await ownMaps(server().api);
  const missing = await t.throwsAsync(maps.get('none'), {instanceOf: StatusError});
  t.like(missing, {code: 404, reason: 'NotFound', message: 'configmaps "none" not found', details: {name: 'none', kind: 'configmaps'}});
  const made = await maps.create({metadata: {name: 'one'}});
  t.like(await t.throwsAsync(maps.create({metadata: {name: 'one'}})), {reason: 'AlreadyExists'});
  await maps.update({...made, data: {a: '1'}});
  t.like(await t.throwsAsync(maps.update({...made, data: {a: '2'}})), {reason: 'Conflict'});
  const invalid = await t.throwsAsync(maps.create({metadata: {name: 'Not Valid'}, data: {'a b': ''}}), {instanceOf: StatusError});
  t.is(invalid?.code, 422);
  t.deepEqual(invalid?.details?.causes?.map(({field}) => field).sort(), ['data[a b]', 'metadata.name']);
  t.like(await t.throwsAsync(server().api.getJson('/apis/none.example.com/v1')), {code: 404, reason: 'NotFound'});
});

test('objects are changed by all three patches and by apply', async (t) => {
  const maps = await ownMaps(server().api);
  await maps.create({metadata: {name: 'one', finalizers: ['example.com/a']}, data: {a: '1', b: '2'}});
  t.deepEqual((await maps.patch('one', 'merge', {data: {a: null, c: '3'}})).data, {b: '2', c: '3'});
  t.deepEqual(
    (
      await maps.patch('one', 'json', [
        {op: 'test', path: '/data/b', value: '2'},
        {op: 'replace', path: '/data/b', value: '4'},
      ])
    ).data,
    {b: '4', c: '3'},
  );
  t.deepEqual((await maps.patch('one', 'strategic', {metadata: {finalizers: ['example.com/b']}})).metadata.finalizers, [
    'example.com/b',
    'example.com/a',
  ]);
  await maps.patch('one', 'merge', {metadata: {finalizers: []}});
  const applied = await maps.apply({metadata: {name: 'one'}, data: {d: '5'}}, {fieldManager: 'me'});
  t.deepEqual(applied.data, {b: '4', c: '3', d: '5'});
  const conflict = await t.throwsAsync(maps.apply({metadata: {name: 'one'}, data: {d: '6'}}, {fieldManager: 'other'}), {
    instanceOf: StatusError,
  });
  t.is(conflict?.reason, 'Conflict');
  t.deepEqual((await maps.apply({metadata: {name: 'one'}, data: {d: '6'}}, {fieldManager: 'other', force: true})).data?.d, '6');
});

test('options travel as query parameters, preconditions in the body', async (t) => {
  const maps = await ownMaps(server().api);
  await maps.create({metadata: {name: 'dry'}}, {dryRun: true});
  t.deepEqual((await maps.list()).items, []);
  const made = await maps.create({metadata: {name: 'one'}, data: {a: '1'}}, {fieldManager: 'author', dryRun: false});
  t.is(made.metadata.managedFields?.[0]?.manager, 'author');
  const unknown = {metadata: {name: 'two'}, dta: {}};
  t.like(await t.throwsAsync(maps.create(unknown, {fieldValidation: 'Strict'})), {code: 400});
  t.like(await t.throwsAsync(maps.delete('one', {preconditions: {uid: 'another'}})), {reason: 'Conflict'});
  await maps.patch('one', 'merge', {metadata: {finalizers: ['example.com/hold']}});
  const held = await maps.delete('one', {propagationPolicy: 'Foreground', preconditions: {uid: made.metadata.uid!}});
  t.truthy('metadata' in held && 'deletionTimestamp' in held.metadata && held.metadata.deletionTimestamp);
  await maps.patch('one', 'merge', {metadata: {finalizers: null}});
  t.like(await t.throwsAsync(maps.get('one')), {code: 404});
});

test('types outside of namespaces need none, all others need one where one object is meant', async (t) => {
  const {api} = server();
  const spaces = api.resource(types.core.v1.Namespace);
  t.is((await spaces.get('default')).status?.phase, 'Active');
  const everywhere = api.resource(types.core.v1.ConfigMap);
  await t.throwsAsync(everywhere.get('one'), {instanceOf: TypeError, message: /are namespaced/});
  await t.throwsAsync(everywhere.create({metadata: {name: 'one'}}), {instanceOf: TypeError, message: /are namespaced/});
  await t.throwsAsync(everywhere.update({metadata: {namespace: 'default'}}), {instanceOf: TypeError, message: /no metadata.name/});
  const maps = await ownMaps(api);
  await everywhere.create({metadata: {name: 'one', namespace: maps.namespace}});
  t.true((await everywhere.list()).items.some(({metadata}) => metadata.namespace === maps.namespace));
  for (const name of ['', '.', '..']) await t.throwsAsync(maps.get(name), {instanceOf: TypeError, message: /cannot be part of a path/});
  t.like(await t.throwsAsync(maps.get('a b?c%2f')), {code: 404, details: {name: 'a b?c%2f'}});
  t.like(await t.throwsAsync(maps.get('a/../b')), {code: 404});
});

test('the connection names the namespace of programs that have no other', (t) => {
  t.is(server().api.namespace, 'default');
});

test('subresources are read and written with their own types', async (t) => {
  const {api} = server();
  const {namespace} = await ownMaps(api);
  const deployments = api.resource(types.apps.v1.Deployment, namespace);
  const labels = {app: 'web'};
  await deployments.create({
    metadata: {name: 'web'},
    spec: {selector: {matchLabels: labels}, template: {metadata: {labels}, spec: {containers: [{name: 'web', image: 'web:1'}]}}},
  });
  const scale = await deployments.subresource('scale').get('web');
  t.deepEqual([scale.kind, scale.spec?.replicas], ['Scale', 1]);
  scale.spec = {replicas: 3};
  t.is((await deployments.subresource('scale').update('web', scale)).spec?.replicas, 3);
  t.is((await deployments.subresource('scale').patch('web', 'merge', {spec: {replicas: 4}})).spec?.replicas, 4);
  const withStatus = await deployments.subresource('status').patch('web', 'merge', {status: {replicas: 2}});
  t.deepEqual([withStatus.spec?.replicas, withStatus.status?.replicas], [4, 2]);
  const applied = await deployments
    .subresource('status')
    .apply('web', {apiVersion: 'apps/v1', kind: 'Deployment', metadata: {name: 'web'}, status: {readyReplicas: 1}}, {fieldManager: 'me'});
  t.is(applied.status?.readyReplicas, 1);
});

interface Gadget extends ApiObject {
  spec?: {size?: number | bigint};
}

test('custom types are served by group, version and plural, and integers beyond 2^53 survive', async (t) => {
  const {api} = server();
  const schema = {openAPIV3Schema: {type: 'object', properties: {spec: {type: 'object', properties: {size: {type: 'integer'}}}}}};
  await api.resource(types.apiextensions.v1.CustomResourceDefinition).create({
    metadata: {name: 'gadgets.client.example.com'},
    spec: {
      group: 'client.example.com',
      scope: 'Cluster',
      names: {plural: 'gadgets', kind: 'Gadget'},
      versions: [{name: 'v1', served: true, storage: true, schema}],
    },
  });
  const type = customType<Gadget>({group: 'client.example.com', version: 'v1', plural: 'gadgets', kind: 'Gadget', namespaced: false});
  const gadgets = api.resource(type);
  const big = 2n ** 60n + 1n;
  const made = await gadgets.create({metadata: {name: 'one'}, spec: {size: big}});
  t.is(made.apiVersion, 'client.example.com/v1');
  t.is(made.spec?.size, big);
  t.is((await gadgets.list()).items[0]?.spec?.size, big);
  const {value} = await gadgets.watch().next();
  t.is(value?.type === 'ADDED' && value.object.spec?.size, big);
  t.is((await gadgets.patch('one', 'merge', {spec: {size: 5}})).spec?.size, 5);
});

test('on the kubernetes platform groups are spelled its way', async (t) => {
  const kubernetes = await startTestServer({platform: 'kubernetes'});
  t.teardown(() => kubernetes.stop());
  const classes = kubernetes.api.resource(types.storage.v1.StorageClass);
  const made = await classes.create({metadata: {name: 'fast'}, provisioner: 'example.com/disk'});
  t.is(made.apiVersion, 'storage.k8s.io/v1');
  t.is((await classes.getBinary('fast')).apiVersion, 'storage.k8s.io/v1');
});

test('operations that keep nothing are created', async (t) => {
  const {api} = server();
  const review = await api
    .resource(types.authorization.v1.SelfSubjectAccessReview)
    .create({spec: {resourceAttributes: {verb: 'get', resource: 'pods'}}});
  t.true(review.status?.allowed);
});
