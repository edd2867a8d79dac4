import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {readServerFile, startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../helpers/eventually.js';
import {freePort} from '../helpers/free-port.js';
import {parseMetrics} from '../helpers/metrics-text.js';
import {tempFolder} from '../helpers/temp-folder.js';
import {whereInstalled} from '../helpers/where-installed.js';

const pods = '/api/v1/namespaces/shop/pods';
const roles = ['node', 'pod', 'service', 'endpoints', 'endpointslice', 'ingress'] as const;

/** What `kubernetes_sd_configs` finds in the objects of `makeObjects`, by role: the least that a target of its must have. */
const expected: Readonly<Record<(typeof roles)[number], readonly Readonly<Record<string, string>>[]>> = {
  node: [
    {
      __address__: '10.0.0.1:10250',
      __meta_kubernetes_node_name: 'worker',
      __meta_kubernetes_node_label_zone: 'north',
      __meta_kubernetes_node_labelpresent_zone: 'true',
      __meta_kubernetes_node_annotation_rack: '7',
      __meta_kubernetes_node_address_InternalIP: '10.0.0.1',
      __meta_kubernetes_node_address_Hostname: 'worker.example',
    },
  ],
  pod: [
    {
      __address__: '10.0.1.2:8080',
      __meta_kubernetes_namespace: 'shop',
      __meta_kubernetes_pod_name: 'web-1',
      __meta_kubernetes_pod_ip: '10.0.1.2',
      __meta_kubernetes_pod_node_name: 'worker',
      __meta_kubernetes_pod_host_ip: '10.0.0.1',
      __meta_kubernetes_pod_ready: 'true',
      __meta_kubernetes_pod_phase: 'Running',
      __meta_kubernetes_pod_label_app: 'web',
      __meta_kubernetes_pod_container_name: 'main',
      __meta_kubernetes_pod_container_port_name: 'http',
      __meta_kubernetes_pod_container_port_number: '8080',
      __meta_kubernetes_pod_container_port_protocol: 'TCP',
    },
  ],
  service: [
    {
      __address__: 'web.shop.svc:80',
      __meta_kubernetes_namespace: 'shop',
      __meta_kubernetes_service_name: 'web',
      __meta_kubernetes_service_type: 'ClusterIP',
      __meta_kubernetes_service_cluster_ip: '10.96.0.80',
      __meta_kubernetes_service_label_app: 'web',
      __meta_kubernetes_service_annotation_team: 'blue',
      __meta_kubernetes_service_port_name: 'http',
      __meta_kubernetes_service_port_protocol: 'TCP',
    },
  ],
  endpoints: [
    {
      __address__: '10.0.1.2:8080',
      __meta_kubernetes_namespace: 'shop',
      __meta_kubernetes_endpoints_name: 'web',
      __meta_kubernetes_endpoint_ready: 'true',
      __meta_kubernetes_endpoint_port_name: 'http',
      __meta_kubernetes_endpoint_address_target_kind: 'Pod',
      __meta_kubernetes_endpoint_address_target_name: 'web-1',
      // Of the pod and the service behind it, which it lists and watches for this role too.
      __meta_kubernetes_pod_container_name: 'main',
      __meta_kubernetes_service_cluster_ip: '10.96.0.80',
    },
    {__address__: '10.0.1.3:8080', __meta_kubernetes_endpoints_name: 'web', __meta_kubernetes_endpoint_ready: 'false'},
  ],
  endpointslice: [
    {
      __address__: '10.0.1.2:8080',
      __meta_kubernetes_namespace: 'shop',
      __meta_kubernetes_endpointslice_name: 'web-abc',
      __meta_kubernetes_endpointslice_address_type: 'IPv4',
      __meta_kubernetes_endpointslice_port: '8080',
      __meta_kubernetes_endpointslice_port_name: 'http',
      __meta_kubernetes_endpointslice_port_protocol: 'TCP',
      __meta_kubernetes_endpointslice_endpoint_conditions_ready: 'true',
      __meta_kubernetes_endpointslice_address_target_name: 'web-1',
      __meta_kubernetes_pod_label_app: 'web',
      __meta_kubernetes_service_name: 'web',
    },
  ],
  ingress: [
    {
      __address__: 'shop.example',
      __meta_kubernetes_namespace: 'shop',
      __meta_kubernetes_ingress_name: 'web',
      __meta_kubernetes_ingress_host: 'shop.example',
      __meta_kubernetes_ingress_path: '/cart',
      __meta_kubernetes_ingress_scheme: 'https',
    },
  ],
};

interface Target {
  readonly health: string;
  readonly lastError: string;
  readonly scrapeUrl: string;
  readonly scrapePool: string;
  readonly discoveredLabels: Readonly<Record<string, string>>;
}

let server: TestServer;
test.before(async () => {
  server = await startTestServer({platform: 'kubernetes'});
});
test.after.always(() => server.stop());

whereInstalled('victoria-metrics')(
  'VictoriaMetrics discovers nodes, pods, services, endpoints, slices and ingresses with the token of a service account, follows them, and scrapes',
  async (t) => {
    const {client} = server;
    const create = async (path: string, object: object) => {
      const answer = await client.post(path, object);
      t.is(answer.status, 201, answer.body.toString());
      return answer;
    };
    const setStatus: SetStatus = async (path, status) => {
      const answer = await client.patch(`${path}/status`, {status});
      t.is(answer.status, 200, answer.body.toString());
    };
    await makeObjects(create, setStatus);
    const dir = tempFolder(t);
    writeFileSync(join(dir, 'token'), await tokenOfScraper(create));
    writeFileSync(join(dir, 'ca.crt'), await readServerFile(server, 'pki', 'ca.crt'));
    const access = {authorization: {credentials_file: join(dir, 'token')}, tls_config: {ca_file: join(dir, 'ca.crt')}};
    writeFileSync(
      join(dir, 'scrape.yml'),
      JSON.stringify({
        global: {scrape_interval: '1s'},
        scrape_configs: roles.map((role) => ({
          job_name: role,
          scheme: 'https',
          ...access,
          kubernetes_sd_configs: [{role, api_server: server.url, ...access}],
          // What was discovered is nowhere: this server stands for all of it.
          relabel_configs: [
            {target_label: '__address__', replacement: new URL(server.url).host},
            {target_label: '__metrics_path__', replacement: '/metrics'},
            {source_labels: ['__meta_kubernetes_pod_name'], target_label: 'pod'},
          ],
        })),
      }),
    );
    const port = await freePort();
    const program = spawn(
      'victoria-metrics',
      [
        `-httpListenAddr=127.0.0.1:${port}`,
        `-storageDataPath=${join(dir, 'data')}`,
        `-promscrape.config=${join(dir, 'scrape.yml')}`,
        '-promscrape.kubernetesSDCheckInterval=1s',
        '-promscrape.suppressDuplicateScrapeTargetErrors',
        '-memory.allowedBytes=64MB',
        '-search.latencyOffset=1s',
      ],
      {stdio: ['ignore', 'ignore', 'pipe']},
    );
    let log = '';
    program.stderr.on('data', (text: Buffer) => (log = (log + text.toString()).slice(-20_000)));
    t.teardown(async () => {
      if (program.exitCode !== null) return;
      program.kill();
      await once(program, 'exit');
    });
    const ask = async <T>(path: string): Promise<T | undefined> => {
      try {
        return ((await (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json()) as {data: T}).data;
      } catch {
        return undefined;
      }
    };
    const targets = async () => (await ask<{activeTargets: Target[]}>('targets'))?.activeTargets ?? [];
    const until = (isWanted: (found: readonly Target[]) => boolean) =>
      eventually(targets, isWanted).catch((error: Error) => {
        throw new Error(`${error.message}\n${log}`);
      });
    const found = await until((all) => roles.every((role) => all.some(({scrapePool, health}) => scrapePool === role && health === 'up')));
    for (const role of roles)
      for (const wanted of expected[role]) {
        const labels = found.filter(({scrapePool}) => scrapePool === role).map(({discoveredLabels}) => discoveredLabels);
        const of = labels.find((each) => each.__address__ === wanted.__address__);
        t.like(of, wanted, `${role}: ${JSON.stringify(labels, undefined, 1)}`);
      }
    t.true(found.every(({scrapeUrl}) => scrapeUrl.startsWith(`${server.url}/metrics`)));

    // It watches: what comes and goes later is known without another list.
    await makePod(create, setStatus, 'web-2', '10.0.1.4');
    const isSecond = ({discoveredLabels}: Target) => discoveredLabels.__meta_kubernetes_pod_ip === '10.0.1.4';
    await until((all) => all.some((target) => target.scrapePool === 'pod' && isSecond(target) && target.health === 'up'));
    t.is((await client.delete(`${pods}/web-2?gracePeriodSeconds=0`)).status, 200);
    await until((all) => all.length > 0 && !all.some(isSecond));
    const requests = parseMetrics((await client.get('/metrics')).body.toString()).get('apiserver_request_total')!.samples;
    const lists = requests.filter(({labels}) => labels.verb === 'LIST' && labels.resource === 'pods' && labels.code === '200');
    // One for each role that needs pods.
    t.true(lists[0]!.value <= 3, JSON.stringify(lists));

    // And what it scrapes is stored, under the labels that it discovered.
    type Result = {result: {metric: Record<string, string>; value: [number, string]}[]};
    const query = `query?query=${encodeURIComponent('apiserver_storage_objects{job="pod",resource="pods",pod="web-1"}')}`;
    const stored = await eventually(
      async () => (await ask<Result>(query))?.result ?? [],
      ({length}) => length > 0,
    );
    t.is(stored[0]!.metric.instance, new URL(server.url).host);
  },
);

type Create = (path: string, object: object) => Promise<{json<T>(): T}>;
type SetStatus = (path: string, status: object) => Promise<void>;

/** A node, a pod on it, the service before it with its addresses, and an ingress: what a cluster has of a small application. */
async function makeObjects(create: Create, setStatus: SetStatus): Promise<void> {
  const shop = '/api/v1/namespaces/shop';
  const labels = {app: 'web'};
  await create('/api/v1/nodes', {metadata: {name: 'worker', labels: {zone: 'north'}, annotations: {rack: '7'}}});
  await setStatus('/api/v1/nodes/worker', {
    addresses: [
      {type: 'InternalIP', address: '10.0.0.1'},
      {type: 'Hostname', address: 'worker.example'},
    ],
    daemonEndpoints: {kubeletEndpoint: {Port: 10250}},
  });
  await create('/api/v1/namespaces', {metadata: {name: 'shop'}});
  await makePod(create, setStatus, 'web-1', '10.0.1.2');
  await create(`${shop}/services`, {
    metadata: {name: 'web', labels, annotations: {team: 'blue'}},
    spec: {clusterIP: '10.96.0.80', selector: labels, ports: [{name: 'http', port: 80, targetPort: 8080}]},
  });
  const targetRef = {kind: 'Pod', namespace: 'shop', name: 'web-1'};
  await create(`${shop}/endpoints`, {
    metadata: {name: 'web', labels},
    subsets: [
      {
        addresses: [{ip: '10.0.1.2', targetRef}],
        notReadyAddresses: [{ip: '10.0.1.3'}],
        ports: [{name: 'http', port: 8080, protocol: 'TCP'}],
      },
    ],
  });
  await create('/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices', {
    metadata: {name: 'web-abc', labels: {...labels, 'kubernetes.io/service-name': 'web'}},
    addressType: 'IPv4',
    endpoints: [{addresses: ['10.0.1.2'], conditions: {ready: true}, targetRef}],
    ports: [{name: 'http', port: 8080, protocol: 'TCP'}],
  });
  const backend = {service: {name: 'web', port: {name: 'http'}}};
  await create('/apis/networking.k8s.io/v1/namespaces/shop/ingresses', {
    metadata: {name: 'web', labels},
    spec: {
      tls: [{hosts: ['shop.example'], secretName: 'web'}],
      rules: [{host: 'shop.example', http: {paths: [{path: '/cart', pathType: 'Prefix', backend}]}}],
    },
  });
}

async function makePod(create: Create, setStatus: SetStatus, name: string, ip: string): Promise<void> {
  const containers = [{name: 'main', image: 'web:1', ports: [{name: 'http', containerPort: 8080}]}];
  await create(pods, {metadata: {name, labels: {app: 'web'}}, spec: {nodeName: 'worker', containers}});
  await setStatus(`${pods}/${name}`, {
    phase: 'Running',
    podIP: ip,
    podIPs: [{ip}],
    hostIP: '10.0.0.1',
    conditions: [{type: 'Ready', status: 'True'}],
  });
}

/** The token of a service account that may read `/metrics` and what is discovered, as the documentation of monitoring systems has it. */
async function tokenOfScraper(create: Create): Promise<string> {
  const accounts = '/api/v1/namespaces/shop/serviceaccounts';
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  await create(accounts, {metadata: {name: 'scraper'}});
  const verbs = ['get', 'list', 'watch'];
  await create(`${rbac}/clusterroles`, {
    metadata: {name: 'scraper'},
    rules: [
      {apiGroups: [''], resources: ['nodes', 'pods', 'services', 'endpoints'], verbs},
      {apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs},
      {apiGroups: ['networking.k8s.io'], resources: ['ingresses'], verbs},
      {nonResourceURLs: ['/metrics'], verbs: ['get']},
    ],
  });
  await create(`${rbac}/clusterrolebindings`, {
    metadata: {name: 'scraper'},
    roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'scraper'},
    subjects: [{kind: 'ServiceAccount', name: 'scraper', namespace: 'shop'}],
  });
  const answer = await create(`${accounts}/scraper/token`, {spec: {expirationSeconds: 3600}});
  return answer.json<{status: {token: string}}>().status.token;
}
