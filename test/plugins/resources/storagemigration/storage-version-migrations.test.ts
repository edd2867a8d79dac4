import test from 'ava';
import {causesOf, servedGroup, tableRows} from '../served-group.js';

const client = servedGroup(test, {
  release: '1.35',
  runtimeConfig: {'storagemigration.orch/v1beta1': true},
  featureGates: {StorageVersionMigrator: true},
  // Nobody carries them out.
  controllers: ['*', '-storage-version-migrator-controller'],
});
const url = '/apis/storagemigration.orch/v1beta1/storageversionmigrations';
const resource = {group: 'apps', resource: 'deployments'};
const condition = (type: string, status = 'True') => ({
  type,
  status,
  reason: 'Done',
  message: '',
  lastTransitionTime: '2030-01-01T00:00:00Z',
});
type Migration = {spec: object; status: object};

async function make(name: string): Promise<void> {
  await client().post(url, {metadata: {name}, spec: {resource}});
}

async function causesOfStatus(name: string, status: object): Promise<string[]> {
  const current = (await client().get(`${url}/${name}`)).json<Migration>();
  return causesOf(await client().put(`${url}/${name}/status`, {...current, status}));
}

test('a migration names a type', async (t) => {
  const post = (spec: object) => client().post(url, {metadata: {name: 'bad'}, spec});
  t.deepEqual(causesOf(await post({})), ['spec.resource.resource: Required value: resource is required to be set']);
  const [name, group, ...others] = causesOf(await post({resource: {group: 'A', resource: '1'}}));
  t.regex(name!, /^spec\.resource\.resource: Invalid value: "1": a DNS-1035 label must consist of/);
  t.regex(group!, /^spec\.resource\.group: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of/);
  t.deepEqual(others, []);
});

test('what a migration is about is immutable, and its status has an endpoint of its own', async (t) => {
  const made = (await client().post(url, {metadata: {name: 'fixed'}, spec: {resource}, status: {resourceVersion: '1'}})).json<Migration>();
  t.deepEqual(made.status, {});
  const [fault] = causesOf(await client().put(`${url}/fixed`, {...made, spec: {resource: {resource: 'pods'}}}));
  t.regex(fault!, /^spec: Invalid value: .*: field is immutable$/);
  const status = {resourceVersion: '5', conditions: [condition('Running')]};
  const written = await client().put(`${url}/fixed/status`, {...made, spec: {resource: {resource: 'pods'}}, status});
  t.like(written.json<object>(), {spec: {resource}, status});
});

test('the status of a migration ends once, as done or failed, and keeps its resource version', async (t) => {
  await make('ends');
  t.deepEqual(await causesOfStatus('ends', {resourceVersion: '05', conditions: [condition('Running', 'Maybe')]}), [
    'status.resourceVersion: Invalid value: "05": resource version is not well formed: 05',
    'status.conditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"',
  ]);
  const [both] = await causesOfStatus('ends', {conditions: [condition('Succeeded'), condition('Failed')]});
  t.regex(both!, /^status\.conditions: Invalid value: .*: Both success and failed conditions cannot be true at the same time$/);
  const current = (await client().get(`${url}/ends`)).json<Migration>();
  const done = {resourceVersion: '5', conditions: [condition('Succeeded')]};
  t.is((await client().put(`${url}/ends/status`, {...current, status: done})).status, 200);
  const [version, success, ...others] = await causesOfStatus('ends', {resourceVersion: '6', conditions: []});
  t.is(version, 'status.resourceVersion: Invalid value: "6": field is immutable');
  t.regex(success!, /^status\.conditions: Invalid value: .*: Success condition cannot be set to false once it is true$/);
  t.deepEqual(others, []);
});

test('the table of migrations shows type and state', async (t) => {
  await make('shown');
  t.deepEqual(await tableRows(client(), `${url}/shown`), [{Name: 'shown', Resource: 'deployments.apps', Status: 'Unknown'}]);
  const current = (await client().get(`${url}/shown`)).json<Migration>();
  await client().put(`${url}/shown/status`, {...current, status: {conditions: [condition('Running', 'False'), condition('Failed')]}});
  t.is((await tableRows(client(), `${url}/shown`))[0]!['Status'], 'Failed');
});
