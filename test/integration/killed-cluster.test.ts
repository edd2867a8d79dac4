import test from 'ava';
import {join} from 'node:path';
import {TestClient} from '@orch-api/orch/testing';
import type {Job} from '@orch-api/orch/types/unchecked/batch/v1';
import type {Pod} from '@orch-api/orch/types/unchecked/core/v1';
import {until} from '../helpers/eventually.js';
import {startOrch} from '../helpers/orch-process.js';
import {startRedis} from '../helpers/redis-server.js';

const pods = '/api/v1/namespaces/default/pods';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const sets = '/apis/apps/v1/namespaces/default/statefulsets';
const jobs = '/apis/batch/v1/namespaces/default/jobs';
const lease = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager';
const election = ['--leader-elect-lease-duration', '2s', '--leader-elect-renew-deadline', '1500ms', '--leader-elect-retry-period', '200ms'];
const patienceMillis = 90_000;

const replicas = 24;
const completions = 12;
/** Three nodes have room for no more than what is to run, and what a roll-over adds. */
const roomOfNode = 14;

interface Rollout {
  readonly metadata: {readonly generation: number};
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
  };
}

const template = (app: string, annotations: object, spec: object = {}) => ({
  metadata: {labels: {app}, annotations},
  spec: {containers: [{name: 'main', image: `registry.example.com/${app}:1`}], ...spec},
});

const workload = (app: string, count: number, annotations: object) => ({
  metadata: {name: app},
  spec: {replicas: count, selector: {matchLabels: {app}}, template: template(app, annotations)},
});

test('a cluster of two servers of which the leading one is killed in the middle has every pod once, and each runs', async (t) => {
  t.timeout(180_000);
  const redis = await startRedis(t);
  const extra = ['--cluster', `--nodes=3:pods=${roomOfNode}`, ...election];
  const options = {platform: 'kubernetes', store: redis.url, extra} as const;
  const servers = await Promise.all([startOrch(t, options), startOrch(t, options)]);
  const clients = await Promise.all(servers.map(({dataDir, url}) => TestClient.open(url, join(dataDir, 'pki'))));
  t.teardown(() => clients.forEach((client) => client.close()));
  const holder = async (client: TestClient) => (await client.get(lease)).json<{spec?: {holderIdentity?: string}}>().spec?.holderIdentity;
  const identity = await until('a leader', () => holder(clients[0]!));
  const leader = await until('its process', () =>
    servers.find((server) => new RegExp(`${identity}.*leads|leads.*${identity}`).test(server.logs())),
  );
  const client = clients[servers.findIndex((server) => server !== leader)]!;
  const found = async (selector: string) => (await client.get(`${pods}?labelSelector=${selector}`)).json<{items: Pod[]}>().items;
  const {metadata} = (await client.get(pods)).json<{metadata: {resourceVersion: string}}>();

  await client.post(deployments, workload('web', replicas, {'simulate.orch/ready': '0s+1s'}));
  await client.post(sets, {
    ...workload('store', 3, {'simulate.orch/ready': '1s'}),
    spec: {...workload('store', 3, {}).spec, serviceName: 's'},
  });
  await client.post(jobs, {
    metadata: {name: 'once'},
    spec: {
      completions,
      parallelism: 4,
      completionMode: 'Indexed',
      template: template('once', {'simulate.orch/after': '1s'}, {restartPolicy: 'Never'}),
    },
  });
  await until('some pods', async () => (await found('app')).length > 6, patienceMillis);
  await leader.kill9();
  await client.patch(`${deployments}/web`, {spec: {template: {metadata: {annotations: {round: '2'}}}}});

  await until(
    'the Deployment is rolled out',
    async () => {
      const {
        metadata: {generation},
        status = {},
      } = (await client.get(`${deployments}/web`)).json<Rollout>();
      const {observedGeneration, updatedReplicas, availableReplicas} = status;
      return (
        observedGeneration === generation && [status.replicas, updatedReplicas, availableReplicas].every((count) => count === replicas)
      );
    },
    patienceMillis,
  );
  await until(
    'the Job is complete',
    async () => {
      const {status} = (await client.get(`${jobs}/once`)).json<Job>();
      return status?.conditions?.some(({type, status: is}) => type === 'Complete' && is === 'True');
    },
    patienceMillis,
  );
  await until(
    'the StatefulSet is ready',
    async () => (await client.get(`${sets}/store`)).json<{status?: {readyReplicas?: number}}>().status?.readyReplicas === 3,
    patienceMillis,
  );
  await until('pods of before are gone', async () => (await found('app=web')).length === replicas, patienceMillis);
  t.not(await holder(client), identity);

  const running = await found('app%20in%20(web,store)');
  t.deepEqual(
    running.filter(({spec, status}) => !spec?.nodeName || status?.phase !== 'Running').map(({metadata: {name}}) => name),
    [],
  );
  t.deepEqual((await found('app=store')).map(({metadata: {name}}) => name).toSorted(), ['store-0', 'store-1', 'store-2']);
  const perNode = Map.groupBy(running, ({spec}) => spec!.nodeName!);
  t.true([...perNode.values()].every(({length}) => length <= roomOfNode));

  // All that has happened, from the beginning: no index of the Job had two pods, and the roll-over never had all of them twice.
  const history = (await client.get(`${pods}?watch=1&resourceVersion=${metadata.resourceVersion}&timeoutSeconds=3`)).body
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as {type: string; object: Pod});
  const made = history.filter(({type}) => type === 'ADDED').map(({object}) => object);
  const indexes = made
    .filter((pod) => pod.metadata.labels?.['app'] === 'once')
    .map((pod) => pod.metadata.labels!['batch.kubernetes.io/job-completion-index']);
  t.deepEqual(
    indexes.map(Number).toSorted((left, right) => left - right),
    Array.from({length: completions}, (_, index) => index),
  );
  let most = 0;
  const alive = new Set<string>();
  for (const {type, object} of history) {
    const {labels, uid = '', deletionTimestamp} = object.metadata;
    if (labels?.['app'] !== 'web') continue;
    if (type === 'DELETED' || deletionTimestamp) alive.delete(uid);
    else alive.add(uid);
    most = Math.max(most, alive.size);
  }
  // A quarter more may be asked for. What is made of that may be there before what makes room for it is marked.
  t.true(most <= replicas * 1.5, `${most} pods at once`);
});
