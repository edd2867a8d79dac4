import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {until} from '../helpers/eventually.js';
import {httpsClient, type HttpsClient} from '../helpers/https-client.js';
import {startKubernetesComponent} from '../helpers/kubernetes-component.js';
import {spawnOrch} from '../helpers/orch-process.js';

/* kube-controller-manager and kube-scheduler of 1.36 do their work on a server of that release that runs only what is part of an API server. */

/** The folder with both programs. */
const folder = process.env['ORCH_TEST_COMPONENTS'];
const title = 'kube-controller-manager and kube-scheduler do their work as their own users, and are refused nothing';

/** How long the programs may take for a step: they start within seconds, and go through their queues. */
const patience = 120_000;

interface Seen {
  readonly metadata: {readonly name: string; readonly deletionTimestamp?: string};
  readonly spec: Record<string, unknown>;
  readonly status?: Record<string, unknown>;
  readonly data?: Record<string, string>;
}

const shop = '/api/v1/namespaces/shop';
const apis = (group: string, version = 'v1') => `/apis/${group}/${version}/namespaces/shop`;
const containers = [{name: 'c', image: 'i', resources: {requests: {cpu: '100m', memory: '10Mi'}}}];
const template = {metadata: {labels: {app: 'web'}}, spec: {containers}};
const selector = {matchLabels: {app: 'web'}};
const capacity = {cpu: '8', memory: '8Gi', pods: '100'};

const test1 = folder === undefined ? test.skip : test;
test1(title, async (t) => {
  const server = await spawnOrch({platform: 'kubernetes', extra: ['--release=1.36', '--controllers=apiserver']});
  t.teardown(async () => void (await server.stop()));
  const client = httpsClient(t, server);
  const pki = join(server.dataDir, 'pki');
  const known = {url: server.url, ca: server.ca, caKey: readFileSync(join(pki, 'ca.key'), 'utf8')};
  const managerLog = await startKubernetesComponent(t, join(folder!, 'kube-controller-manager'), known, [
    '--use-service-account-credentials=true',
    `--service-account-private-key-file=${join(pki, 'service-account.key')}`,
    `--root-ca-file=${join(pki, 'ca.crt')}`,
    `--cluster-signing-cert-file=${join(pki, 'ca.crt')}`,
    `--cluster-signing-key-file=${join(pki, 'ca.key')}`,
    '--controllers=*,bootstrapsigner,tokencleaner',
  ]);
  const schedulerLog = await startKubernetesComponent(t, join(folder!, 'kube-scheduler'), known);
  for (const name of ['node-a', 'node-b']) await node(t, client, name);
  await make(t, client, '/api/v1/namespaces', {metadata: {name: 'shop'}});

  await see(client, `${shop}/serviceaccounts/default`, () => true);
  await see(client, `${shop}/configmaps/kube-root-ca.crt`, ({data}) => data?.['ca.crt'] !== undefined);
  await make(t, client, `${shop}/secrets`, {
    metadata: {name: 'token', annotations: {'kubernetes.io/service-account.name': 'default'}},
    type: 'kubernetes.io/service-account-token',
  });
  await see(client, `${shop}/secrets/token`, ({data}) => data?.['token'] !== undefined);

  await make(t, client, `${shop}/services`, {metadata: {name: 'web'}, spec: {selector: {app: 'web'}, ports: [{port: 80}]}});
  await make(t, client, `${apis('apps')}/deployments`, {metadata: {name: 'web'}, spec: {replicas: 3, selector, template}});
  await make(t, client, `${apis('policy')}/poddisruptionbudgets`, {metadata: {name: 'web'}, spec: {minAvailable: 2, selector}});
  await make(t, client, `${shop}/resourcequotas`, {metadata: {name: 'pods'}, spec: {hard: {pods: '50'}}});
  await make(t, client, `${apis('autoscaling', 'v2')}/horizontalpodautoscalers`, {
    metadata: {name: 'web'},
    spec: {minReplicas: 1, maxReplicas: 9, scaleTargetRef: {apiVersion: 'apps/v1', kind: 'Deployment', name: 'web'}},
  });
  const pods = await until(
    'the scheduler binds three pods of the deployment',
    async () => {
      const {items} = (await client.get(`${shop}/pods?labelSelector=app%3Dweb`)).json<{items: Seen[]}>();
      return items.length === 3 && items.every(({spec}) => spec['nodeName'] !== undefined) && items;
    },
    patience,
  );
  for (const [index, {metadata}] of pods.entries()) await run(t, client, metadata.name, `10.9.0.${index + 1}`);
  await see(client, `${apis('apps')}/deployments/web`, ({status}) => status?.['availableReplicas'] === 3);
  await see(client, `${apis('policy')}/poddisruptionbudgets/web`, ({status}) => status?.['disruptionsAllowed'] === 1);
  await see(client, `${shop}/resourcequotas/pods`, ({status}) => (status?.['used'] as {pods: string} | undefined)?.pods === '3');
  await see(client, `${shop}/endpoints/web`, (object) => JSON.stringify(object).includes('10.9.0.3'));
  const slices = `${apis('discovery.k8s.io')}/endpointslices?labelSelector=kubernetes.io%2Fservice-name%3Dweb`;
  await see(client, slices, (list) => JSON.stringify(list).includes('10.9.0.3'));
  await see(client, `${apis('autoscaling', 'v2')}/horizontalpodautoscalers/web`, ({status}) => status?.['currentReplicas'] === 3);

  await make(t, client, `${apis('batch')}/jobs`, {
    metadata: {name: 'once'},
    spec: {template: {spec: {containers, restartPolicy: 'Never'}}},
  });
  const [job] = await until(
    'the job has a pod',
    async () => {
      const {items} = (await client.get(`${shop}/pods?labelSelector=job-name%3Donce`)).json<{items: Seen[]}>();
      return items.length === 1 && items[0]!.spec['nodeName'] !== undefined && items;
    },
    patience,
  );
  await client.patch(`${shop}/pods/${job!.metadata.name}/status`, {status: {phase: 'Succeeded'}});
  await see(client, `${apis('batch')}/jobs/once`, ({status}) => status?.['succeeded'] === 1 && status['completionTime'] !== undefined);

  await make(t, client, '/api/v1/persistentvolumes', {
    metadata: {name: 'disk'},
    spec: {capacity: {storage: '1Gi'}, accessModes: ['ReadWriteOnce'], storageClassName: 'slow', hostPath: {path: '/x'}},
  });
  await make(t, client, `${shop}/persistentvolumeclaims`, {
    metadata: {name: 'data'},
    spec: {accessModes: ['ReadWriteOnce'], storageClassName: 'slow', resources: {requests: {storage: '1Gi'}}},
  });
  await see(client, `${shop}/persistentvolumeclaims/data`, ({status}) => status?.['phase'] === 'Bound');

  await device(t, client);
  await make(t, client, `${shop}/pods`, {
    metadata: {name: 'with-device'},
    spec: {
      containers: [{name: 'c', image: 'i', resources: {claims: [{name: 'd'}]}}],
      resourceClaims: [{name: 'd', resourceClaimTemplateName: 'one'}],
    },
  });
  await see(client, `${shop}/pods/with-device`, ({spec}) => spec['nodeName'] === 'node-a');
  const claims = (await client.get(`${apis('resource.k8s.io')}/resourceclaims`)).json<{items: Seen[]}>().items;
  t.is(claims.length, 1);
  t.truthy(claims[0]!.status?.['allocation']);

  // The garbage collector deletes what the deployment has made, and the namespace controller all that is left.
  t.is((await client.delete(`${apis('apps')}/deployments/web?propagationPolicy=Foreground`)).status, 200);
  await until(
    'the deployment is gone',
    async () => {
      await endPods(client);
      return (await client.get(`${apis('apps')}/deployments/web`)).status === 404;
    },
    patience,
  );
  await until(
    'its replica sets are gone',
    async () => {
      const {items} = (await client.get(`${apis('apps')}/replicasets`)).json<{items: Seen[]}>();
      return items.length === 0;
    },
    patience,
  );
  t.is((await client.delete('/api/v1/namespaces/shop')).status, 200);
  await until(
    'the namespace is gone',
    async () => {
      await endPods(client);
      return (await client.get(shop)).status === 404;
    },
    patience,
  );

  for (const log of [managerLog(), schedulerLog()]) t.deepEqual(complaints(log), []);
});

/** The lines of a log that tell of a refusal, or of a type that the server does not have; but for a controller that only OpenShift's build has, and the metrics of another server. */
function complaints(log: string): string[] {
  const known = / FLAG: |service-ca-cert-publisher|pods\.metrics\.k8s\.io/;
  return log
    .split('\n')
    .filter((line) => /forbidden|unauthorized|no matches for kind|could not find the requested|no kind "/i.test(line) && !known.test(line));
}

async function make(t: ExecutionContext, client: HttpsClient, path: string, object: object): Promise<void> {
  const {status, text} = await client.post(path, object);
  t.is(status, 201, text);
}

/** Waits until the object is there and as it should be. */
async function see(client: HttpsClient, path: string, isSo: (object: Seen) => boolean): Promise<void> {
  await until(
    path,
    async () => {
      const answer = await client.get(path);
      return answer.status === 200 && isSo(answer.json<Seen>());
    },
    patience,
  );
}

async function node(t: ExecutionContext, client: HttpsClient, name: string): Promise<void> {
  await make(t, client, '/api/v1/nodes', {metadata: {name, labels: {'kubernetes.io/hostname': name}}});
  const conditions = [{type: 'Ready', status: 'True', reason: 'Test', message: ''}];
  const {status, text} = await client.patch(`/api/v1/nodes/${name}/status`, {status: {capacity, allocatable: capacity, conditions}});
  t.is(status, 200, text);
}

/** Says of a pod what its node would. */
async function run(t: ExecutionContext, client: HttpsClient, name: string, podIP: string): Promise<void> {
  const ready = ['Initialized', 'ContainersReady', 'Ready'].map((type) => ({type, status: 'True'}));
  const answer = await client.patch(`${shop}/pods/${name}/status`, {
    status: {phase: 'Running', podIP, podIPs: [{ip: podIP}], conditions: [...ready, {type: 'PodScheduled', status: 'True'}]},
  });
  t.is(answer.status, 200, answer.text);
}

/** Ends the pods that are being deleted, as their nodes would. */
async function endPods(client: HttpsClient): Promise<void> {
  const {items} = (await client.get(`${shop}/pods`)).json<{items: Seen[]}>();
  const going = items.filter(({metadata}) => metadata.deletionTimestamp !== undefined);
  for (const {metadata} of going) await client.delete(`${shop}/pods/${metadata.name}?gracePeriodSeconds=0`);
}

/** A device on the first node, its class, and a template of a claim for it. */
async function device(t: ExecutionContext, client: HttpsClient): Promise<void> {
  const resource = '/apis/resource.k8s.io/v1';
  const pool = {name: 'node-a', generation: 1, resourceSliceCount: 1};
  await make(t, client, `${resource}/deviceclasses`, {
    metadata: {name: 'card'},
    spec: {selectors: [{cel: {expression: "device.driver == 'card.example'"}}]},
  });
  await make(t, client, `${resource}/resourceslices`, {
    metadata: {name: 'node-a'},
    spec: {driver: 'card.example', nodeName: 'node-a', pool, devices: [{name: 'card-0'}]},
  });
  await make(t, client, `${apis('resource.k8s.io')}/resourceclaimtemplates`, {
    metadata: {name: 'one'},
    spec: {spec: {devices: {requests: [{name: 'r', exactly: {deviceClassName: 'card'}}]}}},
  });
}
