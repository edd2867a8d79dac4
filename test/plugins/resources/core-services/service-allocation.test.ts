import test, {type ExecutionContext} from 'ava';
import {NumberRange} from '../../../../plugins/resources/core-services/number-range.js';
import {addressRanges, nodePorts} from '../../../../plugins/resources/core-services/service-settings.js';
import type {ApiObject} from '@orch-api/orch/sdk';
import {startTestServer, type ServerOptions, type TestClient, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../../helpers/eventually.js';
import {startRedis} from '../../../helpers/redis-server.js';
import {causesOf} from '../served-group.js';

interface Service extends ApiObject {
  spec: {clusterIP?: string; clusterIPs?: string[]; ipFamilies?: string[]; ports: {nodePort?: number}[]};
}

const path = '/api/v1/namespaces/default/services';
const claims = '/apis/coordination.orch/v1/namespaces/orch-system/leases?labelSelector=service.orch/claim';
const service = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {name},
  spec: {ports: [{port: 80}], ...spec},
});
const outside = (name: string, nodePort?: number) =>
  service(name, {type: 'NodePort', ports: [{port: 80, ...(nodePort === undefined ? {} : {nodePort})}]});

async function started(t: ExecutionContext, options: ServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer(options);
  t.teardown(() => server.stop());
  return server;
}

async function claimNames(client: TestClient): Promise<string[]> {
  return (await client.get(claims)).json<{items: ApiObject[]}>().items.map(({metadata}) => metadata.name!);
}

test.serial('services made at once through two servers have addresses and ports of their own', async (t) => {
  const redis = await startRedis(t);
  // Ranges so small that both servers pick the same numbers all the time.
  const flags = {'service-cluster-ip-range': ['10.0.0.0/26'], 'service-node-port-range': '30000-30039'};
  const servers = [await started(t, {store: redis.url, flags}), await started(t, {store: redis.url, flags})];
  const made = await Promise.all(Array.from({length: 40}, (_, index) => servers[index % 2]!.client.post(path, outside(`s${index}`))));
  t.deepEqual([...new Set(made.map(({status}) => status))], [201]);
  const specs = made.map((response) => response.json<Service>().spec);
  t.is(new Set(specs.map(({clusterIP}) => clusterIP)).size, 40);
  t.is(new Set(specs.map(({ports}) => ports[0]!.nodePort)).size, 40);

  const full = await servers[0]!.client.post(path, outside('one-too-many'));
  t.is(full.status, 500);
  t.regex(full.json<{message: string}>().message, /failed to allocate a nodePort: range is full/);
});

test.serial('of two services that want one port, made at once through two servers, one gets it', async (t) => {
  const redis = await startRedis(t);
  const servers = [await started(t, {store: redis.url}), await started(t, {store: redis.url})];
  for (let port = 30100; port < 30110; port += 1) {
    const answers = await Promise.all(servers.map(({client}, index) => client.post(path, outside(`p${port}-${index}`, port))));
    t.deepEqual(answers.map(({status}) => status).sort(), [201, 422]);
    const refused = answers.find(({status}) => status === 422)!;
    t.deepEqual(causesOf(refused), [`spec.ports[0].nodePort: Invalid value: ${port}: provided port is already allocated`]);
  }
});

test.serial('an address that a client chooses must be free and of the range', async (t) => {
  const {client} = await started(t);
  t.is((await client.post(path, service('first', {clusterIP: '10.96.0.20'}))).status, 201);
  t.deepEqual(causesOf(await client.post(path, service('second', {clusterIP: '10.96.0.20'}))), [
    'spec.clusterIPs: Invalid value: ["10.96.0.20"]: failed to allocate IP 10.96.0.20: provided IP is already allocated',
  ]);
  t.regex(
    causesOf(await client.post(path, service('third', {clusterIP: '192.0.2.1'})))[0]!,
    /is not in the valid range\. The range of valid IPs is 10\.96\.0\.0\/12$/,
  );
  t.deepEqual(causesOf(await client.post(path, outside('fourth', 80))), [
    'spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
  ]);
});

test.serial('what a service had is free as soon as it is gone or changed', async (t) => {
  const {client} = await started(t);
  for (const name of ['a', 'b', 'c']) {
    t.is((await client.post(path, outside(name, 30200))).status, 201, name);
    t.is((await client.delete(`${path}/${name}`)).status, 200);
  }
  await client.post(path, outside('turned', 30200));
  await client.patch(`${path}/turned`, {spec: {type: 'ClusterIP'}});
  t.is((await client.post(path, outside('next', 30200))).status, 201);
  await client.delete(`${path}/next`);
  await client.delete(`${path}/turned`);
  t.deepEqual(
    await eventually(
      () => claimNames(client),
      (names) => names.length === 0,
    ),
    [],
  );
});

test.serial('a dry run takes nothing away from later requests [A-DRY-14]', async (t) => {
  const {client} = await started(t, {flags: {'service-cluster-ip-range': ['10.0.0.0/30'], 'service-node-port-range': '30000-30000'}});
  // More dry runs than there are addresses and ports.
  for (let turn = 0; turn < 5; turn += 1) {
    const dry = await client.post(`${path}?dryRun=All`, outside(`dry-${turn}`));
    t.is(dry.status, 201);
    t.is(dry.json<Service>().spec.ports[0]!.nodePort, 30000);
    t.is((await client.post(`${path}?dryRun=All`, outside(`wish-${turn}`, 30000))).status, 201);
  }
  t.deepEqual(await claimNames(client), []);
  t.is((await client.post(path, outside('real', 30000))).status, 201);
  t.is((await client.post(`${path}?dryRun=All`, outside('late', 30000))).status, 422);
});

test.serial('a create that is refused can be repeated with the same port', async (t) => {
  const {client} = await started(t);
  const refused = await client.post(path, {
    ...outside('again', 30300),
    spec: {...outside('again', 30300).spec, externalName: 'x', sessionAffinity: 'Perhaps'},
  });
  t.is(refused.status, 422);
  t.deepEqual(await claimNames(client), [], 'nothing was taken for it');
  t.is((await client.post(path, outside('again', 30300))).status, 201);
  // The name exists, so this create fails behind the allocation; its claims do not bar the next update.
  t.is((await client.post(path, outside('again', 30301))).status, 409);
  const moved = await client.patch(`${path}/again`, {spec: {ports: [{port: 80, nodePort: 30301}]}});
  t.is(moved.status, 200);
});

test.serial('claims that are lost come back when a server starts', async (t) => {
  const redis = await startRedis(t);
  const first = await started(t, {store: redis.url});
  await first.client.post(path, outside('restored', 30400));
  const names = await claimNames(first.client);
  t.is(names.length, 2);
  t.is((await first.client.delete(claims)).status, 200);
  const second = await started(t, {store: redis.url});
  t.deepEqual(await claimNames(second.client), names);
  t.is((await second.client.post(path, outside('thief', 30400))).status, 422);
});

test.serial('with ranges of both families a service may have an address of each, and give one back', async (t) => {
  const {client} = await started(t, {flags: {'service-cluster-ip-range': ['10.96.0.0/16', 'fd00::/112']}});
  const {spec} = (await client.post(path, service('dual', {ipFamilyPolicy: 'PreferDualStack'}))).json<Service>();
  t.deepEqual(spec.ipFamilies, ['IPv4', 'IPv6']);
  t.regex(spec.clusterIPs![1]!, /^fd00::[0-9a-f]{1,4}$/);
  const turned = (await client.post(path, service('turned', {ipFamilies: ['IPv6'], ipFamilyPolicy: 'RequireDualStack'}))).json<Service>();
  t.deepEqual(turned.spec.ipFamilies, ['IPv6', 'IPv4']);
  const single = (await client.patch(`${path}/dual`, {spec: {ipFamilyPolicy: 'SingleStack'}})).json<Service>();
  t.deepEqual(single.spec.clusterIPs, [spec.clusterIP!]);
  await eventually(
    () => claimNames(client),
    (names) => names.length === 3,
  );
  const wider = (await client.patch(`${path}/dual`, {spec: {ipFamilyPolicy: 'RequireDualStack'}})).json<Service>();
  t.is(wider.spec.clusterIPs?.length, 2);
  t.is(wider.spec.clusterIP, spec.clusterIP);
});

test.serial('settings of ranges that make no sense stop the start with a sentence', async (t) => {
  const start = (flags: Record<string, unknown>) => t.throwsAsync(startTestServer({flags}));
  t.regex((await start({'service-cluster-ip-range': ['10.0.0.0/32']}))!.message, /no block of addresses that services could get/);
  t.throws(() => nodePorts({clusterIpRanges: [], nodePortRange: '40000-30000', proxyToLoopback: false}), {message: /no range of ports/});
  t.throws(() => addressRanges({clusterIpRanges: ['10.0.0.0/24', '10.1.0.0/24'], nodePortRange: '', proxyToLoopback: false}), {
    message: /one of each family/,
  });
});

test.serial('the lower end of a range is given out last', (t) => {
  const range = new NumberRange(100n, 320n);
  const all = [...range.all()];
  t.is(new Set(all).size, 320);
  t.deepEqual(
    all.slice(-20).map(Number),
    Array.from({length: 20}, (_, index) => 100 + index),
  );
  for (let turn = 0; turn < 200; turn += 1) t.true(range.random() >= 120n);
  t.deepEqual([...new NumberRange(7n, 2n).all()].sort(), [7n, 8n]);
});
