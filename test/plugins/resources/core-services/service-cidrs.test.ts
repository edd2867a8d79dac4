import test, {type ExecutionContext} from 'ava';
import {eventually, startTestServer, type ServerOptions, type TestClient, type TestServer} from '@orch-api/orch/testing';
import type {ApiObject} from '@orch-api/orch/sdk';
import {answer} from '../../../semantics/answers.js';
import {startRedis} from '../../../helpers/redis-server.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {causesOf} from '../served-group.js';

interface Service extends ApiObject {
  spec: {clusterIP: string; clusterIPs: string[]};
}
interface ServiceCidr extends ApiObject {
  spec: {cidrs: string[]};
  status?: {conditions?: {type: string; status: string; reason: string; message: string}[]};
}

const path = '/api/v1/namespaces/default/services';
const cidrs = '/apis/networking.k8s.io/v1/servicecidrs';
const addresses = '/apis/networking.k8s.io/v1/ipaddresses';
const service = (name: string, spec: object = {}) => ({metadata: {name}, spec: {ports: [{port: 80}], ...spec}});
const small = {flags: {'service-cluster-ip-range': ['10.0.0.0/29']}};

async function started(t: ExecutionContext, options: ServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer({platform: 'kubernetes', release: '1.36', controllers: ['*', 'server-endpoints'], ...options});
  t.teardown(() => server.stop());
  return server;
}

async function addressNames(client: TestClient): Promise<string[]> {
  return (await client.get(addresses)).json<{items: ApiObject[]}>().items.map(({metadata}) => metadata.name!);
}

async function isReady(client: TestClient, name: string): Promise<ServiceCidr> {
  return eventually(async () => {
    const object = (await client.get(`${cidrs}/${name}`)).json<ServiceCidr>();
    if (object.status?.conditions?.[0]?.status !== 'True' || !object.metadata.finalizers) throw new Error(JSON.stringify(object));
    return object;
  });
}

/** The ServiceCIDR once its condition has this message. */
function withMessage(client: TestClient, name: string, message: string): Promise<ServiceCidr> {
  return eventually(async () => {
    const object = (await client.get(`${cidrs}/${name}`)).json<ServiceCidr>();
    if (object.status?.conditions?.[0]?.message !== message) throw new Error(JSON.stringify(object));
    return object;
  });
}

async function isGone(t: ExecutionContext, client: TestClient, at: string): Promise<void> {
  await t.notThrowsAsync(
    eventually(async () => {
      const {status} = await client.get(at);
      if (status !== 404) throw new Error(`${at} is still there`);
    }),
  );
}

test.serial('servers that start on a new store at the same time make one ServiceCIDR kubernetes', async (t) => {
  const redis = await startRedis(t);
  const servers = await Promise.all(Array.from({length: 6}, () => started(t, {store: redis.url})));
  for (const {client} of servers) t.deepEqual((await isReady(client, 'kubernetes')).spec.cidrs, ['10.96.0.0/12']);
});

test.serial('the blocks of the flag are the ServiceCIDR kubernetes, ready and kept by a finalizer', async (t) => {
  const {client} = await started(t);
  const object = await isReady(client, 'kubernetes');
  t.deepEqual(object.spec.cidrs, ['10.96.0.0/12']);
  t.deepEqual(object.metadata.finalizers, ['networking.k8s.io/service-cidr-finalizer']);
  const {status} = await withMessage(client, 'kubernetes', 'Kubernetes Service CIDR is ready');
  t.like(status!.conditions![0], {type: 'Ready', status: 'True', reason: ''});
});

test.serial('each address of a service has an IPAddress, which goes with it', async (t) => {
  const {client} = await started(t);
  const made = answer<Service>(t, await client.post(path, service('web')), 201);
  const object = answer<ApiObject & {spec: object}>(t, await client.get(`${addresses}/${made.spec.clusterIP}`), 200);
  t.deepEqual(object.metadata.labels, {
    'ipaddress.kubernetes.io/ip-family': 'IPv4',
    'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
  });
  t.deepEqual(object.spec, {parentRef: {resource: 'services', namespace: 'default', name: 'web'}});
  answer(t, await client.delete(`${path}/web`), 200);
  await isGone(t, client, `${addresses}/${made.spec.clusterIP}`);
  const ofServers = await eventually(async () => {
    const response = await client.get(`${addresses}/10.96.0.1`);
    if (response.status !== 200) throw new Error(response.body.toString());
    return response.json<object>();
  });
  t.like(ofServers, {spec: {parentRef: {resource: 'services', namespace: 'default', name: 'kubernetes'}}});
  const generated = answer<Service>(t, await client.post(path, {...service(''), metadata: {generateName: 'gen-'}}), 201);
  await t.notThrowsAsync(
    eventually(async () => {
      const found = (await client.get(`${addresses}/${generated.spec.clusterIP}`)).json<{spec: {parentRef: {name: string}}}>();
      if (found.spec?.parentRef.name !== generated.metadata.name) throw new Error(JSON.stringify(found));
    }),
    'one whose name the server makes',
  );
});

test.serial('an IPAddress of a service is made again when somebody deletes it', async (t) => {
  const {client} = await started(t);
  const made = answer<Service>(t, await client.post(path, service('kept')), 201);
  const address = `${addresses}/${made.spec.clusterIP}`;
  const {uid} = answer<ApiObject>(t, await client.get(address), 200).metadata;
  await t.notThrowsAsync(
    eventually(async () => {
      const found = (await client.get(address)).json<ApiObject>();
      // What was made before the server follows addresses is deleted once more.
      if (found.metadata.uid === uid) await client.delete(address);
      if (found.metadata.uid === undefined || found.metadata.uid === uid) throw new Error(JSON.stringify(found));
      t.like(found, {spec: {parentRef: {resource: 'services', namespace: 'default', name: 'kept'}}});
    }),
  );
});

test.serial('an address that something else has by an IPAddress is not given to a service', async (t) => {
  const {client} = await started(t, {...small, controllers: []});
  const own = (name: string) => ({metadata: {name}, spec: {parentRef: {group: 'example.com', resource: 'gateways', name: 'g'}}});
  for (const last of [1, 2, 3, 4, 5]) answer(t, await client.post(addresses, own(`10.0.0.${last}`)), 201);
  const taken = 'spec.clusterIPs: Invalid value: ["10.0.0.3"]: failed to allocate IP 10.0.0.3: provided IP is already allocated';
  t.deepEqual(causesOf(await client.post(path, service('wish', {clusterIP: '10.0.0.3'}))), [taken]);
  t.deepEqual(causesOf(await client.post(`${path}?dryRun=All`, service('wish', {clusterIP: '10.0.0.3'}))), [taken]);
  t.is(answer<Service>(t, await client.post(path, service('last')), 201).spec.clusterIP, '10.0.0.6');
  const full = await client.post(path, service('none'));
  t.is(full.status, 500);
  t.regex(full.json<{message: string}>().message, /failed to allocate a serviceIP: range is full/);
  answer(t, await client.delete(`${addresses}/10.0.0.3`), 200);
  t.is(answer<Service>(t, await client.post(path, service('wish', {clusterIP: '10.0.0.3'})), 201).spec.clusterIP, '10.0.0.3');
});

test.serial('services get addresses of every ServiceCIDR that is ready, and of no other block', async (t) => {
  const {client} = await started(t, small);
  const far = service('far', {clusterIP: '10.1.0.9'});
  t.deepEqual(causesOf(await client.post(path, far)), [
    'spec.clusterIPs: Invalid value: ["10.1.0.9"]: failed to allocate IP 10.1.0.9: the provided network does not match the current range',
  ]);
  answer(t, await client.post(cidrs, {metadata: {name: 'more'}, spec: {cidrs: ['10.1.0.0/24']}}), 201);
  await isReady(client, 'more');
  t.is(answer<Service>(t, await client.post(path, far), 201).spec.clusterIP, '10.1.0.9');
  // The block of the flag has 6 addresses, one of them for the service of the servers.
  const made = await Promise.all(Array.from({length: 8}, (_item, index) => client.post(path, service(`s${index}`))));
  const ips = made.map((response) => answer<Service>(t, response, 201).spec.clusterIP);
  t.is(new Set(ips).size, 8);
  t.true(ips.some((ip) => ip.startsWith('10.1.0.')));
});

test.serial('a ServiceCIDR that is deleted gives no address any more, and goes when no service needs it', async (t) => {
  const server = await started(t, small);
  const {client} = server;
  answer(t, await client.post(cidrs, {metadata: {name: 'more'}, spec: {cidrs: ['10.1.0.0/24']}}), 201);
  await isReady(client, 'more');
  answer(t, await client.post(path, service('far', {clusterIP: '10.1.0.9'})), 201);
  answer(t, await client.delete(`${cidrs}/more`), 200);
  const blocked = 'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR';
  t.like((await withMessage(client, 'more', blocked)).status!.conditions![0], {type: 'Ready', status: 'False', reason: 'Terminating'});
  t.is((await client.post(path, service('late', {clusterIP: '10.1.0.10'}))).status, 422);
  answer(t, await client.post(cidrs, {metadata: {name: 'wider'}, spec: {cidrs: ['10.1.0.0/16']}}), 201);
  await isReady(client, 'wider');
  // For so long others may still give addresses of it.
  await server.advance(15_000);
  await isGone(t, client, `${cidrs}/more`);
  t.is((await client.get(`${path}/far`)).status, 200);
});

test.serial('the ServiceCIDR kubernetes is made again when it is gone', async (t) => {
  const {client} = await started(t);
  const {metadata} = await isReady(client, 'kubernetes');
  await client.delete(`${path}/kubernetes`);
  answer(t, await client.delete(`${cidrs}/kubernetes`), 200);
  answer(t, await client.patch(`${cidrs}/kubernetes`, {metadata: {finalizers: null}}), 200);
  await t.notThrowsAsync(
    eventually(async () => {
      const again = (await client.get(`${cidrs}/kubernetes`)).json<ServiceCidr>();
      if (!again.metadata.uid || again.metadata.uid === metadata.uid) throw new Error(JSON.stringify(again));
    }),
  );
});

test.serial('a store that comes from a release without ServiceCIDRs gets the objects of its services', async (t) => {
  const dataDir = tempFolder(t);
  const older = await startTestServer({platform: 'kubernetes', release: '1.32', store: 'embedded', dataDir});
  const made = answer<Service>(t, await older.client.post(path, service('old')), 201);
  t.is((await older.client.get(`${addresses}/${made.spec.clusterIP}`)).status, 404);
  await older.stop();
  const {client} = await started(t, {store: 'embedded', dataDir});
  t.true((await addressNames(client)).includes(made.spec.clusterIP));
});

test.serial('a family that the flag has gained is added to the ServiceCIDR kubernetes', async (t) => {
  const dataDir = tempFolder(t);
  const single = await startTestServer({platform: 'kubernetes', release: '1.36', store: 'embedded', dataDir});
  await isReady(single.client, 'kubernetes');
  await single.stop();
  const blocks = ['10.96.0.0/12', 'fd00:1::/112'];
  const {client} = await started(t, {store: 'embedded', dataDir, flags: {'service-cluster-ip-range': blocks}});
  t.deepEqual((await isReady(client, 'kubernetes')).spec.cidrs, blocks);
  const both = answer<Service>(t, await client.post(path, service('both', {ipFamilyPolicy: 'RequireDualStack'})), 201);
  t.deepEqual(both.spec.clusterIPs.filter((ip) => ip.includes(':')).length, 1);
  for (const ip of both.spec.clusterIPs) t.is((await client.get(`${addresses}/${ip}`)).status, 200, ip);
});
