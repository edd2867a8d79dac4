import test from 'ava';
import {admissionRequest} from '../../helpers/admission-request.js';
import {kubernetes} from '../../../core/api/naming/kubernetes.js';
import {orch} from '../../../core/api/naming/orch.js';
import {NamespaceLifecycle} from '../../../plugins/admission/namespace-lifecycle/plugin.js';
import {RecentNames} from '../../../plugins/admission/namespace-lifecycle/recent-names.js';
import {NamespaceStrategy} from '../../../plugins/resources/core/namespace-strategy.js';
import {serviceUnavailable, StatusError, type NamingProfile, type ObjectCache, type ReadOptions} from '../../../sdk/index.js';
import {MemoryResources} from '../memory-resources.js';

const namespaces = {group: '', version: 'v1', resource: 'namespaces'};
const configMaps = {group: '', version: 'v1', resource: 'configmaps'};
const verbs = ['list', 'delete', 'deletecollection'];

function setUp(naming: NamingProfile = orch) {
  const types: ConstructorParameters<typeof MemoryResources>[0][number][] = [{...configMaps, kind: 'ConfigMap', namespaced: true, verbs}];
  const resources = new MemoryResources(types);
  types.push({...namespaces, kind: 'Namespace', namespaced: false, verbs, strategy: new NamespaceStrategy(resources, naming)});
  // One that has nothing yet: all is read.
  const cache = {find: () => undefined} as unknown as ObjectCache;
  const lifecycle = new NamespaceLifecycle(resources, cache, naming);
  return {resources, lifecycle, create: (name: string) => resources.create(namespaces, '', {metadata: {name}})};
}

const deletion = (name: string) => admissionRequest({operation: 'DELETE', resource: namespaces, namespace: '', name, object: undefined});

test('objects can be created in a namespace that exists', async (t) => {
  const {lifecycle, create} = setUp();
  await create('team');
  await t.notThrowsAsync(async () => lifecycle.admit(admissionRequest()));
});

test('creating in a missing namespace is 404 and names the namespace', async (t) => {
  const {lifecycle} = setUp();
  const error = await t.throwsAsync(async () => lifecycle.admit(admissionRequest()), {
    instanceOf: StatusError,
    message: 'namespaces "team" not found',
  });
  t.is(error.code, 404);
  t.deepEqual(error.details, {name: 'team', kind: 'namespaces'});
});

test('[B-ADM-7] creating in a terminating namespace is 403 with the cause NamespaceTerminating', async (t) => {
  const {lifecycle, resources, create} = setUp();
  await create('team');
  await resources.delete(namespaces, '', 'team');
  const error = await t.throwsAsync(async () => lifecycle.admit(admissionRequest()), {instanceOf: StatusError});
  t.is(error.code, 403);
  t.is(error.message, 'configmaps "settings" is forbidden: unable to create new content in namespace team because it is being terminated');
  t.deepEqual(error.details?.causes, [
    {reason: 'NamespaceTerminating', message: 'namespace team is being terminated', field: 'metadata.namespace'},
  ]);
});

test('a refusal before the name is generated carries the prefix', async (t) => {
  const {lifecycle, resources, create} = setUp();
  await create('team');
  await resources.delete(namespaces, '', 'team');
  const generated = admissionRequest({name: '', object: {metadata: {generateName: 'settings-'}}});
  await t.throwsAsync(async () => lifecycle.admit(generated), {message: /^configmaps "settings-" is forbidden/});
});

test('updates and deletes inside a terminating namespace pass', async (t) => {
  const {lifecycle, resources, create} = setUp();
  await create('team');
  await resources.delete(namespaces, '', 'team');
  await t.notThrowsAsync(async () => lifecycle.admit(admissionRequest({operation: 'UPDATE'})));
  await t.notThrowsAsync(async () => lifecycle.admit(admissionRequest({operation: 'DELETE', object: undefined})));
});

test('cluster-scoped objects and namespaces themselves can always be created', async (t) => {
  const {lifecycle} = setUp();
  await t.notThrowsAsync(async () =>
    lifecycle.admit(admissionRequest({namespace: '', resource: {group: 'rbac.orch', version: 'v1', resource: 'clusterroles'}})),
  );
  await t.notThrowsAsync(async () => lifecycle.admit(admissionRequest({namespace: '', resource: namespaces, name: 'new'})));
});

test('an access review in a missing namespace passes: the answer would tell whether the namespace exists', async (t) => {
  for (const [naming, group] of [
    [orch, 'authorization.orch'],
    [kubernetes, 'authorization.k8s.io'],
  ] as const) {
    const {lifecycle} = setUp(naming);
    const resource = {group, version: 'v1', resource: 'localsubjectaccessreviews'};
    await t.notThrowsAsync(async () => lifecycle.admit(admissionRequest({resource})));
  }
});

for (const [naming, names] of [
  [orch, ['default', 'orch-system', 'orch-public']],
  [kubernetes, ['default', 'kube-system', 'kube-public']],
] as const) {
  test(`[B-ADM-8] the default, system and public namespaces cannot be deleted (profile ${naming.name})`, async (t) => {
    const {lifecycle} = setUp(naming);
    for (const name of names) {
      const error = await t.throwsAsync(async () => lifecycle.admit(deletion(name)), {
        instanceOf: StatusError,
        message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
      });
      t.is(error.code, 403);
    }
    await t.notThrowsAsync(async () => lifecycle.admit(deletion('team')));
    await t.notThrowsAsync(async () => lifecycle.admit(deletion(naming.nodeLeaseNamespace)));
  });
}

test('a config map of the name of a protected namespace can be deleted', async (t) => {
  const {lifecycle} = setUp();
  await t.notThrowsAsync(async () => lifecycle.admit(admissionRequest({operation: 'DELETE', name: 'default', object: undefined})));
});

test('the usual create reads the namespace once, from the cache', async (t) => {
  const {lifecycle, resources, create} = setUp();
  await create('team');
  const reads: (ReadOptions | undefined)[] = [];
  resources.before = (_verb, _resource, _name, options) => void reads.push(options);
  await lifecycle.admit(admissionRequest());
  t.deepEqual(reads, [{resourceVersion: '0'}]);
});

test('a namespace that the cache does not know yet is looked for in the most recent state', async (t) => {
  const {lifecycle, resources, create} = setUp();
  resources.before = async (verb, _resource, _name, options) => {
    if (verb !== 'get' || options?.resourceVersion !== '0') return;
    resources.before = () => undefined;
    queueMicrotask(() => void create('team'));
    await Promise.resolve();
    throw new StatusError(404, 'NotFound', 'not in the cache');
  };
  await t.notThrowsAsync(async () => lifecycle.admit(admissionRequest()));
});

test('after a delete through this server the cached state of the namespace is not believed', async (t) => {
  const {lifecycle, resources, create} = setUp();
  await create('team');
  await create('other');
  await lifecycle.admit(deletion('team'));
  const reads: string[] = [];
  resources.before = (_verb, _resource, name, options) => void reads.push(`${name} ${options?.resourceVersion ?? 'recent'}`);
  await lifecycle.admit(admissionRequest());
  await lifecycle.admit(admissionRequest({namespace: 'other'}));
  t.deepEqual(reads, ['team 0', 'team recent', 'other 0']);
});

test('a dry run of a delete leaves the cache believed', async (t) => {
  const {lifecycle, resources, create} = setUp();
  await create('team');
  await lifecycle.admit({...deletion('team'), dryRun: true});
  let reads = 0;
  resources.before = () => void (reads += 1);
  await lifecycle.admit(admissionRequest());
  t.is(reads, 1);
});

test('a store that is away makes the create fail with its own error', async (t) => {
  const {lifecycle, resources} = setUp();
  resources.before = () => {
    throw serviceUnavailable('the store is away');
  };
  const error = await t.throwsAsync(async () => lifecycle.admit(admissionRequest()), {instanceOf: StatusError});
  t.is(error.code, 503);
});

test('an unexpected failure is a 500 that keeps its cause', async (t) => {
  const {lifecycle, resources} = setUp();
  const fault = new TypeError('broken');
  resources.before = () => {
    throw fault;
  };
  const error = await t.throwsAsync(async () => lifecycle.admit(admissionRequest()), {instanceOf: StatusError});
  t.is(error.code, 500);
  t.is(error.cause, fault);
});

test('recently deleted names are forgotten after their time and do not pile up', (t) => {
  const names = new RecentNames(100);
  names.add('a', 0);
  names.add('b', 50);
  names.add('a', 60);
  t.true(names.has('a', 159));
  t.false(names.has('b', 151));
  for (let index = 0; index < 1000; index += 1) names.add(`n${index}`, 1000 + index);
  t.true(names.size <= 101);
});
