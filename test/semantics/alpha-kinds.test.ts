import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {tempFolder} from '../helpers/temp-folder.js';
import {causesOf} from '../plugins/resources/served-group.js';
import {answer} from './answers.js';

const at = (release: string, dataDir: string): Promise<TestServer> =>
  startTestServer({
    platform: 'kubernetes',
    store: 'embedded',
    dataDir,
    release,
    runtimeConfig: {'api/all': true},
    featureGates: {StorageVersionMigrator: true},
    // Nobody carries the migrations out.
    controllers: ['*', '-storage-version-migrator-controller'],
  });

test('a candidate of v1alpha1 has a list of strategies, of which later versions show the first', async (t) => {
  const dataDir = tempFolder(t);
  const path = (version: string) => `/apis/coordination.k8s.io/${version}/namespaces/default/leasecandidates`;
  const spec = {leaseName: 'l', binaryVersion: '1.31.0', emulationVersion: '1.30.0', preferredStrategies: ['OldestEmulationVersion']};
  {
    await using server = await at('1.31', dataDir);
    const {client} = server;
    const made = answer<{spec: object}>(t, await client.post(path('v1alpha1'), {metadata: {name: 'one'}, spec}), 201);
    t.deepEqual(made.spec, spec);
    t.is((await client.get(path('v1alpha2'))).status, 404);
    t.deepEqual(
      causesOf(
        await client.post(path('v1alpha1'), {metadata: {name: 'two'}, spec: {preferredStrategies: ['OldestEmulationVersion', 'No']}}),
      ),
      [
        'spec.leaseName: Required value',
        "spec.binaryVersion: Required value: must be specified when `strategy` is 'OldestEmulationVersion'",
        "spec.emulationVersion: Required value: must be specified when `strategy` is 'OldestEmulationVersion'",
        'spec.preferredStrategies[1].strategy: Unsupported value: "No": supported values: "OldestEmulationVersion"',
      ],
    );
  }
  await using server = await at('1.32', dataDir);
  const {preferredStrategies: _preferred, ...rest} = spec;
  const read = answer<{spec: object}>(t, await server.client.get(`${path('v1alpha2')}/one`), 200);
  t.deepEqual(read.spec, {...rest, strategy: 'OldestEmulationVersion'});
});

test('a migration of v1alpha1 names a version, and is shown without it by later versions', async (t) => {
  const dataDir = tempFolder(t);
  const path = (version: string) => `/apis/storagemigration.k8s.io/${version}/storageversionmigrations`;
  const resource = {group: 'apps', version: 'v1', resource: 'deployments'};
  const time = '2026-01-01T00:00:00Z';
  const running = {type: 'Running', status: 'True', reason: 'Started', message: 'on it'};
  {
    await using server = await at('1.34', dataDir);
    const {client} = server;
    const faulty = causesOf(await client.post(path('v1alpha1'), {metadata: {name: 'none'}, spec: {resource: {}}}));
    t.deepEqual(faulty, [
      'spec.resource.resource: Required value: resource is required',
      'spec.resource.version: Required value: version is required',
    ]);
    answer(t, await client.post(path('v1alpha1'), {metadata: {name: 'one'}, spec: {resource}}), 201);
    t.deepEqual(causesOf(await client.patch(`${path('v1alpha1')}/one`, {spec: {resource: {version: 'v2'}}})), [
      'version: Invalid value: "v2": field is immutable',
    ]);
    const status = {resourceVersion: '-1', conditions: [running, {...running, type: 'Succeeded', reason: 'Done', lastUpdateTime: time}]};
    t.deepEqual(
      causesOf(await client.patch(`${path('v1alpha1')}/one/status`, {status})).map((text) => text.replace(/\[\{.*\}\]/, '[…]')),
      [
        'status.resourceVersion: Invalid value: -1: must be greater than or equal to 0',
        'status.conditions[0].lastTransitionTime: Required value',
        'status.conditions: Invalid value: […]: Running condition cannot be true when success condition is true',
      ],
    );
    const sound = {resourceVersion: '7', conditions: [{...running, lastUpdateTime: time}]};
    answer(t, await client.patch(`${path('v1alpha1')}/one/status`, {status: sound}), 200);
    const headers = {accept: 'application/json;as=Table;v=v1;g=meta.k8s.io'};
    const table = (await client.get(`${path('v1alpha1')}/one`, {headers})).json<{rows: {cells: unknown[]}[]}>();
    t.deepEqual(table.rows[0]!.cells, ['one', 'deployments.v1.apps']);
  }
  await using server = await at('1.35', dataDir);
  const read = answer<{spec: object; status: object}>(t, await server.client.get(`${path('v1beta1')}/one`), 200);
  t.deepEqual(read.spec, {resource: {group: 'apps', resource: 'deployments'}});
  t.deepEqual(read.status, {resourceVersion: '7', conditions: [{...running, lastTransitionTime: time}]});
});
