import test from 'ava';
import {createHash} from 'node:crypto';
import {startTestServer} from '@orch-api/orch/testing';
import {warningsOf} from './answers.js';
import {groupVersions, planets, planetsGroup, planetsPlugin} from './versioning-fixture.js';

interface Group {
  readonly preferredVersion: {readonly version: string};
}

interface Resource {
  readonly name: string;
  readonly storageVersionHash: string;
}

test('[B-DEPR-6] flow control stores the version that the release before served, and prefers the new one as release 1.26 does', async (t) => {
  await using server = await startTestServer();
  const {client} = server;
  const root = '/apis/flowcontrol.apiserver.orch';
  t.is((await client.get(root)).json<Group>().preferredVersion.version, 'v1beta3');
  for (const version of ['v1beta2', 'v1beta3']) {
    const {resources} = (await client.get(`${root}/${version}`)).json<{resources: Resource[]}>();
    for (const [name, kind] of [
      ['flowschemas', 'FlowSchema'],
      ['prioritylevelconfigurations', 'PriorityLevelConfiguration'],
    ] as const) {
      const stored = createHash('sha256').update(`flowcontrol.apiserver.orch/v1beta2/${kind}`).digest().subarray(0, 8).toString('base64');
      t.is(resources.find((resource) => resource.name === name)?.storageVersionHash, stored, `${version} ${name}`);
    }
  }
});

test('[B-STAB-2] [B-STAB-3] whether a beta version is on by default follows from the release that introduced it', async (t) => {
  const plugin = planetsPlugin(t, [
    {name: 'v1', storage: true},
    {name: 'v1beta1', lifetime: {introduced: '1.21', deprecated: '1.24', removed: '1.27'}},
    {name: 'v1beta2', lifetime: {introduced: '1.22', deprecated: '1.25'}},
    {name: 'v1alpha1', lifetime: {introduced: '1.10'}},
  ]);
  await using server = await startTestServer({plugins: [plugin]});
  const served = (await groupVersions(server.client)).filter((groupVersion) => groupVersion.startsWith(planetsGroup));
  t.deepEqual(served, [`${planetsGroup}/v1`, `${planetsGroup}/v1beta1`]);
});

test('a version whose time is over is not served, whatever the manifest and --runtime-config say, and what it stored is read through the others', async (t) => {
  const plugin = planetsPlugin(t, [
    {name: 'v1'},
    {
      name: 'v1beta1',
      storage: true,
      served: true,
      lifetime: {introduced: '1.20', deprecated: '1.23', removed: '1.26', replacedBy: `${planetsGroup}/v1`},
    },
    {name: 'v1beta2', served: true, lifetime: {introduced: '1.21', deprecated: '1.24', removed: '1.27', replacedBy: `${planetsGroup}/v1`}},
  ]);
  await using server = await startTestServer({plugins: [plugin], runtimeConfig: {[`${planetsGroup}/v1beta1`]: true, 'api/all': true}});
  const {client} = server;
  t.is((await client.get(planets('v1beta1'))).status, 404);
  t.false((await groupVersions(client)).includes(`${planetsGroup}/v1beta1`));
  t.is((await client.get(planets('v1beta2'))).status, 200);
  t.is((await client.post(planets('v1'), {metadata: {name: 'mars'}, spec: {moons: 2}})).status, 201);
  t.is((await client.get(planets('v1beta2', 'mars'))).json<{apiVersion: string}>().apiVersion, `${planetsGroup}/v1beta2`);
});

test('[B-DEPR-7] the warning of a deprecated version follows from its lifetime, in the names that clients see', async (t) => {
  const replaced = {introduced: '1.22', deprecated: '1.25', removed: '1.28', replacedBy: `${planetsGroup}/v1`};
  const plugin = planetsPlugin(t, [
    {name: 'v1', storage: true, lifetime: {introduced: '1.22', deprecated: '1.27'}},
    {name: 'v2', lifetime: {introduced: '1.22', deprecated: '1.26'}},
    {name: 'v1beta1', served: true, lifetime: replaced},
    {name: 'v1beta2', served: true, lifetime: replaced, deprecationWarning: 'use v1, please'},
    {name: 'v1beta3', served: true, lifetime: replaced, deprecated: false},
  ]);
  await using server = await startTestServer({plugins: [plugin], platform: 'kubernetes', release: '1.26'});
  for (const [version, expected] of [
    ['v1', []],
    ['v2', ['planets.example.com/v2 Planet is deprecated in v1.26+']],
    ['v1beta1', ['planets.example.com/v1beta1 Planet is deprecated in v1.25+, unavailable in v1.28+; use planets.example.com/v1 Planet']],
    ['v1beta2', ['use v1, please']],
    ['v1beta3', []],
  ] as const) {
    t.deepEqual(warningsOf(await server.client.get(planets(version))), expected, version);
  }
  const capacities = await server.client.get('/apis/storage.k8s.io/v1beta1/csistoragecapacities');
  t.deepEqual(warningsOf(capacities), [
    'storage.k8s.io/v1beta1 CSIStorageCapacity is deprecated in v1.24+, unavailable in v1.27+; use storage.k8s.io/v1 CSIStorageCapacity',
  ]);
});
