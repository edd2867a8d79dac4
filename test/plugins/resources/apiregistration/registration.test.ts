import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {causesOf, faultyFields, servedGroup, tableRows} from '../served-group.js';

const client = servedGroup(test, {
  runtimeConfig: {'internal.apiserver.orch/v1alpha1': true},
  // They would write what the tests write.
  controllers: ['*', '-aggregator', '-apiservice-registration'],
});
const services = '/apis/apiregistration.orch/v1/apiservices';
const versions = '/apis/internal.apiserver.orch/v1alpha1/storageversions';
const spec = {group: 'shop.example', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10};

test('an API service is named after its version and group', async (t) => {
  t.deepEqual(causesOf(await client().post(services, {metadata: {name: 'shop'}, spec})), [
    'metadata.name: Invalid value: "shop": must be `spec.version+"."+spec.group`: "v1.shop.example"',
  ]);
  t.is((await client().post(services, {metadata: {name: 'v1.shop.example'}, spec})).status, 201);
  t.is((await client().post(services, {metadata: {name: 'v1.'}, spec: {...spec, group: ''}})).status, 201);
});

test('an API service has priorities in their range and is reached securely', async (t) => {
  const check = async (members: object) =>
    faultyFields(await client().post(services, {metadata: {name: 'v1.bad.example'}, spec: {...spec, group: 'bad.example', ...members}}));
  t.deepEqual(await check({groupPriorityMinimum: 0, versionPriority: 0}), ['spec.groupPriorityMinimum', 'spec.versionPriority']);
  t.deepEqual(await check({groupPriorityMinimum: 20_001, versionPriority: 1001}), ['spec.groupPriorityMinimum', 'spec.versionPriority']);
  t.deepEqual(await check({caBundle: 'YWJj', insecureSkipTLSVerify: true}), ['spec.caBundle', 'spec.insecureSkipTLSVerify']);
  const service = {namespace: 'ns', name: 'svc'};
  t.deepEqual(await check({service, caBundle: 'YWJj', insecureSkipTLSVerify: true}), ['spec.insecureSkipTLSVerify']);
  t.deepEqual(await check({service: {port: 70_000}}), ['spec.service.namespace', 'spec.service.name', 'spec.service.port']);
  const odd = {...spec, group: 'Bad Group', version: '1v'};
  t.deepEqual(faultyFields(await client().post(services, {metadata: {name: '1v.Bad Group'}, spec: odd})), ['spec.group', 'spec.version']);
  t.deepEqual(faultyFields(await client().post(services, {metadata: {name: 'v2.'}, spec: {...spec, group: '', version: 'v2'}})), [
    'spec.group',
  ]);
});

test('the table says who serves a version and whether that works', async (t) => {
  const service = {namespace: 'ns', name: 'svc'};
  const made = (
    await client().post(services, {metadata: {name: 'v1.away.example'}, spec: {...spec, group: 'away.example', service}})
  ).json<{metadata: object}>();
  const url = `${services}/v1.away.example`;
  t.like((await tableRows(client(), url))[0], {Service: 'ns/svc', Available: 'Unknown'});
  const put = (condition: object) =>
    client().put(`${url}/status`, {
      ...made,
      metadata: {name: 'v1.away.example', resourceVersion: undefined},
      status: {conditions: [condition]},
    });
  t.deepEqual(faultyFields(await client().put(`${url}/status`, {...made, status: {conditions: [{type: 'Available', status: 'Maybe'}]}})), [
    'status.conditions[0].status',
  ]);
  t.is((await client().patch(`${url}/status`, {status: {conditions: [{type: 'Available', status: 'False', reason: 'Away'}]}})).status, 200);
  t.like((await tableRows(client(), url))[0], {Available: 'False (Away)'});
  t.deepEqual(faultyFields(await put({type: 'Available', status: 'True'})), ['metadata.resourceVersion']);
});

test('an API service is not known to be available when its service appears or changes; without one this server answers', async (t) => {
  interface Made {
    status: {conditions: {type: string; status: string; reason: string; lastTransitionTime: string}[]};
  }
  const url = `${services}/v1.taken.example`;
  const look = (answer: {json<T>(): T}) =>
    answer.json<Made>().status.conditions.map(({type, status, reason}) => `${type} ${status} ${reason}`);
  const service = {namespace: 'ns', name: 'svc'};
  t.deepEqual(look(await client().post(services, {metadata: {name: 'v1.taken.example'}, spec: {...spec, group: 'taken.example'}})), [
    'Available True Local',
  ]);
  const taken = await client().patch(url, {spec: {service}});
  t.deepEqual(look(taken), ['Available Unknown NotChecked']);
  t.like((await tableRows(client(), url))[0], {Available: 'Unknown (NotChecked)'});
  const passed = {
    status: {
      conditions: [
        {type: 'Available', status: 'True', reason: 'Passed'},
        {type: 'Other', status: 'True', reason: 'Own'},
      ],
    },
  };
  t.is((await client().patch(`${url}/status`, passed)).status, 200);
  t.deepEqual(look(await client().patch(url, {spec: {versionPriority: 11, insecureSkipTLSVerify: true}})), [
    'Available True Passed',
    'Other True Own',
  ]);
  for (const change of [{name: 'other'}, {namespace: 'elsewhere'}, {port: 8443}]) {
    t.is((await client().patch(`${url}/status`, passed)).status, 200);
    t.deepEqual(
      look(await client().patch(url, {spec: {service: change}})),
      ['Other True Own', 'Available Unknown NotChecked'],
      JSON.stringify(change),
    );
  }
  t.deepEqual(look(await client().patch(url, {spec: {service: null, insecureSkipTLSVerify: null}})), [
    'Other True Own',
    'Available True Local',
  ]);
});

test('storage versions are off until --runtime-config turns them on', async (t) => {
  await using server = await startTestServer();
  t.is((await server.client.get(versions)).status, 404);
  t.is((await client().get(versions)).status, 200);
});

test('a storage version is named after its type and written by the servers', async (t) => {
  t.deepEqual(faultyFields(await client().post(versions, {metadata: {name: 'pods'}})), ['metadata.name']);
  t.deepEqual(faultyFields(await client().post(versions, {metadata: {name: 'Apps.1x'}})), ['metadata.name', 'metadata.name']);
  const made = (await client().post(versions, {metadata: {name: 'apps.deployments'}, status: {commonEncodingVersion: 'x'}})).json<{
    status: object;
  }>();
  t.deepEqual(made.status, {});
  const put = async (status: object) => client().patch(`${versions}/apps.deployments/status`, {status});
  const server = (apiServerID: string, encodingVersion: string, decodableVersions = [encodingVersion]) => ({
    apiServerID,
    encodingVersion,
    decodableVersions,
  });
  t.deepEqual(faultyFields(await put({storageVersions: [server('A B', 'a/b/c', ['v1', '1'])], commonEncodingVersion: 'a/b/c'})), [
    'status.storageVersions[0].apiServerID',
    'status.storageVersions[0].encodingVersion',
    'status.storageVersions[0].decodableVersions[1]',
    'status.storageVersions[0].decodableVersions',
  ]);
  const disagreeing = [server('a', 'apps/v1'), server('b', 'apps/v2')];
  t.deepEqual(faultyFields(await put({storageVersions: disagreeing, commonEncodingVersion: 'apps/v1'})), ['status.commonEncodingVersion']);
  t.deepEqual(faultyFields(await put({storageVersions: [server('a', 'apps/v1')]})), ['status.commonEncodingVersion']);
  const condition = {type: 'AllEncodingVersionsEqual', status: 'True', reason: 'Same', message: 'm'};
  t.deepEqual(faultyFields(await put({conditions: [condition, {...condition, status: 'a b', reason: '', message: ''}]})), [
    'status.conditions[1].type',
    'status.conditions[1].status',
    'status.conditions[1].reason',
    'status.conditions[1].message',
  ]);
  t.is(
    (
      await put({
        storageVersions: [1, 2, 3, 4].map((id) => server(`s${id}`, 'apps/v1')),
        commonEncodingVersion: 'apps/v1',
        conditions: [condition],
      })
    ).status,
    200,
  );
  t.like((await tableRows(client(), versions))[0], {
    CommonEncodingVersion: 'apps/v1',
    StorageVersions: 's1=apps/v1,s2=apps/v1,s3=apps/v1 + 1 more...',
  });
});
