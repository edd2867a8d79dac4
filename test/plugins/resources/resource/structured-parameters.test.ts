import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {causesOf, servedGroup, tableRows} from '../served-group.js';

const client = servedGroup(test, {release: '1.30', runtimeConfig: {'api/all': true}});
const url = '/apis/resource.orch/v1alpha2';
const inDefault = (plural: string) => `${url}/namespaces/default/${plural}`;

interface Made {
  readonly metadata: {readonly generation?: number};
}

const resources = (...attributes: object[]) => ({namedResources: {instances: [{name: 'gpu-0', attributes}]}});

test('a slice of v1alpha2 has named instances with attributes of one value each', async (t) => {
  const slice = {metadata: {name: 'one'}, nodeName: 'node-1', driverName: 'gpu.example', ...resources({name: 'model', string: 'a100'})};
  const made = (await client().post(`${url}/resourceslices`, slice)).json<Made>();
  t.like(made, slice);
  t.is(made.metadata.generation, undefined);
  const faultsOf = async (change: object) =>
    causesOf(await client().post(`${url}/resourceslices`, {...slice, metadata: {name: 'two'}, ...change}));
  t.deepEqual(await faultsOf({namedResources: undefined}), ['<nil>: Required value: exactly one structured model field must be set']);
  const instances = 'namedResources.instances[0]';
  t.deepEqual(
    await faultsOf(
      resources({name: 'a', version: '1.2'}, {name: 'a', bool: true, int: 1}, {name: 'b'}, {name: 'c', stringSlice: {strings: ['x']}}),
    ),
    [
      `${instances}.attributes[0].version: Invalid value: "1.2": must be a string compatible with semver.org spec 2.0.0`,
      `${instances}.attributes[1].name: Duplicate value: "a"`,
      `${instances}.attributes[1]: Invalid value: ["bool","int"]: exactly one field must be set, not several`,
      `${instances}.attributes[2]: Required value: exactly one value must be set`,
    ],
  );
  const changed = {...made, nodeName: 'node-2', driverName: 'net.example'};
  t.deepEqual(causesOf(await client().put(`${url}/resourceslices/one`, changed)), [
    'nodeName: Invalid value: "node-2": field is immutable',
    'driverName: Invalid value: "net.example": field is immutable',
  ]);
  t.like((await tableRows(client(), `${url}/resourceslices`))[0], {Name: 'one', Node: 'node-1', Driver: 'gpu.example'});
  for (const [field, count] of [
    ['nodeName=node-1', 1],
    ['driverName=other', 0],
  ] as const) {
    const list = await client().get(`${url}/resourceslices?fieldSelector=${field}`);
    t.is(list.json<{items: object[]}>().items.length, count, field);
  }
});

test('parameters of claims ask each driver once, by selectors of attributes', async (t) => {
  const requests = (selector: string) => [{namedResources: {selector}}];
  const selector = 'attributes.quantity["memory"].isGreaterThan(quantity("1Gi")) && attributes.version["driver"].major() >= 2';
  const generatedFrom = {apiGroup: 'gpu.example', kind: 'GpuClaim', name: 'big'};
  const made = {metadata: {name: 'good'}, generatedFrom, driverRequests: [{driverName: 'gpu.example', requests: requests(selector)}]};
  t.is((await client().post(inDefault('resourceclaimparameters'), made)).status, 201);
  const bad = {
    metadata: {name: 'bad'},
    generatedFrom: {kind: 'GpuClaim'},
    driverRequests: [
      {driverName: 'gpu.example', requests: [...requests(''), {}]},
      {driverName: 'gpu.example'},
      {driverName: 'net.example', requests: requests('attributes.int["ports"]')},
    ],
  };
  t.deepEqual(causesOf(await client().post(inDefault('resourceclaimparameters'), bad)), [
    'generatedFrom.name: Required value',
    'driverRequests[0].requests[0].namedResources.selector: Required value',
    'driverRequests[0].requests[1]: Required value: exactly one structured model field must be set',
    'driverRequests[1].driverName: Duplicate value: "gpu.example"',
    'driverRequests[1].requests: Required value: empty entries with no requests are not allowed',
    'driverRequests[2].requests[0].namedResources.selector: Invalid value: "attributes.int[\\"ports\\"]": must evaluate to bool',
  ]);
  t.like((await tableRows(client(), inDefault('resourceclaimparameters')))[0], {Name: 'good', GeneratedFrom: 'GpuClaim.gpu.example big'});
});

test('parameters of classes filter each driver once', async (t) => {
  const filter = {driverName: 'gpu.example', namedResources: {selector: '"fast" in attributes.bool'}};
  const good = {metadata: {name: 'good'}, filters: [filter], vendorParameters: [{driverName: 'gpu.example', parameters: {any: 1}}]};
  t.is((await client().post(inDefault('resourceclassparameters'), good)).status, 201);
  const bad = {
    metadata: {name: 'bad'},
    generatedFrom: {kind: 'Gpu', name: 'g', namespace: 'a_b'},
    filters: [filter, {driverName: 'gpu.example'}],
    vendorParameters: [{driverName: 'a.example'}, {driverName: 'a.example'}],
  };
  const [namespace, ...others] = causesOf(await client().post(inDefault('resourceclassparameters'), bad));
  t.true(namespace!.startsWith('generatedFrom.namespace: Invalid value: "a_b": a lowercase RFC 1123 label'), namespace);
  t.deepEqual(others, [
    'filters[1].driverName: Duplicate value: "gpu.example"',
    'filters[1]: Required value: exactly one structured model field must be set',
    'vendorParameters[1].driverName: Duplicate value: "a.example"',
  ]);
});

test('what a scheduler allocates by structured parameters takes the place of the data of a driver', async (t) => {
  const claim = {metadata: {name: 'structured'}, spec: {resourceClassName: 'gpu'}};
  const made = (await client().post(inDefault('resourceclaims'), claim)).json<object>();
  const put = (handle: object) => {
    const status = {driverName: 'gpu.example', allocation: {resourceHandles: [{driverName: 'gpu.example', ...handle}]}};
    return client().put(`${inDefault('resourceclaims')}/structured/status`, {...made, metadata: claim.metadata, status});
  };
  const structuredData = {nodeName: 'node-1', results: [{namedResources: {name: 'gpu-0'}}]};
  t.deepEqual(causesOf(await put({data: 'x', structuredData: {results: [{}]}})), [
    'status.allocation.resourceHandles[0].structuredData.results[0]: Required value: exactly one structured model field must be set',
    'status.allocation.resourceHandles[0]: Invalid value: null: data and structuredData are mutually exclusive',
  ]);
  const response = await put({structuredData});
  t.is(response.status, 200, response.body.toString());
  t.like(response.json<object>(), {status: {allocation: {resourceHandles: [{structuredData}]}}});
});

test('slices of 1.30 say nothing of devices in 1.31', async (t) => {
  const dataDir = tempFolder(t, 'orch-slices-');
  const at = (release: string) => startTestServer({store: 'embedded', dataDir, release, runtimeConfig: {'api/all': true}});
  const first = await at('1.30');
  const slice = {metadata: {name: 'old'}, driverName: 'gpu.example', ...resources()};
  t.is((await first.client.post(`${url}/resourceslices`, slice)).status, 201);
  await first.stop();
  const last = await at('1.31');
  const read = await last.client.get('/apis/resource.orch/v1alpha3/resourceslices/old');
  await last.stop();
  t.is(read.status, 200, read.body.toString());
  t.false('driverName' in read.json<object>());
});
