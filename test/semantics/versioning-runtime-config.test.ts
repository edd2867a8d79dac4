import test, {type ExecutionContext} from 'ava';
import {startTestServer, type ServerOptions, type TestClient} from '@orch-api/orch/testing';
import {tempFolder} from '../helpers/temp-folder.js';
import {answer, assertFailure} from './answers.js';
import {configMap, namesOf, type ReadList, type ReadObject} from './fixtures.js';
import {groupVersions, resourcesOf} from './versioning-fixture.js';

async function start(t: ExecutionContext, options: ServerOptions = {}): Promise<TestClient> {
  const server = await startTestServer(options);
  t.teardown(() => server.stop());
  return server.client;
}

const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const budget = {metadata: {name: 'kept'}, spec: {maxUnavailable: 1, selector: {matchLabels: {app: 'x'}}}};

test('[B-GRP-1] the core group is served under /api/v1, and all that is read there is of the version v1', async (t) => {
  const client = await start(t);
  t.deepEqual(answer<{versions: string[]}>(t, await client.get('/api'), 200).versions, ['v1']);
  const readable = (await resourcesOf(client, '/api/v1')).filter(({verbs}) => verbs.includes('list'));
  t.true(readable.length > 10);
  for (const {name} of readable) t.is(answer<ReadList>(t, await client.get(`/api/v1/${name}`), 200).apiVersion, 'v1', name);
  const {apiVersion: _, ...body} = configMap('plain');
  t.is(answer<ReadObject>(t, await client.post('/api/v1/namespaces/default/configmaps', body), 201).apiVersion, 'v1');
  t.is(answer<ReadObject>(t, await client.get('/api/v1/namespaces/default/configmaps/plain'), 200).apiVersion, 'v1');
  assertFailure(t, await client.post('/api/v1/namespaces/default/configmaps', {...body, apiVersion: 'core/v1'}), 400, 'BadRequest');
  for (const path of ['/apis/v1/namespaces', '/apis/core/v1/namespaces', '/api/v2/namespaces'])
    t.is((await client.get(path)).status, 404, path);
});

test('[B-GRP-2] a named group is served under /apis, and what is read there is of the group version of the path', async (t) => {
  const client = await start(t);
  const all = await groupVersions(client);
  t.true(all.length > 15);
  for (const groupVersion of all) {
    for (const {name, verbs} of await resourcesOf(client, `/apis/${groupVersion}`)) {
      if (!verbs.includes('list')) continue;
      t.is(answer<ReadList>(t, await client.get(`/apis/${groupVersion}/${name}`), 200).apiVersion, groupVersion, name);
    }
  }
  t.is(answer<ReadObject>(t, await client.post(budgets, budget), 201).apiVersion, 'policy/v1');
  t.is(answer<ReadObject>(t, await client.get(`${budgets}/kept`), 200).apiVersion, 'policy/v1');
  t.is((await client.get('/api/policy/v1/poddisruptionbudgets')).status, 404);
  assertFailure(t, await client.post(budgets, {...budget, apiVersion: 'v1'}), 400, 'BadRequest');
});

test('[B-GRP-4] a group version that is set to false is neither served nor listed; another one of the group is', async (t) => {
  const client = await start(t, {runtimeConfig: ['autoscaling/v2=false,policy/v1=false']});
  const listed = await groupVersions(client);
  t.true(listed.includes('autoscaling/v1'));
  t.false(listed.some((groupVersion) => groupVersion === 'autoscaling/v2' || groupVersion.startsWith('policy/')));
  const group = answer<{versions: object[]; preferredVersion: {version: string}}>(t, await client.get('/apis/autoscaling'), 200);
  t.deepEqual([group.versions.length, group.preferredVersion.version], [1, 'v1']);
  for (const path of [
    '/apis/autoscaling/v2',
    '/apis/autoscaling/v2/horizontalpodautoscalers',
    '/apis/policy',
    '/apis/policy/v1',
    budgets,
    `${budgets}/x`,
  ]) {
    t.is((await client.get(path)).status, 404, path);
  }
  t.is((await client.post(budgets, budget)).status, 404);
  t.is((await client.get('/apis/autoscaling/v1/horizontalpodautoscalers')).status, 200);
  const {paths} = answer<{paths: Record<string, object>}>(t, await client.get('/openapi/v3'), 200);
  t.deepEqual(
    ['apis/autoscaling/v1', 'apis/autoscaling/v2', 'apis/policy/v1'].map((path) => Object.hasOwn(paths, path)),
    [true, false, false],
  );
  const aggregated = await client.get('/apis', {
    headers: {accept: 'application/json;g=apidiscovery.orch;v=v2beta1;as=APIGroupDiscoveryList'},
  });
  const {items} = answer<{items: {metadata: {name: string}; versions: {version: string}[]}[]}>(t, aggregated, 200);
  t.deepEqual(
    items.find(({metadata}) => metadata.name === 'autoscaling')?.versions.map(({version}) => version),
    ['v1'],
  );
  t.false(items.some(({metadata}) => metadata.name === 'policy'));
});

test('[B-GRP-5] a group version that is off by default is served and listed once it is set to true, by itself', async (t) => {
  const off = await start(t);
  t.false((await groupVersions(off)).some((groupVersion) => groupVersion.includes('alpha')));
  t.is((await off.get('/apis/resource.orch/v1alpha1/resourceclasses')).status, 404);
  for (const setting of ['resource.orch/v1alpha1=true', 'resource.orch/v1alpha1']) {
    const on = await start(t, {runtimeConfig: [setting]});
    t.deepEqual(
      (await groupVersions(on)).filter((groupVersion) => groupVersion.includes('alpha')),
      ['resource.orch/v1alpha1'],
    );
    const names = (await resourcesOf(on, '/apis/resource.orch/v1alpha1')).map(({name}) => name);
    for (const name of ['podschedulings', 'resourceclaims', 'resourceclaimtemplates', 'resourceclasses'])
      t.true(names.includes(name), name);
    const made = await on.post('/apis/resource.orch/v1alpha1/resourceclasses', {metadata: {name: 'gpu'}, driverName: 'gpu.example.com'});
    t.is(answer<ReadObject>(t, made, 201).apiVersion, 'resource.orch/v1alpha1');
  }
});

test('[B-GRP-6] a resource that is set to false is neither served nor listed, with its subresources; the others of its group version are', async (t) => {
  const client = await start(t, {runtimeConfig: ['apps/v1/statefulsets=false', 'api/v1/podtemplates=false,api/v1/limitranges=false']});
  const collection = (resource: string) => `/apis/apps/v1/namespaces/default/${resource}`;
  for (const path of [
    collection('statefulsets'),
    '/apis/apps/v1/statefulsets',
    `${collection('statefulsets')}/x`,
    `${collection('statefulsets')}/x/scale`,
  ]) {
    t.is((await client.get(path)).status, 404, path);
  }
  t.is((await client.post(collection('statefulsets'), {metadata: {name: 'x'}})).status, 404);
  const apps = (await resourcesOf(client, '/apis/apps/v1')).map(({name}) => name);
  t.deepEqual(apps.filter((name) => !name.includes('/')).sort(), ['controllerrevisions', 'daemonsets', 'deployments', 'replicasets']);
  t.false(apps.some((name) => name.startsWith('statefulsets')));
  t.is((await client.get(collection('deployments'))).status, 200);
  const core = (await resourcesOf(client, '/api/v1')).map(({name}) => name);
  t.deepEqual(
    ['podtemplates', 'limitranges', 'configmaps'].map((name) => core.includes(name)),
    [false, false, true],
  );
  for (const resource of ['podtemplates', 'limitranges']) t.is((await client.get(`/api/v1/${resource}`)).status, 404, resource);
});

test('[B-GRP-6] a resource may be on in a group version that is off, and alone', async (t) => {
  const client = await start(t, {runtimeConfig: {'resource.orch/v1alpha1/resourceclasses': true}});
  t.deepEqual(
    (await resourcesOf(client, '/apis/resource.orch/v1alpha1')).map(({name}) => name),
    ['resourceclasses'],
  );
  t.is((await client.get('/apis/resource.orch/v1alpha1/resourceclasses')).status, 200);
  t.is((await client.get('/apis/resource.orch/v1alpha1/resourceclaims')).status, 404);
});

test('[B-GRP-7] objects of a group version that was off for a while are as they were', async (t) => {
  const dataDir = tempFolder(t, 'orch-versions-');
  const run = async <T>(options: ServerOptions, work: (client: TestClient) => Promise<T>): Promise<T> => {
    await using server = await startTestServer({store: 'embedded', dataDir, ...options});
    return await work(server.client);
  };
  const made = await run({}, async (client) => answer<ReadObject>(t, await client.post(budgets, budget), 201));
  await run({runtimeConfig: {'policy/v1': false}}, async (client) => {
    t.is((await client.get(`${budgets}/kept`)).status, 404);
    t.false((await groupVersions(client)).includes('policy/v1'));
  });
  await run({runtimeConfig: {'policy/v1': true}}, async (client) => {
    t.deepEqual(answer<ReadObject>(t, await client.get(`${budgets}/kept`), 200), made);
    t.deepEqual(namesOf(answer<ReadList>(t, await client.get(budgets), 200)), ['kept']);
  });
});

test('a level is switched as a whole, a group version counts before its level, a resource before its group version', async (t) => {
  const alphas = await start(t, {
    runtimeConfig: ['api/alpha=true,networking.orch/v1alpha1=false,resource.orch/v1alpha1/podschedulings=false'],
    featureGates: {APISelfSubjectReview: true},
  });
  const listed = await groupVersions(alphas);
  for (const groupVersion of [
    'admissionregistration.orch/v1alpha1',
    'authentication.orch/v1alpha1',
    'internal.apiserver.orch/v1alpha1',
    'resource.orch/v1alpha1',
  ]) {
    t.true(listed.includes(groupVersion), groupVersion);
  }
  t.false(listed.includes('networking.orch/v1alpha1'));
  t.false((await resourcesOf(alphas, '/apis/resource.orch/v1alpha1')).some(({name}) => name.startsWith('podschedulings')));

  const noBetas = await groupVersions(await start(t, {runtimeConfig: ['api/beta=false']}));
  t.deepEqual(
    noBetas.filter((groupVersion) => /alpha|beta/.test(groupVersion)),
    [],
  );
  t.true(noBetas.includes('apps/v1'));

  const everything = await groupVersions(await start(t, {runtimeConfig: ['api/all=true']}));
  for (const groupVersion of ['networking.orch/v1alpha1', 'storage.orch/v1beta1', 'apps/v1'])
    t.true(everything.includes(groupVersion), groupVersion);
});

test('under the platform kubernetes groups are switched by the names that clients see', async (t) => {
  const client = await start(t, {platform: 'kubernetes', runtimeConfig: ['resource.k8s.io/v1=false,resource.k8s.io/v1beta2=true']});
  const listed = await groupVersions(client);
  t.deepEqual(
    listed.filter((groupVersion) => /^(storage|resource)\./.test(groupVersion)),
    ['storage.k8s.io/v1', 'resource.k8s.io/v1beta2'],
  );
});
