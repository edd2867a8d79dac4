import test from 'ava';
import {findKubectls, kubectlFor} from '../../../helpers/kubectl.js';
import {testOnCluster} from './cluster.js';

const clusterTest = testOnCluster('2:cpu=8,memory=16Gi', {controllers: ['*', 'apiservice-registration']});

const metrics = '/apis/metrics.k8s.io/v1beta1';

interface Usage {
  readonly cpu: string;
  readonly memory: string;
}

interface PodMetrics {
  readonly metadata: {readonly name: string; readonly labels?: object};
  readonly timestamp: string;
  readonly window: string;
  readonly containers: readonly {readonly name: string; readonly usage: Usage}[];
}

const ofPods = `${metrics}/namespaces/default/pods`;

clusterTest('the usage of pods is served as resource metrics, by annotations and Stages', async (t, cluster) => {
  const asking = {resources: {requests: {cpu: '200m', memory: '100Mi'}, limits: {cpu: '300m'}}};
  const containers = [
    {name: 'main', image: 'registry.example.com/app:1', ...asking},
    {name: 'proxy', image: 'registry.example.com/proxy:1'},
  ];
  await cluster.stage('proxies', {images: ['*/proxy:*'], behaviour: {cpu: '5m'}});
  await cluster.pod('plain', {}, {containers});
  await cluster.pod('busy', {'main.cpu': '150%', 'proxy.memory': '64Mi'}, {containers});
  await cluster.pod('waiting', {pull: '1h'});
  await cluster.server.settled();
  const {kind, items} = await cluster.get<{kind: string; items: PodMetrics[]}>(ofPods);
  t.is(kind, 'PodMetricsList');
  t.deepEqual(
    items.map(({metadata, containers: found}) => [metadata.name, ...found.map(({name, usage}) => `${name} ${usage.cpu} ${usage.memory}`)]),
    [
      // Twice what it asks for would be more than its limit.
      ['busy', 'main 300m 50Mi', 'proxy 5m 64Mi'],
      ['plain', 'main 20m 50Mi', 'proxy 5m 32Mi'],
    ],
  );
  t.is(items[0]!.window, '10s');
  t.regex(items[0]!.timestamp, /^\d{4}-\d\d-\d\dT[\d:]{8}Z$/);
  const one = await cluster.server.client.get(`${ofPods}/plain`);
  t.is(one.status, 200);
  const none = await cluster.server.client.get(`${ofPods}/waiting`);
  t.is(none.status, 404);
  t.like(none.json(), {message: 'podmetrics.metrics.k8s.io "default/waiting" not found'});
  for (const name of ['plain', 'busy', 'waiting']) await cluster.remove(`/api/v1/namespaces/default/pods/${name}`);
  await cluster.remove('/apis/simulate.orch/v1alpha1/stages/proxies');
});

clusterTest('pods of one workload share what is said to be shared, as many as there are', async (t, cluster) => {
  const template = {
    metadata: {labels: {app: 'web'}, annotations: {'simulate.orch/cpu': 'shared 2'}},
    spec: {containers: [{name: 'main', image: 'registry.example.com/app:1'}]},
  };
  const spec = {replicas: 4, selector: {matchLabels: {app: 'web'}}, template};
  await cluster.create('/apis/apps/v1/namespaces/default/deployments', {metadata: {name: 'web'}, spec});
  await cluster.server.settled();
  const used = async () => {
    const {items} = await cluster.get<{items: PodMetrics[]}>(`${ofPods}?labelSelector=app%3Dweb`);
    return items.map(({containers}) => containers[0]!.usage.cpu);
  };
  t.deepEqual(await used(), ['500m', '500m', '500m', '500m']);
  await cluster.patch('/apis/apps/v1/namespaces/default/deployments/web', {spec: {replicas: 2}});
  await cluster.server.settled();
  t.deepEqual(await used(), ['1', '1']);
  await cluster.remove('/apis/apps/v1/namespaces/default/deployments/web');
});

clusterTest('a node uses what its pods do and something itself, unless nothing is heard of it', async (t, cluster) => {
  await cluster.pod('one', {cpu: '1', memory: '1Gi'}, {nodeName: 'node-1'});
  await cluster.patch('/api/v1/nodes/node-1', {metadata: {annotations: {'simulate.orch/cpu': '50%', 'simulate.orch/memory': '1Gi'}}});
  await cluster.server.settled();
  const nodes = async () => {
    const {items} = await cluster.get<{items: {metadata: {name: string}; usage: Usage}[]}>(`${metrics}/nodes`);
    return Object.fromEntries(items.map(({metadata, usage}) => [metadata.name, `${usage.cpu} ${usage.memory}`]));
  };
  t.deepEqual(await nodes(), {'node-1': '5 2Gi', 'node-2': '100m 512Mi'});
  await using _down = await cluster.server.faults.nodeDown('node-2');
  t.deepEqual(Object.keys(await nodes()), ['node-1']);
  await cluster.remove('/api/v1/namespaces/default/pods/one');
});

clusterTest('the resource metrics are in discovery, have an APIService, and are shown in a Table', async (t, cluster) => {
  const {resources} = await cluster.get<{resources: {name: string; kind: string; verbs: string[]}[]}>(metrics);
  t.deepEqual(
    resources.map(({name, kind, verbs}) => [name, kind, ...verbs].join(' ')),
    ['nodes NodeMetrics get list', 'pods PodMetrics get list'],
  );
  const {spec} = await cluster.get<{spec: object}>('/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.metrics.k8s.io');
  t.like(spec, {group: 'metrics.k8s.io', version: 'v1beta1'});
  const accept = {headers: {accept: 'application/json;as=Table;v=v1;g=meta.k8s.io'}};
  const table = await cluster.server.client.get(`${metrics}/nodes/node-2`, accept);
  t.deepEqual(table.json<{rows: {cells: string[]}[]}>().rows[0]!.cells, ['node-2', '100m', '512Mi', '10s']);
  t.is((await cluster.server.client.get(`${ofPods}?labelSelector=a%20b`)).status, 400);
});

const [binary] = findKubectls();
const kubectlTest: typeof clusterTest = (title, run) => (binary ? clusterTest(title, run) : test.skip(title, () => undefined));

kubectlTest('kubectl top shows nodes and pods', async (t, cluster) => {
  const kubectl = kubectlFor(t, binary!, cluster.server.kubeconfig);
  await cluster.pod('top', {cpu: '250m', memory: '100Mi'}, {nodeName: 'node-2'});
  await cluster.server.settled();
  t.regex(await kubectl.ok(['top', 'pods']), /^top +250m +100Mi/m);
  t.regex(await kubectl.ok(['top', 'pod', 'top', '--containers']), /^top +main +250m +100Mi/m);
  t.regex(await kubectl.ok(['top', 'nodes']), /^node-2 +350m +4% +612Mi +3%/m);
});
