import test from 'ava';
import {kubernetes} from '../../../core/api/naming/kubernetes.js';
import {LocalClient} from '../../../core/registry/local/local-client.js';
import {createServer} from '../../../core/server/index.js';
import {everyObject} from '../../../plugins/controllers/storage-version-migrator/every-object.js';
import type {ApiObject} from '../../../sdk/index.js';
import {startTestServer, type ServerOptions, type TestClient, type TestServer} from '@orch-api/orch/testing';
import {EncryptionConfigurationFile, provider} from '../../helpers/encryption-configuration.js';
import {testOnEachStore} from '../../helpers/each-store.js';
import {eventually, until} from '../../helpers/eventually.js';
import {startRedis} from '../../helpers/redis-server.js';
import {tempFolder} from '../../helpers/temp-folder.js';

const controller = 'storage-version-migrator-controller';
const settings = {
  platform: 'kubernetes',
  release: '1.36',
  featureGates: {StorageVersionMigrator: true},
  runtimeConfig: {'storagemigration.k8s.io/v1beta1': true},
  controllers: [controller],
} satisfies ServerOptions;
const storeTest = testOnEachStore(settings);
const migrations = '/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const secrets = '/api/v1/namespaces/default/secrets';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}
interface Migration {
  readonly metadata: {readonly creationTimestamp: string};
  readonly status: {readonly resourceVersion?: string; readonly conditions?: readonly Condition[]};
}
interface Definition {
  readonly status: {readonly storedVersions: readonly string[]; readonly conditions: readonly Condition[]};
}
interface Listed {
  readonly metadata: {readonly resourceVersion: string};
  readonly items: readonly {
    readonly metadata: {readonly name: string; readonly resourceVersion: string; readonly managedFields?: unknown};
  }[];
}

const said = ({type, status, reason, message}: Condition) => `${type}=${status} ${reason}: ${message}`;

async function migrate(client: TestClient, name: string, resource: object, url = migrations): Promise<void> {
  const made = await client.post(url, {metadata: {name}, spec: {resource}});
  if (made.status !== 201) throw new Error(made.body.toString());
}

/** Waits until a migration has ended and does not run any more. */
function ended(client: TestClient, name: string, url = migrations): Promise<Migration> {
  return until(`${name} ends`, async () => {
    const migration = (await client.get(`${url}/${name}`)).json<Migration>();
    const {conditions = []} = migration.status ?? {};
    const isOver = conditions.some(({type, status}) => type !== 'Running' && status === 'True');
    return isOver && !conditions.some(({type, status}) => type === 'Running' && status === 'True') && migration;
  });
}

async function versionsOf(client: TestClient, url: string): Promise<Map<string, number>> {
  const {items} = (await client.get(url)).json<Listed>();
  return new Map(items.map(({metadata}) => [metadata.name, Number(metadata.resourceVersion)]));
}

const versionOf = (name: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  schema: {openAPIV3Schema: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}},
});

function definitionOf(group: string, storage: string): object {
  return {
    metadata: {name: `widgets.${group}`},
    spec: {
      group,
      scope: 'Namespaced',
      names: {plural: 'widgets', kind: 'Widget'},
      versions: ['v1', 'v2'].map((name) => versionOf(name, name === storage)),
    },
  };
}

storeTest(
  'custom objects of an older storage version are written again and others left alone; the definition has one stored version then',
  async (t, {client, namespace}) => {
    const group = `${namespace}.example.com`;
    const at = `${definitions}/widgets.${group}`;
    const widgets = `/apis/${group}/v2/namespaces/${namespace}/widgets`;
    const create = (name: string) =>
      eventually(
        () => client.post(widgets, {apiVersion: `${group}/v2`, kind: 'Widget', metadata: {name}, spec: {size: 1}}),
        ({status}) => status === 201,
      );
    t.is((await client.post(definitions, definitionOf(group, 'v1'))).status, 201);
    for (const name of ['a', 'b', 'c']) await create(name);
    const storage = {spec: (definitionOf(group, 'v2') as {spec: object}).spec};
    t.is((await client.patch(at, storage)).status, 200);
    await until('v2 is stored', async () => (await client.get(at)).json<Definition>().status.storedVersions.includes('v2'));
    // Writing it changes nothing but how it is stored: once that has come about, the definition is in effect.
    await eventually(
      async () => {
        const before = (await versionsOf(client, widgets)).get('a');
        await client.patch(`${widgets}/a`, {spec: {size: 1}});
        return (await versionsOf(client, widgets)).get('a') !== before;
      },
      (isWritten) => isWritten,
    );
    const before = await versionsOf(client, widgets);
    await migrate(client, namespace, {group, resource: 'widgets'});
    const {status} = await ended(client, namespace);
    t.deepEqual(status.conditions!.map(said), [
      'Running=False MigrationCompleted: Migration completed',
      'Succeeded=True StorageVersionMigrationSucceeded: ',
    ]);
    const after = await versionsOf(client, widgets);
    t.is(after.get('a'), before.get('a'), 'it was in the storage version');
    for (const name of ['b', 'c']) t.true(after.get(name)! > Number(status.resourceVersion), name);
    const definition = (await client.get(at)).json<Definition>();
    t.deepEqual(definition.status.storedVersions, ['v2']);
    t.deepEqual(definition.status.conditions.filter(({type}) => type === 'StorageMigrating').map(said), [
      'StorageMigrating=False MigrationSucceeded: The migration has succeeded and the stored versions have been updated',
    ]);
    const [widget] = (await client.get(widgets)).json<Listed>().items;
    t.false(JSON.stringify(widget!.metadata.managedFields).includes(controller), 'who writes comes to own nothing');
  },
);

storeTest('a type that cannot be migrated fails, one that is not there after a minute', async (t, {start}) => {
  const server = await start();
  const {client} = server;
  await migrate(client, 'fixed', {resource: 'componentstatuses'});
  await migrate(client, 'missing', {group: 'apps', resource: 'widgets'});
  t.deepEqual((await ended(client, 'fixed')).status.conditions!.map(said), [
    'Running=False MigrationCompleted: Migration completed',
    'Failed=True StorageVersionMigrationFailed: resource "/v1, Resource=componentstatuses" does not support discovery operations: [update patch list]',
  ]);
  t.deepEqual((await client.get(`${migrations}/missing`)).json<Migration>().status.conditions!.map(said), [
    'Running=True MigrationRunning: The migration is running',
  ]);
  await server.advance(61_000);
  t.is(
    said((await ended(client, 'missing')).status.conditions![1]!),
    'Failed=True StorageVersionMigrationFailed: resource does not exist in discovery',
  );
});

storeTest('an object that may not be written again makes its migration fail, with the reason', async (t, {client, namespace}) => {
  const policies = '/apis/admissionregistration.k8s.io/v1';
  const rule = {apiGroups: ['policy'], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['poddisruptionbudgets']};
  t.is(
    (await client.post(`/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`, {metadata: {name: 'kept'}, spec: {}})).status,
    201,
  );
  const policy = {matchConstraints: {resourceRules: [rule]}, validations: [{expression: 'false', message: 'it stays'}]};
  await client.post(`${policies}/validatingadmissionpolicies`, {metadata: {name: namespace}, spec: policy});
  const spec = {policyName: namespace, validationActions: ['Deny']};
  await client.post(`${policies}/validatingadmissionpolicybindings`, {metadata: {name: namespace}, spec});
  const at = `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets/kept`;
  await eventually(
    () => client.patch(at, {metadata: {labels: {a: 'b'}}}),
    ({status}) => status === 422,
  );
  await migrate(client, namespace, {group: 'policy', resource: 'poddisruptionbudgets'});
  t.is(
    said((await ended(client, namespace)).status.conditions![1]!),
    'Failed=True StorageVersionMigrationFailed: migration encountered unhandled error: poddisruptionbudgets.policy "kept" is forbidden: ' +
      `ValidatingAdmissionPolicy '${namespace}' with binding '${namespace}' denied request: it stays`,
  );
});

storeTest('migrations of a type run one after the other, the oldest first', async (t, {start}) => {
  const server = await start();
  const {client} = server;
  // Nothing can be done for these yet: the first one runs until it fails.
  for (const name of ['one', 'two', 'three']) await migrate(client, name, {group: 'example.com', resource: 'widgets'});
  const states = async () =>
    ['one', 'two', 'three'].map(async (name) => {
      const {status} = (await client.get(`${migrations}/${name}`)).json<Migration>();
      return (status?.conditions ?? [])
        .filter((condition) => condition.status === 'True')
        .map(({type}) => type)
        .join();
    });
  const seen = async () => (await Promise.all(await states())).toSorted().join(' ');
  await eventually(seen, (text) => text === '  Running');
  await server.advance(61_000);
  // The others have waited long enough by then.
  await eventually(seen, (text) => text === 'Failed Failed Failed');
  t.pass();
});

test('a migration of v1alpha1 names the version too, and has the conditions of its releases', async (t) => {
  await using server = await startTestServer({...settings, release: '1.34', runtimeConfig: {'storagemigration.k8s.io/v1alpha1': true}});
  const {client} = server;
  const url = '/apis/storagemigration.k8s.io/v1alpha1/storageversionmigrations';
  t.is((await client.post(secrets, {metadata: {name: 's'}})).status, 201);
  await migrate(client, 'done', {version: 'v1', resource: 'secrets'}, url);
  await migrate(client, 'missing', {version: 'v2', resource: 'secrets'}, url);
  t.deepEqual((await ended(client, 'done', url)).status.conditions!.map(said), [
    'Running=False StorageVersionMigrationInProgress: undefined',
    'Succeeded=True StorageVersionMigrationSucceeded: undefined',
  ]);
  t.deepEqual((await ended(client, 'missing', url)).status.conditions!.map(said), [
    'Failed=True StorageVersionMigrationFailed: resource does not exist in discovery',
  ]);
});

const places: Readonly<Record<string, (t: Parameters<typeof startRedis>[0]) => Promise<string | undefined>>> = {
  embedded: () => Promise.resolve(undefined),
  redis: async (t) => (await startRedis(t)).url,
};

for (const [store, place] of Object.entries(places))
  test(`a migration that a restart interrupts goes on; secrets are encrypted with the new key afterwards (${store})`, async (t) => {
    const dataDir = tempFolder(t);
    const file = new EncryptionConfigurationFile(t, ['secrets'], provider('aesgcm', 'key1'));
    const url = await place(t);
    const options = {...settings, store: url ?? 'embedded', ...(url ? {} : {dataDir}), encryptionProviderConfig: file.path};
    const names = Array.from({length: 40}, (_, index) => `s${String(index).padStart(2, '0')}`);
    const first = await startTestServer({...options, controllers: ['-*']});
    for (const name of names) t.is((await first.client.post(secrets, {metadata: {name}})).status, 201);
    const before = await versionsOf(first.client, secrets);
    await first.stop();

    file.write(['secrets'], provider('aesgcm', 'key2', 'key1'));
    const second = await startTestServer(options);
    const written = async (server: TestServer) =>
      [...(await versionsOf(server.client, secrets))].filter(([name, version]) => version > before.get(name)!);
    const slow = second.faults.storeSlow(50);
    await migrate(second.client, 'm', {resource: 'secrets'});
    await until('some are written', async () => (await written(second)).length > 2);
    await second.stop();
    slow.end();

    await using third = await startTestServer(options);
    await ended(third.client, 'm');
    t.is((await written(third)).length, names.length);

    // Once more there is nothing to do.
    const versions = await versionsOf(third.client, secrets);
    await migrate(third.client, 'again', {resource: 'secrets'});
    await ended(third.client, 'again');
    t.deepEqual(await versionsOf(third.client, secrets), versions);
  });

test('all objects of a type are looked at, also if a page takes longer than the state of the first one is kept', async (t) => {
  const {controllers: _none, ...same} = settings;
  const server = await createServer({
    ...same,
    store: 'memory',
    securePort: 0,
    dataDir: tempFolder(t),
    controllers: ['-*'],
    enableTestingApi: true,
  });
  t.teardown(() => server.stop());
  await server.start();
  const user = {username: 'test', groups: ['system:masters', 'system:authenticated']};
  const resources = new LocalClient(user, kubernetes, {registry: server.registry!});
  const configMaps = {group: '', version: 'v1', resource: 'configmaps'};
  const create = (name: string) => resources.create(configMaps, 'default', {metadata: {name}} as ApiObject);
  for (let index = 0; index < 1002; index += 1) await create(`m${String(index).padStart(4, '0')}`);
  const seen: string[] = [];
  for await (const {metadata} of everyObject(resources, configMaps)) {
    if (metadata.namespace === 'default') seen.push(metadata.name!);
    if (seen.length % 400 === 0) await server.testing!.advance(400_000);
    if (seen.length === 100) await create('m0001a');
    if (seen.length === 400) await create('m0900a');
  }
  t.is(seen.length, 1003);
  t.true(seen.includes('m0900a'), 'the rest is as it is by then');
});
