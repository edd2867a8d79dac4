import test from 'ava';
import {causesOf, servedGroup, tableRows} from '../served-group.js';

const client = servedGroup(test, {release: '1.36', runtimeConfig: {'api/all': true}});
const rules = '/apis/resource.orch/v1beta2/devicetaintrules';
const requests = '/apis/resource.orch/v1alpha3/resourcepoolstatusrequests';

interface Rule {
  readonly metadata: {readonly generation?: number};
  readonly spec: {readonly taint: {readonly timeAdded?: string; readonly effect?: string}};
  readonly status?: object;
}

const rule = (name: string, taint: object, deviceSelector: object = {driver: 'gpu.example'}) => ({
  metadata: {name},
  spec: {deviceSelector, taint: {key: 'broken', ...taint}},
});

test('a rule has a taint, and chooses devices by names that there can be', async (t) => {
  const faults = causesOf(await client().post(rules, rule('bad', {value: 'a b', effect: 'Other'}, {driver: '', pool: '', device: 'GPU'})));
  t.deepEqual(
    faults.map((text) => text.replace(/(Invalid value: "[^"]*").*/, '$1')),
    [
      'spec.deviceSelector.driver: Required value',
      'spec.deviceSelector.driver: Invalid value: ""',
      'spec.deviceSelector.pool: Required value',
      'spec.deviceSelector.device: Invalid value: "GPU"',
      'spec.taint.value: Invalid value: "a b"',
      'spec.taint.effect: Unsupported value: "Other": supported values: "NoExecute", "NoSchedule", "None"',
    ],
  );
});

test('a taint counts from when its effect was set', async (t) => {
  const long = '2020-01-02T03:04:05Z';
  const made = (await client().post(rules, rule('timed', {effect: 'None', timeAdded: long}))).json<Rule>();
  t.is(made.metadata.generation, 1);
  t.is(made.spec.taint.timeAdded, long);
  const changed = (await client().put(`${rules}/timed`, rule('timed', {effect: 'NoExecute', timeAdded: long}))).json<Rule>();
  t.not(changed.spec.taint.timeAdded, long);
  t.is(changed.metadata.generation, 2);
  t.like((await tableRows(client(), `${rules}/timed`))[0], {Name: 'timed', Key: 'broken', Value: '', Effect: 'NoExecute'});
  const other = (await client().get('/apis/resource.orch/v1alpha3/devicetaintrules/timed')).json<Rule>();
  t.deepEqual(other.spec, changed.spec);
});

test('the status of a rule has at most eight conditions', async (t) => {
  await client().post(rules, rule('state', {effect: 'None'}));
  const conditions = Array.from({length: 9}, (_item, index) => ({
    type: `T${index}`,
    status: 'True',
    reason: 'Known',
    message: '',
    lastTransitionTime: '2020-01-02T03:04:05Z',
  }));
  const put = (list: object[]) => client().put(`${rules}/state/status`, {...rule('state', {effect: 'None'}), status: {conditions: list}});
  t.deepEqual(causesOf(await put(conditions)), ['status.conditions: Too many: 9: must have at most 8 items']);
  t.is((await put(conditions.slice(1))).status, 200);
});

test('a question for pools cannot be changed and is answered once', async (t) => {
  t.deepEqual(causesOf(await client().post(requests, {metadata: {name: 'bad'}, spec: {limit: 0, poolName: ''}})), [
    'spec.driver: Required value',
    'spec.poolName: Required value',
    'spec.limit: Invalid value: 0: must be greater than or equal to 1',
  ]);
  const made = (await client().post(requests, {metadata: {name: 'q'}, spec: {driver: 'gpu.example'}, status: {poolCount: 1}})).json<{
    spec: object;
    status?: object;
  }>();
  t.deepEqual(made.spec, {driver: 'gpu.example', limit: 100});
  t.is(made.status, undefined);
  t.deepEqual(causesOf(await client().put(`${requests}/q`, {...made, spec: {driver: 'other.example', limit: 100}})).length, 1);
  const answer = (status: object) => client().put(`${requests}/q/status`, {...made, status});
  t.deepEqual(causesOf(await answer({pools: [{}]})), [
    'status.poolCount: Required value',
    'status.pools[0].driver: Required value',
    'status.pools[0].poolName: Required value',
    'status.pools[0].generation: Required value',
  ]);
  const pool = {driver: 'gpu.example', poolName: 'n', generation: 1, totalDevices: 4, allocatedDevices: 1, availableDevices: 3};
  const complete = {type: 'Complete', status: 'True', reason: 'Known', message: '', lastTransitionTime: '2020-01-02T03:04:05Z'};
  t.is((await answer({poolCount: 2, pools: [pool], conditions: [complete]})).status, 200);
  const [row] = await tableRows(client(), `${requests}/q`);
  t.like(row, {Driver: 'gpu.example', Total: '4', Available: '3', Allocated: '1', Unavailable: '0', Errors: '0', Pools: 2});
  t.is(row!['Status'], 'Complete (1/2 pools)');
  t.deepEqual(causesOf(await client().put(`${requests}/q/status`, {metadata: {name: 'q'}, status: {poolCount: 0}})).length, 1);
});
