import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {testOnEachStore} from '../../helpers/each-store.js';
import {eventually} from '../../helpers/eventually.js';
import {tempFolder} from '../../helpers/temp-folder.js';

interface ApiService {
  metadata: {name: string; labels?: Record<string, string>};
  spec: {group?: string; version: string; groupPriorityMinimum: number; versionPriority: number; service?: object};
  status: {conditions?: {type: string; status: string; reason: string}[]};
}

const storeTest = testOnEachStore({platform: 'kubernetes', controllers: ['*', 'apiservice-registration']});
const path = '/apis/apiregistration.k8s.io/v1/apiservices';
const automanaged = 'kube-aggregator.kubernetes.io/automanaged';
const list = async ({client}: TestServer, at = path) => (await client.get(at)).json<{items: ApiService[]}>().items;
const find = async ({client}: TestServer, name: string) => {
  const answer = await client.get(`${path}/${name}`);
  return answer.status === 200 ? answer.json<ApiService>() : undefined;
};

const isExample = (group: string) => group.endsWith('.example');

const definition = (group: string, versions: readonly string[]) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: `carts.${group}`},
  spec: {
    group,
    scope: 'Namespaced',
    names: {plural: 'carts', kind: 'Cart'},
    versions: versions.map((name, index) => ({
      name,
      served: true,
      storage: index === 0,
      schema: {openAPIV3Schema: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}},
    })),
  },
});

storeTest(
  'every group version that is served has an APIService that is available, with the priorities of Kubernetes',
  async (t, {server, client}) => {
    const groups = (await client.get('/apis')).json<{groups: {name: string; versions: {groupVersion: string}[]}[]}>().groups;
    // Other tests define groups of their own on this server meanwhile.
    const served = groups.filter(({name}) => name !== 'apiregistration.k8s.io' && !isExample(name)).flatMap(({versions}) => versions);
    const wanted = ['v1.', ...served.map(({groupVersion}) => groupVersion.split('/').reverse().join('.'))];
    const found = await eventually(
      async () => (await list(server)).filter(({metadata}) => !isExample(metadata.name)),
      (items) => items.length >= wanted.length,
    );
    t.true(wanted.length > 15);
    t.deepEqual(found.map(({metadata}) => metadata.name).toSorted(), wanted.toSorted());
    for (const {metadata, spec, status} of found) {
      t.is(metadata.labels?.[automanaged], 'onstart');
      t.is(spec.service, undefined);
      t.like(status.conditions?.[0], {type: 'Available', status: 'True', reason: 'Local'});
    }
    const priorities = Object.fromEntries(
      found.map(({metadata, spec}) => [metadata.name, [spec.groupPriorityMinimum, spec.versionPriority]]),
    );
    t.like(priorities, {
      'v1.': [18_000, 1],
      'v1.apps': [17_800, 15],
      'v2.autoscaling': [17_500, 30],
      'v1.autoscaling': [17_500, 15],
      'v1.rbac.authorization.k8s.io': [17_000, 15],
      'v1.flowcontrol.apiserver.k8s.io': [16_100, 21],
      'v1.resource.k8s.io': [16_200, 21],
    });
  },
);

storeTest('the APIServices of a definition come and go with its versions', async (t, {server, client, namespace}) => {
  const group = `${namespace}.example`;
  const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  t.is((await client.post(crds, definition(group, ['v1', 'v2']))).status, 201);
  for (const version of ['v1', 'v2']) {
    const made = await eventually(
      () => find(server, `${version}.${group}`),
      (one) => one !== undefined,
    );
    t.like(made!.spec, {group, version, groupPriorityMinimum: 1000, versionPriority: 100});
    t.is(made!.metadata.labels?.[automanaged], 'true');
    t.is(made!.status.conditions?.[0]?.status, 'True');
  }
  const {spec} = definition(group, ['v1', 'v2']);
  const versions = spec.versions.map((version) => ({...version, served: version.name === 'v1'}));
  t.is((await client.patch(`${crds}/carts.${group}`, {spec: {versions}})).status, 200);
  const gone = (name: string) =>
    eventually(
      () => find(server, name),
      (one) => one === undefined,
    );
  await gone(`v2.${group}`);
  t.truthy(await find(server, `v1.${group}`));
  t.is((await client.delete(`${crds}/carts.${group}`)).status, 200);
  await gone(`v1.${group}`);
});

storeTest('an APIService that was changed or deleted is put back; one that names a service is left alone', async (t, {server, client}) => {
  const name = 'v1.batch';
  await eventually(
    () => find(server, name),
    (one) => one !== undefined,
  );
  t.is((await client.patch(`${path}/${name}`, {spec: {groupPriorityMinimum: 5}})).status, 200);
  await eventually(
    () => find(server, name),
    (one) => one?.spec.groupPriorityMinimum === 17_400,
  );
  t.is((await client.delete(`${path}/${name}`)).status, 200);
  await eventually(
    () => find(server, name),
    (one) => one !== undefined,
  );
  const service = {namespace: 'default', name: 'metrics'};
  const foreign = {
    metadata: {name: 'v1beta1.metrics.example', labels: {[automanaged]: 'true'}},
    spec: {group: 'metrics.example', version: 'v1beta1', groupPriorityMinimum: 100, versionPriority: 100, service},
  };
  t.is((await client.post(path, foreign)).status, 201);
  // Changes are worked on in order: when a later one has been, this one has been too.
  t.is((await client.delete(`${path}/${name}`)).status, 200);
  await eventually(
    () => find(server, name),
    (one) => one !== undefined,
  );
  t.like((await find(server, 'v1beta1.metrics.example'))!.spec, {service});
});

test('a start removes the APIServices of versions that the server no longer serves', async (t) => {
  const options = {
    store: 'embedded',
    dataDir: tempFolder(t),
    platform: 'kubernetes',
    controllers: ['*', 'apiservice-registration'],
  } as const;
  const names = async (server: TestServer) => (await list(server)).map(({metadata}) => metadata.name);
  const first = await startTestServer({...options, runtimeConfig: {'batch/v1': true}});
  await eventually(
    () => names(first),
    (all) => all.includes('v1.batch'),
  );
  await first.stop();
  await using second = await startTestServer({...options, runtimeConfig: {'batch/v1': false}});
  const left = await eventually(
    () => names(second),
    (all) => !all.includes('v1.batch'),
  );
  t.true(left.includes('v1.apps'));
});
