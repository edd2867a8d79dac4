import test from 'ava';
import {causesOf, servedGroup, tableRows} from '../served-group.js';

const client = servedGroup(test, {release: '1.36', runtimeConfig: {'api/all': true}});
const slices = (version = 'v1') => `/apis/resource.orch/${version}/resourceslices`;

const pool = {name: 'node-1', generation: 1, resourceSliceCount: 1};
const slice = (name: string, spec: object = {}) => ({
  metadata: {name},
  spec: {driver: 'gpu.example', pool, nodeName: 'node-1', ...spec},
});

interface Slice {
  readonly metadata: {readonly name: string; readonly generation: number};
  readonly spec: {readonly devices?: readonly Record<string, unknown>[]; readonly nodeName?: string};
}

async function faultsOf(spec: object): Promise<string[]> {
  return causesOf(await client().post(slices(), slice('bad', spec)));
}

const device = {
  name: 'gpu-0',
  attributes: {model: {string: 'a100'}, 'other.example/version': {version: '1.2.3'}},
  capacity: {memory: {value: '40Gi'}},
};

test('devices of v1beta1 have their members in basic, and are the same devices', async (t) => {
  const {name, ...basic} = device;
  const made = (await client().post(slices('v1beta1'), slice('basic', {devices: [{name, basic}]}))).json<Slice>();
  t.deepEqual(made.spec.devices, [{name, basic}]);
  t.deepEqual((await client().get(`${slices()}/basic`)).json<Slice>().spec.devices, [device]);
  t.deepEqual((await client().get(`${slices('v1beta2')}/basic`)).json<Slice>().spec.devices, [device]);
});

test('a slice says where its devices are', async (t) => {
  const one = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';
  t.deepEqual(await faultsOf({nodeName: undefined}), [`spec: Required value: ${one}`]);
  t.deepEqual(await faultsOf({allNodes: true}), [
    `spec: Invalid value: "{\`nodeName\`, \`allNodes\`}": ${one}, but multiple fields are set`,
  ]);
  t.deepEqual(await faultsOf({nodeName: '', allNodes: false, perDeviceNodeSelection: true, devices: [{name: 'a'}]}), [
    'spec.nodeName: Invalid value: "": must be either unset or set to a non-empty string',
    'spec.allNodes: Invalid value: false: must be either unset or set to true',
    'spec.devices[0]: Required value: exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
  ]);
  t.deepEqual(await faultsOf({devices: [{name: 'a', allNodes: true}]}), [
    'spec.devices[0]: Invalid value: null: `nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
  ]);
  t.deepEqual(
    await faultsOf({pool: {name: 'a//b', generation: -1}}).then((faults) => faults.filter((text) => !text.includes('RFC 1123'))),
    [
      'spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero',
      'spec.pool.generation: Invalid value: -1: must be greater than or equal to zero',
    ],
  );
});

test('each device of a slice is checked', async (t) => {
  const many = (count: number, more: object = {}) => Array.from({length: count}, (_item, index) => ({name: `d${index}`, ...more}));
  t.deepEqual(await faultsOf({devices: many(129)}), ['spec.devices: Too many: 129: must have at most 128 items']);
  t.deepEqual(await faultsOf({devices: many(65, {taints: [{key: 'a', effect: 'None'}]})}), [
    'spec.devices: Too many: 65: must have at most 64 items',
  ]);
  const attributes = {
    none: {},
    two: {int: 1, bool: true},
    version: {version: '1.2'},
    long: {string: 'x'.repeat(65)},
    '/x': {int: 1},
    'gpu.example/': {int: 1},
    '1st': {int: 1},
  };
  const identifier =
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')";
  t.deepEqual(
    (await faultsOf({devices: [{name: 'a', attributes}, {name: 'a'}]})).sort(),
    [
      'spec.devices[0].attributes[none]: Invalid value: "": exactly one value must be specified',
      'spec.devices[0].attributes[two]: Invalid value: {"int":1,"bool":true}: exactly one value must be specified',
      'spec.devices[0].attributes[version].version: Invalid value: "1.2": must be a string compatible with semver.org spec 2.0.0',
      'spec.devices[0].attributes[long].string: Too long: may not be more than 64 bytes',
      'spec.devices[0].attributes: Invalid value: "": the domain must not be empty',
      'spec.devices[0].attributes: Invalid value: "": the name must not be empty',
      `spec.devices[0].attributes: Invalid value: "1st": ${identifier}`,
      'spec.devices[1]: Duplicate value: "a"',
    ].sort(),
  );
  const named = Object.fromEntries(many(33).map(({name}) => [name, {int: 1}]));
  t.deepEqual(await faultsOf({devices: [{name: 'a', attributes: named}]}), [
    'spec.devices[0]: Invalid value: 33: the total number of attributes and capacities must not exceed 32',
  ]);
  const taints = [{key: 'a b', effect: 'Other'}, {key: 'a'}];
  t.deepEqual((await faultsOf({devices: [{name: 'a', taints}]})).slice(1), [
    'spec.devices[0].taints[0].effect: Unsupported value: "Other": supported values: "NoExecute", "NoSchedule", "None"',
    'spec.devices[0].taints[1].effect: Required value',
  ]);
  const counters = {consumesCounters: [{counterSet: 'a'}, {counterSet: 'a', counters: {memory: {value: '1'}}}]};
  t.deepEqual(await faultsOf({devices: [{name: 'a', ...counters}], sharedCounters: [{}]}), [
    'spec: Invalid value: "": only one of `sharedCounters` or `devices` is allowed',
    'spec.devices[0].consumesCounters[0].counters: Required value',
    'spec.devices[0].consumesCounters[1]: Duplicate value: "a"',
    'spec.sharedCounters[0].name: Required value',
    'spec.sharedCounters[0].counters: Required value',
  ]);
});

test('what may be requested of a capacity fits into it', async (t) => {
  const withPolicy = (requestPolicy: object, more: object = {allowMultipleAllocations: true}) =>
    faultsOf({devices: [{name: 'a', ...more, capacity: {memory: {value: '10Gi', requestPolicy}}}]});
  const path = 'spec.devices[0].capacity[memory].requestPolicy';
  t.deepEqual(await withPolicy({}, {}), [`${path}: Forbidden: allowMultipleAllocations must be true`]);
  t.deepEqual(await withPolicy({validValues: ['1Gi'], validRange: {min: '1Gi'}}), [
    `${path}: Forbidden: exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time`,
  ]);
  t.deepEqual(await withPolicy({validValues: ['1Gi']}), [`${path}.default: Required value: required when validValues is defined`]);
  t.deepEqual(await withPolicy({default: '3Gi', validValues: ['2Gi', '1Gi', '20Gi', '20Gi']}), [
    `${path}.validValues[1]: Invalid value: "1Gi": values must be sorted in ascending order`,
    `${path}.validValues[2]: Invalid value: "20Gi": option is larger than capacity value: 10Gi`,
    `${path}.validValues[3]: Invalid value: "20Gi": option is larger than capacity value: 10Gi`,
    `${path}.validValues[3]: Duplicate value: "21474836480"`,
    `${path}.validValues: Invalid value: "3Gi": default value is not valid according to the requestPolicy`,
  ]);
  t.deepEqual(await withPolicy({default: '1Gi', validRange: {min: '2Gi', max: '20Gi', step: '3Gi'}}), [
    `${path}.validRange.min: Invalid value: "1Gi": default is less than min: 2Gi`,
    `${path}.validRange.max: Invalid value: "20Gi": max is larger than capacity value: 10Gi`,
    `${path}.validRange.step: Invalid value: "1Gi": value is not a multiple of a given step (3Gi) from (2Gi)`,
  ]);
});

test('driver, pool and node of a slice cannot change; each change of its devices is a generation', async (t) => {
  const made = (await client().post(slices(), slice('fixed', {devices: [device]}))).json<Slice>();
  t.is(made.metadata.generation, 1);
  const changed = slice('fixed', {driver: 'other.example', pool: {...pool, name: 'other'}, nodeName: 'other'});
  t.deepEqual(causesOf(await client().put(`${slices()}/fixed`, changed)), [
    'spec.pool.name: Invalid value: "other": field is immutable',
    'spec.driver: Invalid value: "other.example": field is immutable',
    'spec.nodeName: Invalid value: "other": field is immutable',
  ]);
  const next = (await client().put(`${slices()}/fixed`, slice('fixed', {devices: []}))).json<Slice>();
  t.is(next.metadata.generation, 2);
});

test('slices are selected by node and driver, and a table shows both', async (t) => {
  await client().post(slices(), slice('everywhere', {driver: 'net.example', nodeName: undefined, allNodes: true}));
  const names = async (selector: string) => {
    const response = await client().get(`${slices()}?fieldSelector=${encodeURIComponent(selector)}`);
    return response.json<{items: Slice[]}>().items.map(({metadata}) => metadata.name);
  };
  t.deepEqual(await names('spec.driver=net.example'), ['everywhere']);
  t.true((await names('spec.nodeName=')).includes('everywhere'));
  t.false((await names('spec.nodeName=node-1')).includes('everywhere'));
  t.like((await tableRows(client(), `${slices()}/everywhere`))[0], {Name: 'everywhere', Node: '', Driver: 'net.example', Pool: 'node-1'});
  const shouting = await client().post(slices(), slice('shouting', {driver: 'GPU.example'}));
  t.is(shouting.status, 201);
  t.is(
    shouting.headers['warning'],
    '299 - "spec.driver: driver names should be lowercase; \\"GPU.example\\" contains uppercase characters"',
  );
});

test('taints get the time at which they were added', async (t) => {
  const devices = [{name: 'a', taints: [{key: 'broken', effect: 'NoSchedule'}]}];
  const made = (await client().post(slices(), slice('tainted', {devices}))).json<Slice>();
  t.regex((made.spec.devices![0]!['taints'] as {timeAdded: string}[])[0]!.timeAdded, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
});
