import test, {type ExecutionContext} from 'ava';
import type {JsonObject} from '@orch-api/orch/sdk';
import {startTestServer, type ServerOptions, type TestClient} from '@orch-api/orch/testing';
import {tempFolder} from '../helpers/temp-folder.js';
import {answer, warningsOf} from './answers.js';
import {namesOf, type ReadList, type ReadObject} from './fixtures.js';
import {planets, planetsGroup, planetsPlugin} from './versioning-fixture.js';

/** Starts servers one after another on one data directory. */
function generations(t: ExecutionContext) {
  const dataDir = tempFolder(t, 'orch-generations-');
  return async (options: ServerOptions, work: (client: TestClient) => Promise<void>): Promise<void> => {
    await using server = await startTestServer({store: 'embedded', dataDir, ...options});
    await work(server.client);
  };
}

const withVersion = (object: ReadObject, apiVersion: string): ReadObject => ({...object, apiVersion});

test('[B-DEPR-5] what was persisted in an older version is read through every version that is served, one by one, in lists, in a watch, and after a write', async (t) => {
  const run = generations(t);
  let old: ReadObject;
  await run({plugins: [planetsPlugin(t, [{name: 'v1beta1', served: true, storage: true}])]}, async (client) => {
    old = answer<ReadObject>(t, await client.post(planets('v1beta1'), {metadata: {name: 'mars'}, spec: {moons: 2}}), 201);
  });
  const versions = ['v2', 'v1', 'v1beta1'];
  const next = planetsPlugin(t, [{name: 'v1beta1', served: true, deprecated: true}, {name: 'v1'}, {name: 'v2', storage: true}]);
  await run({plugins: [next]}, async (client) => {
    const since = answer<ReadList>(t, await client.get(planets('v2')), 200).metadata.resourceVersion;
    for (const version of versions) {
      const apiVersion = `${planetsGroup}/${version}`;
      t.deepEqual(withVersion(answer<ReadObject>(t, await client.get(planets(version, 'mars')), 200), ''), withVersion(old, ''), version);
      const list = answer<ReadList>(t, await client.get(planets(version)), 200);
      t.deepEqual([list.apiVersion, namesOf(list)], [apiVersion, ['mars']]);
      const events = client.watch(`${planets(version)}?watch=1`);
      const {value} = await events.next();
      await events.return(undefined);
      t.is((value as {type: string}).type, 'ADDED');
      t.deepEqual((value as {object: ReadObject}).object, answer<ReadObject>(t, await client.get(planets(version, 'mars')), 200));
      t.is((value as {object: ReadObject}).object.apiVersion, apiVersion);
    }
    answer(t, await client.patch(planets('v2', 'mars'), {metadata: {labels: {seen: 'yes'}}}), 200);
    for (const version of versions) {
      const events = client.watch(`${planets(version)}?watch=1&resourceVersion=${since}`);
      const {value} = await events.next();
      await events.return(undefined);
      const changed = answer<ReadObject>(t, await client.get(planets(version, 'mars')), 200);
      t.deepEqual(value, {type: 'MODIFIED', object: changed});
      t.deepEqual(
        [changed.apiVersion, changed.metadata.uid, changed.metadata.labels, changed.spec],
        [`${planetsGroup}/${version}`, old.metadata.uid, {seen: 'yes'}, {moons: 2}],
      );
    }
  });
});

test('[B-REM-27] what was persisted through a version stays readable and can be changed through the version that replaces it once it is gone', async (t) => {
  const run = generations(t);
  const levels = (version: string) => `/apis/flowcontrol.apiserver.orch/${version}/prioritylevelconfigurations`;
  const capacities = (version: string) => `/apis/storage.orch/${version}/namespaces/default/csistoragecapacities`;
  const shares = {limitResponse: {type: 'Reject'}};
  await run({}, async (client) => {
    const level = {metadata: {name: 'older'}, spec: {type: 'Limited', limited: {assuredConcurrencyShares: 12, ...shares}}};
    answer(t, await client.post(levels('v1beta2'), level), 201);
    answer(t, await client.post(capacities('v1beta1'), {metadata: {name: 'older'}, storageClassName: 'fast', capacity: '3Gi'}), 201);
  });
  const removed = {runtimeConfig: {'flowcontrol.apiserver.orch/v1beta2': false, 'storage.orch/v1beta1': false}};
  for (const expected of [12, 13]) {
    await run(removed, async (client) => {
      t.is((await client.get(`${levels('v1beta2')}/older`)).status, 404);
      t.is((await client.get(`${capacities('v1beta1')}/older`)).status, 404);
      const level = answer<ReadObject>(t, await client.get(`${levels('v1beta3')}/older`), 200);
      t.is(level.apiVersion, 'flowcontrol.apiserver.orch/v1beta3');
      t.like(level.spec, {limited: {nominalConcurrencyShares: expected}});
      t.false(JSON.stringify(level.spec).includes('assuredConcurrencyShares'));
      t.true(namesOf(answer<ReadList>(t, await client.get(levels('v1beta3')), 200)).includes('older'));
      t.like(answer<object>(t, await client.get(`${capacities('v1')}/older`), 200), {
        apiVersion: 'storage.orch/v1',
        storageClassName: 'fast',
        capacity: '3Gi',
      });
      answer(t, await client.patch(`${levels('v1beta3')}/older`, {spec: {limited: {nominalConcurrencyShares: 13}}}), 200);
    });
  }
});

test('[B-REM-27] a version that was the only one may go with the next generation of its plugin', async (t) => {
  const run = generations(t);
  let old: ReadObject;
  await run({plugins: [planetsPlugin(t, [{name: 'v1beta1', served: true, storage: true}])]}, async (client) => {
    old = answer<ReadObject>(t, await client.post(planets('v1beta1'), {metadata: {name: 'pluto'}, spec: {moons: 5}}), 201);
  });
  await run({plugins: [planetsPlugin(t, [{name: 'v1', storage: true}])]}, async (client) => {
    t.is((await client.get(planets('v1beta1', 'pluto'))).status, 404);
    t.deepEqual(answer<ReadObject>(t, await client.get(planets('v1', 'pluto')), 200), withVersion(old, `${planetsGroup}/v1`));
    t.deepEqual(namesOf(answer<ReadList>(t, await client.get(planets('v1')), 200)), ['pluto']);
    t.like(answer<ReadObject>(t, await client.patch(planets('v1', 'pluto'), {spec: {moons: 6}}), 200), {
      apiVersion: `${planetsGroup}/v1`,
      spec: {moons: 6},
    });
  });
});

test('[B-DEPR-3] what only the newer version has is kept when an object is read, changed and written back in the older one', async (t) => {
  await using server = await startTestServer();
  const {client} = server;
  const scalers = (version: string) => `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
  const metrics = [
    {type: 'Resource', resource: {name: 'memory', target: {type: 'AverageValue', averageValue: '200Mi'}}},
    {type: 'External', external: {metric: {name: 'queue', selector: {matchLabels: {of: 'mail'}}}, target: {type: 'Value', value: '30'}}},
    {type: 'Resource', resource: {name: 'cpu', target: {type: 'Utilization', averageUtilization: 60}}},
  ];
  const behavior = {
    scaleDown: {stabilizationWindowSeconds: 60, selectPolicy: 'Min', policies: [{type: 'Pods', value: 1, periodSeconds: 30}]},
  };
  const spec = {
    scaleTargetRef: {apiVersion: 'apps/v1', kind: 'Deployment', name: 'web'},
    minReplicas: 1,
    maxReplicas: 5,
    metrics,
    behavior,
  };
  const made = answer<ReadObject>(t, await client.post(scalers('v2'), {metadata: {name: 'web'}, spec}), 201);
  const older = answer<ReadObject>(t, await client.get(`${scalers('v1')}/web`), 200);
  t.like(older, {apiVersion: 'autoscaling/v1', spec: {maxReplicas: 5, targetCPUUtilizationPercentage: 60}});
  t.deepEqual(
    ['metrics', 'behavior'].map((field) => Object.hasOwn(older.spec!, field)),
    [false, false],
  );
  answer(
    t,
    await client.put(`${scalers('v1')}/web`, {...older, spec: {...older.spec, maxReplicas: 9, targetCPUUtilizationPercentage: 70}}),
    200,
  );
  const newer = answer<ReadObject>(t, await client.get(`${scalers('v2')}/web`), 200);
  const changed = metrics.with(2, {type: 'Resource', resource: {name: 'cpu', target: {type: 'Utilization', averageUtilization: 70}}});
  t.deepEqual(newer.spec, {...made.spec, maxReplicas: 9, metrics: changed} as JsonObject);
  t.deepEqual(newer.metadata.annotations, made.metadata.annotations);
});

test('a version that its manifest calls deprecated answers every request with a warning, the version beside it with none', async (t) => {
  const plugin = planetsPlugin(t, [
    {name: 'v1', storage: true},
    {name: 'v1beta1', served: true, deprecated: true},
  ]);
  await using server = await startTestServer({plugins: [plugin]});
  const {client} = server;
  for (const [version, expected] of [
    ['v1', []],
    ['v1beta1', ['planets.example.com/v1beta1 Planet is deprecated; use planets.example.com/v1 Planet']],
  ] as const) {
    const responses = [
      await client.post(planets(version), {metadata: {name: version}}),
      await client.get(planets(version, version)),
      await client.get(planets(version)),
      await client.patch(planets(version, version), {spec: {moons: 1}}),
      await client.delete(planets(version, version)),
    ];
    for (const response of responses) t.deepEqual(warningsOf(response), expected, `${version}: ${response.status}`);
  }
});
