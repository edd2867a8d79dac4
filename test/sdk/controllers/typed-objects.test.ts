import test, {type ExecutionContext} from 'ava';
import {ClientResources, types} from '../../../sdk/client/index.js';
import {objectsOf, type TypedObjects} from '../../../sdk/controllers/index.js';
import type {ConfigMap} from '../../../sdk/types/core/v1.js';
import {orch} from '../../../core/api/naming/orch.js';
import {LocalClient} from '../../../core/registry/local/local-client.js';
import type {ApiObject} from '../../../sdk/index.js';
import {clusterWide, namespaced} from '../../../sdk/types/resource-handle.js';
import {until} from '../../helpers/eventually.js';
import {definition, version} from '../../plugins/resources/apiextensions/definition-fixture.js';
import {createServer, type Server} from '../../../core/server/index.js';
import {quietControllers} from '../../../testing/quiet-controllers.js';
import {tempFolder} from '../../helpers/temp-folder.js';

const cleanups: (() => void | Promise<void>)[] = [];
let server: Server;
const admin = {username: 'kit', groups: ['system:masters', 'system:authenticated']};
const inside = () => new LocalClient(admin, orch, {registry: server.registry!});
const {ConfigMap: configMaps, Namespace: namespaces, Pod: pods} = types.core.v1;

test.before(async () => {
  const dataDir = tempFolder({teardown: (work) => void cleanups.push(work)});
  server = await createServer({store: 'memory', securePort: 0, dataDir, controllers: quietControllers});
  await server.start();
});
test.after.always(async () => {
  await server.stop();
  for (const work of cleanups) await work();
});

let count = 0;
async function freshNamespace(): Promise<string> {
  const {metadata} = await objectsOf(inside(), namespaces).create({metadata: {name: `typed-${(count += 1)}`}});
  return metadata.name!;
}

/** What a controller might do, written once. */
async function story(t: ExecutionContext, maps: TypedObjects<ConfigMap>): Promise<void> {
  const made = await maps.create({metadata: {name: 'one', labels: {app: 'a'}}, data: {a: '1'}});
  t.deepEqual([made.apiVersion, made.kind, made.data], ['v1', 'ConfigMap', {a: '1'}]);
  t.deepEqual((await maps.update({...made, data: {a: '2'}})).data, {a: '2'});
  t.like(await t.throwsAsync(maps.update({...made, data: {a: '3'}})), {reason: 'Conflict'});
  t.deepEqual((await maps.patch('one', 'json', [{op: 'add', path: '/data/b', value: '3'}])).data, {a: '2', b: '3'});
  t.deepEqual((await maps.patch('one', 'merge', {data: {a: null}}, {dryRun: true})).data, {b: '3'});
  t.deepEqual((await maps.get('one')).data, {a: '2', b: '3'}, 'a dry run stores nothing');
  t.deepEqual((await maps.patch('one', 'strategic', {data: {$patch: 'replace', c: '4'}})).data, {c: '4'});
  const applied = await maps.apply({metadata: {name: 'two'}, data: {x: '1'}}, {fieldManager: 'story'});
  t.is(applied.metadata.managedFields?.[0]?.operation, 'Apply');
  t.like(await t.throwsAsync(maps.apply({metadata: {name: 'one'}, data: {c: '5'}}, {fieldManager: 'story'})), {reason: 'Conflict'});
  t.deepEqual((await maps.apply({metadata: {name: 'one'}, data: {c: '5'}}, {fieldManager: 'story', force: true})).data, {c: '5'});
  t.deepEqual(
    (await maps.list({labelSelector: 'app=a'})).items.map(({metadata}) => metadata.name),
    ['one'],
  );
  const end = new AbortController();
  for await (const event of maps.watch({resourceVersion: '0', fieldSelector: 'metadata.name=two', signal: end.signal})) {
    t.is(event.type, 'ADDED');
    end.abort();
  }
  t.like(await t.throwsAsync(maps.delete('one', {preconditions: {uid: 'other'}})), {reason: 'Conflict'});
  await maps.delete('one', {dryRun: true});
  await maps.delete('one', {preconditions: {uid: made.metadata.uid!}});
  t.like(await t.throwsAsync(maps.get('one')), {code: 404, reason: 'NotFound'});
  await maps.deleteCollection();
  t.deepEqual((await maps.list()).items, []);
}

test('the same code works with typed objects inside the server, outside of it through ClientResources, and with the client itself', async (t) => {
  await story(t, objectsOf(inside(), configMaps, await freshNamespace()));
  await story(t, objectsOf(await ClientResources.open(server.client), configMaps, await freshNamespace()));
  await story(t, server.client.resource(configMaps, await freshNamespace()));
});

test('subresources have the type of what they carry, inside and outside', async (t) => {
  for (const resources of [inside(), await ClientResources.open(server.client)]) {
    const namespace = await freshNamespace();
    const deployments = objectsOf(resources, types.apps.v1.Deployment, namespace);
    const template = {metadata: {labels: {app: 'a'}}, spec: {containers: [{name: 'a', image: 'example.com/a'}]}};
    await deployments.create({metadata: {name: 'one'}, spec: {replicas: 1, selector: {matchLabels: {app: 'a'}}, template}});
    const scale = deployments.subresource('scale');
    const {spec} = await scale.get('one');
    t.is(spec?.replicas, 1);
    t.is((await scale.update('one', {spec: {replicas: 2}, metadata: {namespace}})).spec?.replicas, 2);
    t.is((await scale.patch('one', 'json', [{op: 'replace', path: '/spec/replicas', value: 3}])).spec?.replicas, 3);
    t.is((await deployments.get('one')).spec?.replicas, 3);
    const status = deployments.subresource('status');
    t.is((await status.patch('one', 'merge', {status: {replicas: 3}})).status?.replicas, 3);

    await objectsOf(resources, pods, namespace).create({metadata: {name: 'one'}, spec: template.spec});
    const eviction = await objectsOf(resources, pods, namespace)
      .subresource('eviction')
      .create('one', {metadata: {name: 'one', namespace}});
    t.like(eviction, {kind: 'Status', status: 'Success'});
  }
});

test('objects of a definition need no kind either, inside and outside', async (t) => {
  const schema = {type: 'object', properties: {size: {type: 'integer'}}};
  await server.client
    .resource(types.apiextensions.v1.CustomResourceDefinition)
    .create(definition('typed.example.com', [version(schema)]) as never);
  const widgets = namespaced<ApiObject>('typed.example.com', 'v1', 'widgets', 'Widget');
  await until('widgets are served', () =>
    inside()
      .resources()
      .some(({group}) => group === widgets.group),
  );
  for (const resources of [inside(), await ClientResources.open(server.client)]) {
    const mine = objectsOf(resources, widgets, await freshNamespace());
    const made = await mine.create({metadata: {name: 'one'}, spec: {size: 1}});
    t.deepEqual([made.apiVersion, made.kind], ['typed.example.com/v1', 'Widget']);
    const {resourceVersion} = made.metadata;
    t.deepEqual((await mine.update({metadata: {name: 'one', resourceVersion: resourceVersion!}, spec: {size: 2}}))['spec'], {size: 2});
    t.deepEqual((await mine.apply({metadata: {name: 'two'}, spec: {size: 3}}, {fieldManager: 'kit'}))['spec'], {size: 3});
    t.like(await t.throwsAsync(mine.patch('one', 'strategic', {spec: {size: 4}})), {code: 415});
  }
});

test('types of definitions and plugins are named by a handle, and one that is not served is a 404', async (t) => {
  const widgets = clusterWide('none.example.com', 'v1', 'widgets', 'Widget');
  t.like(await t.throwsAsync(objectsOf(inside(), widgets).get('one')), {code: 404});
  t.like(await t.throwsAsync(objectsOf(await ClientResources.open(server.client), widgets).get('one')), {code: 404});
});
