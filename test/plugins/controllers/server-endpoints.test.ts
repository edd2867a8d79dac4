import test from 'ava';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {KubeConfig, CoreV1Api} from '@kubernetes/client-node';
import {Client, inClusterConnection, types} from '@orch-api/orch/client';
import {createServer} from '@orch-api/orch';
import {readServerFile, startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../helpers/eventually.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {startTwoServers} from '../../helpers/two-servers.js';

const configuration = {plugins: {'server-endpoints': {config: {renewMilliseconds: 100, expiryMilliseconds: 1500}}}};
const options = {platform: 'kubernetes', controllers: ['*', 'server-endpoints', 'root-ca-cert-publisher'], configuration} as const;

interface Subset {
  addresses: {ip: string}[];
  ports: {name: string; port: number}[];
}
interface Slice {
  metadata: {name: string};
  addressType: string;
  endpoints: {addresses: string[]; conditions: {ready: boolean}}[];
  ports: {name: string; port: number}[];
}

const path = '/api/v1/namespaces/default';
const pairs = async ({client}: TestServer) => {
  const {subsets = []} = (await client.get(`${path}/endpoints/kubernetes`)).json<{subsets?: Subset[]}>();
  return subsets.flatMap(({addresses, ports}) => addresses.flatMap(({ip}) => ports.map(({port}) => `${ip}:${port}`))).toSorted();
};
const slicePairs = async ({client}: TestServer) => {
  const url = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices?labelSelector=kubernetes.io/service-name%3Dkubernetes';
  const {items} = (await client.get(url)).json<{items: Slice[]}>();
  return items.flatMap(({endpoints, ports}) => endpoints.map(({addresses}) => `${addresses[0]}:${ports[0]!.port}`)).toSorted();
};
const told = async (server: TestServer, wanted: readonly string[]) => {
  for (const look of [pairs, slicePairs])
    await eventually(
      () => look(server),
      (found) => JSON.stringify(found) === JSON.stringify(wanted.toSorted()),
    );
};
const hostOf = ({url}: TestServer) => new URL(url).host;

let server: TestServer;
test.before(async () => {
  server = await startTestServer(options);
});
test.after.always(() => server?.stop());

test('the service of the API server is in default, at the first address of the range, with Endpoints and a slice', async (t) => {
  await told(server, [hostOf(server)]);
  const service = await eventually(
    async () => (await server.client.get(`${path}/services/kubernetes`)).json<{metadata: object; spec?: object}>(),
    ({spec}) => spec !== undefined,
  );
  t.like(service.metadata, {labels: {component: 'apiserver', provider: 'kubernetes'}});
  const {port} = new URL(server.url);
  t.like(service.spec!, {
    type: 'ClusterIP',
    clusterIP: '10.96.0.1',
    ports: [{name: 'https', protocol: 'TCP', port: 443, targetPort: Number(port)}],
    sessionAffinity: 'None',
  });
  const slice = (await server.client.get('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes')).json<Slice>();
  t.like(slice, {addressType: 'IPv4', ports: [{name: 'https', port: Number(port)}]});
  t.deepEqual(slice.endpoints, [{addresses: ['127.0.0.1'], conditions: {ready: true}}]);
});

test('what somebody changes or deletes of it is put back', async (t) => {
  // Others look at that of the shared server at the same time.
  await using server = await startTestServer(options);
  await told(server, [hostOf(server)]);
  await server.client.patch(`${path}/endpoints/kubernetes`, {subsets: [{addresses: [{ip: '192.0.2.7'}], ports: [{port: 1}]}]});
  await told(server, [hostOf(server)]);
  for (const url of [
    `${path}/services/kubernetes`,
    `${path}/endpoints/kubernetes`,
    '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes',
  ]) {
    const before = (await server.client.get(url)).json<{metadata: {uid: string}}>().metadata.uid;
    t.is((await server.client.delete(url)).status, 200, url);
    await eventually(
      async () => (await server.client.get(url)).json<{metadata: {uid?: string}}>().metadata.uid,
      (uid) => uid !== undefined && uid !== before,
    );
  }
  t.like((await server.client.get(`${path}/services/kubernetes`)).json<object>(), {spec: {clusterIP: '10.96.0.1'}});
});

test('only behind this service, and only on a server that listens on loopback, may an address be that of loopback', async (t) => {
  const body = (name: string) => ({metadata: {name}, subsets: [{addresses: [{ip: '127.0.0.1'}], ports: [{port: 1}]}]});
  t.is((await server.client.post(`${path}/endpoints`, body('other'))).status, 422);
  await using elsewhere = await startTestServer({platform: 'kubernetes', advertiseAddress: '192.0.2.1'});
  t.is((await elsewhere.client.post(`${path}/endpoints`, body('kubernetes'))).status, 422);
});

test('a server has a lease, which it renews, and takes away when it stops', async (t) => {
  const dataDir = tempFolder(t);
  const one = await startTestServer({...options, store: 'embedded', dataDir});
  const leases = async (from: TestServer) =>
    (
      await from.client.get('/apis/coordination.k8s.io/v1/namespaces/kube-system/leases?labelSelector=k8s.io/component%3Dkube-apiserver')
    ).json<{
      items: {metadata: {name: string}; spec: {renewTime: string; leaseDurationSeconds: number; holderIdentity: string}}[];
    }>().items;
  const [first] = await eventually(
    () => leases(one),
    (items) => items.length === 1,
  );
  t.regex(first!.metadata.name, /^kube-apiserver-[0-9a-f]{26}$/);
  t.is(first!.spec.leaseDurationSeconds, 3600);
  t.true(first!.spec.holderIdentity.startsWith(`${first!.metadata.name}_`));
  await eventually(
    () => leases(one),
    ([now]) => now!.spec.renewTime > first!.spec.renewTime,
  );
  await one.stop();
  await using later = await startTestServer({...options, controllers: ['*', '-server-endpoints'], store: 'embedded', dataDir});
  t.deepEqual(await leases(later), []);
  t.deepEqual(await pairs(later), []);
  t.deepEqual(await slicePairs(later), []);
});

test('the servers of a store are all told; one that stops goes at once, one that crashes when its lease expires', async (t) => {
  const [one, other] = await startTwoServers(t, options);
  await told(one, [hostOf(one), hostOf(other)]);
  await told(other, [hostOf(one), hostOf(other)]);
  const lease = {
    metadata: {
      name: 'kube-apiserver-crashed',
      labels: {'k8s.io/component': 'kube-apiserver'},
      annotations: {'apiserver.kubernetes.io/address': '127.0.0.9:6443'},
    },
    spec: {holderIdentity: 'crashed', leaseDurationSeconds: 3600, renewTime: new Date().toISOString().replace('Z', '000Z')},
  };
  t.is((await one.client.post('/apis/coordination.k8s.io/v1/namespaces/kube-system/leases', lease)).status, 201);
  await told(one, [hostOf(one), hostOf(other), '127.0.0.9:6443']);
  await told(one, [hostOf(one), hostOf(other)]);
  await other.stop();
  await told(one, [hostOf(one)]);
});

test('clients with the configuration of a pod reach the server', async (t) => {
  const folder = join(tempFolder(t), 'serviceaccount');
  await mkdir(folder);
  const {hostname, port} = new URL(server.url);
  const accounts = `${path}/serviceaccounts/default/token`;
  await eventually(
    async () => (await server.client.get(`${path}/serviceaccounts/default`)).status,
    (status) => status === 200,
  );
  const token = (await server.client.post(accounts, {spec: {}})).json<{status: {token: string}}>().status.token;
  const ca = await eventually(
    async () => (await server.client.get(`${path}/configmaps/kube-root-ca.crt`)).json<{data?: Record<string, string>}>().data?.['ca.crt'],
    (text) => text !== undefined,
  );
  for (const [name, text] of Object.entries({token, 'ca.crt': ca!, namespace: 'default'})) await writeFile(join(folder, name), text);
  const binding = {
    metadata: {name: 'viewer'},
    roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view'},
    subjects: [{kind: 'ServiceAccount', name: 'default', namespace: 'default'}],
  };
  t.is((await server.client.post('/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', binding)).status, 201);
  const environment = {KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port};
  using own = new Client(await inClusterConnection({serviceAccountFolder: folder, environment}), {platform: 'kubernetes'});
  const found = await eventually(
    () =>
      own
        .resource(types.core.v1.Service, 'default')
        .get('kubernetes')
        .catch(() => undefined),
    (service) => service !== undefined,
  );
  t.is(found!.metadata.name, 'kubernetes');
  await eventually(
    async () => (await server.client.get(`${path}/endpoints/kubernetes`)).status,
    (status) => status === 200,
  );

  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [{name: 'c', server: server.url, caFile: join(folder, 'ca.crt')}],
    users: [{name: 'u', authProvider: {name: 'tokenFile', config: {tokenFile: join(folder, 'token')}}}],
    contexts: [{name: 'x', cluster: 'c', user: 'u'}],
    currentContext: 'x',
  });
  const endpoints = await config.makeApiClient(CoreV1Api).readNamespacedEndpoints({name: 'kubernetes', namespace: 'default'});
  t.is(endpoints.subsets?.[0]?.addresses?.[0]?.ip, '127.0.0.1');
});

test('the serving certificate is valid for the service: its names, its address, and the advertised address', async (t) => {
  const {X509Certificate} = await import('node:crypto');
  await using advertised = await startTestServer({
    platform: 'kubernetes',
    advertiseAddress: '192.0.2.1',
    flags: {'service-cluster-ip-range': ['10.20.0.0/16', 'fd00:20::/112']},
  });
  const certificate = new X509Certificate(await readServerFile(advertised, 'pki', 'serving.crt'));
  for (const name of ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'])
    t.is(certificate.checkHost(name), name);
  for (const ip of ['10.20.0.1', 'fd00:20::1', '192.0.2.1', '127.0.0.1']) t.truthy(certificate.checkIP(ip), ip);
});

test('--advertise-address is told in place of the address that the server listens on, and must be one that can be reached', async (t) => {
  await using advertised = await startTestServer({...options, advertiseAddress: '192.0.2.1'});
  await told(advertised, [`192.0.2.1:${new URL(advertised.url).port}`]);
  for (const advertiseAddress of ['0.0.0.0', 'example.com', '169.254.1.1', '224.0.0.1', '']) {
    await t.throwsAsync(createServer({store: 'memory', securePort: 0, dataDir: tempFolder(t), advertiseAddress}), {
      message: /^--advertise-address must be an IP address at which others reach the server, not /,
    });
  }
});
