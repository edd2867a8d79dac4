import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {groupVersions, planets, planetsPlugin} from './versioning-fixture.js';

const names = ['v1', 'v2', 'v1alpha1', 'v3alpha2', 'v1beta1', 'v2beta3'];

test('[B-STAB-1] alpha versions are off by default: all of the platform, and those of plugins that do not say otherwise', async (t) => {
  const plugin = planetsPlugin(
    t,
    names.map((name) => ({name, storage: name === 'v1'})),
  );
  await using server = await startTestServer({plugins: [plugin]});
  t.deepEqual(
    (await groupVersions(server.client)).filter((groupVersion) => groupVersion.includes('alpha')),
    [],
  );
  for (const [version, status] of [
    ['v1', 200],
    ['v2', 200],
    ['v1alpha1', 404],
    ['v3alpha2', 404],
  ] as const)
    t.is((await server.client.get(planets(version))).status, status, version);

  await using on = await startTestServer({plugins: [plugin], runtimeConfig: {'planets.example.com/v3alpha2': true}});
  t.is((await on.client.get(planets('v3alpha2'))).status, 200);
  t.is((await on.client.get(planets('v1alpha1'))).status, 404);
  await using all = await startTestServer({runtimeConfig: {'api/alpha': true}, featureGates: {AllAlpha: true}});
  t.true((await groupVersions(all.client)).filter((groupVersion) => groupVersion.includes('alpha')).length >= 5);
});

test('[B-STAB-2] the beta version that is older than release 1.22 is on by default', async (t) => {
  await using server = await startTestServer();
  t.true((await groupVersions(server.client)).includes('storage.orch/v1beta1'));
  t.is((await server.client.get('/apis/storage.orch/v1beta1/csistoragecapacities')).status, 200);
});

test('[B-STAB-3] beta versions of plugins are newer than release 1.22, so they are off until they are turned on', async (t) => {
  const plugin = planetsPlugin(
    t,
    names.map((name) => ({name, storage: name === 'v1'})),
  );
  await using server = await startTestServer({plugins: [plugin]});
  const {client} = server;
  t.deepEqual(
    (await groupVersions(client)).filter((groupVersion) => groupVersion.startsWith('planets.')),
    ['planets.example.com/v2', 'planets.example.com/v1'],
  );
  for (const version of ['v1beta1', 'v2beta3']) t.is((await client.get(planets(version))).status, 404, version);

  await using on = await startTestServer({plugins: [plugin], runtimeConfig: {'planets.example.com/v2beta3': true}});
  t.is((await on.client.get(planets('v2beta3'))).status, 200);
  t.is((await on.client.get(planets('v1beta1'))).status, 404);
});

test('a plugin may say of each version whether it is served by default, and --runtime-config has the last word', async (t) => {
  const plugin = planetsPlugin(t, [
    {name: 'v1', storage: true},
    {name: 'v2', served: false},
    {name: 'v1beta1', served: true},
  ]);
  await using server = await startTestServer({plugins: [plugin]});
  for (const [version, status] of [
    ['v1', 200],
    ['v2', 404],
    ['v1beta1', 200],
  ] as const)
    t.is((await server.client.get(planets(version))).status, status, version);
  await using changed = await startTestServer({plugins: [plugin], runtimeConfig: {'api/beta': false, 'planets.example.com/v2': true}});
  for (const [version, status] of [
    ['v1', 200],
    ['v2', 200],
    ['v1beta1', 404],
  ] as const)
    t.is((await changed.client.get(planets(version))).status, status, version);
});
