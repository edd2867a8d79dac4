import test from 'ava';
import {join} from 'node:path';
import {TestClient, type TestResponse} from '@orch-api/orch/testing';
import {until} from '../helpers/eventually.js';
import {startOrch} from '../helpers/orch-process.js';
import {startRedis} from '../helpers/redis-server.js';
import {keyedRequest, nodeSubject, nodeUsages} from '../plugins/controllers/certificate-signing/requests.js';

const core = '/api/v1/namespaces';
const configMaps = `${core}/default/configmaps`;
const jobs = '/apis/batch/v1/namespaces/default/jobs';
const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const clusterRoles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const claims = `${core}/default/persistentvolumeclaims`;
const lease = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager';

const short = ['--leader-elect-lease-duration', '2s', '--leader-elect-renew-deadline', '1500ms', '--leader-elect-retry-period', '200ms'];

async function must(answer: Promise<TestResponse>): Promise<TestResponse> {
  const {status, body} = await answer;
  if (status >= 300) throw new Error(`${status} ${body.toString()}`);
  return answer;
}

const range = (count: number) => Array.from({length: count}, (_, index) => index);

/** A ConfigMap and others that it owns. */
async function family(client: TestClient, name: string, count: number): Promise<void> {
  const {metadata} = (await must(client.post(configMaps, {metadata: {name}}))).json<{metadata: {uid: string}}>();
  const ownerReferences = [{apiVersion: 'v1', kind: 'ConfigMap', name, uid: metadata.uid, blockOwnerDeletion: true}];
  const labels = {family: name};
  await Promise.all(
    range(count).map((index) => must(client.post(configMaps, {metadata: {name: `${name}-${index}`, labels, ownerReferences}}))),
  );
}

/** Gives every kind of controller something to do, and does not wait for it. */
async function ask(client: TestClient, id: string): Promise<void> {
  await Promise.all([
    family(client, `foreground-${id}`, 40),
    family(client, `background-${id}`, 40),
    family(client, `orphan-${id}`, 20),
    (async () => {
      await must(client.post(core, {metadata: {name: `busy-${id}`}}));
      await Promise.all(range(40).map((index) => must(client.post(`${core}/busy-${id}/configmaps`, {metadata: {name: `c${index}`}}))));
    })(),
    (async () => {
      await must(client.post(core, {metadata: {name: `counted-${id}`}}));
      await must(client.post(`${core}/counted-${id}/serviceaccounts`, {metadata: {name: 'kay'}}));
    })(),
  ]);
  const {request} = await keyedRequest(nodeSubject);
  const spec = {restartPolicy: 'Never', containers: [{name: 'c', image: 'i'}]};
  const claim = {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}};
  const matchLabels = {[`of-${id}`]: 'yes'};
  const rules = [{verbs: ['get'], apiGroups: [''], resources: ['pods']}];
  const annotations = {'kubernetes.io/service-account.name': 'kay'};
  const now = new Date().toISOString();
  const conditions = ['SuccessCriteriaMet', 'Complete'].map((type) => ({type, status: 'True', lastTransitionTime: now}));
  await must(client.post(jobs, {metadata: {name: `job-${id}`}, spec: {ttlSecondsAfterFinished: 0, template: {spec}}}));
  await must(client.post(claims, {metadata: {name: `claim-${id}`}, spec: claim}));
  // All at once, so that whoever leads is in the middle of it.
  await Promise.all(
    [
      client.delete(`${core}/busy-${id}`),
      client.delete(`${configMaps}/foreground-${id}?propagationPolicy=Foreground`),
      client.delete(`${configMaps}/background-${id}?propagationPolicy=Background`),
      client.delete(`${configMaps}/orphan-${id}?propagationPolicy=Orphan`),
      client.delete(`${claims}/claim-${id}`),
      client.patch(`${jobs}/job-${id}/status`, {status: {conditions, startTime: now, completionTime: now}}),
      client.post(`${core}/counted-${id}/resourcequotas`, {metadata: {name: 'q'}, spec: {hard: {'count/serviceaccounts': '9'}}}),
      client.post(`${core}/counted-${id}/secrets`, {metadata: {name: 's', annotations}, type: 'kubernetes.io/service-account-token'}),
      client.post(clusterRoles, {metadata: {name: `sum-${id}`}, aggregationRule: {clusterRoleSelectors: [{matchLabels}]}}),
      client.post(clusterRoles, {metadata: {name: `part-${id}`, labels: matchLabels}, rules}),
      client.post(requests, {
        metadata: {name: `node-${id}`},
        spec: {request, signerName: 'kubernetes.io/kube-apiserver-client-kubelet', usages: nodeUsages},
      }),
    ].map(must),
  );
}

/** Waits until all of that is done. */
async function done(client: TestClient, id: string): Promise<void> {
  const json = async <T>(path: string) => (await client.get(path)).json<T>();
  const gone = (path: string) => async () => (await client.get(path)).status === 404;
  const count = async (name: string, wanted: (items: {metadata: {ownerReferences?: object[]}}[]) => boolean) =>
    wanted((await json<{items: {metadata: {ownerReferences?: object[]}}[]}>(`${configMaps}?labelSelector=family%3D${name}-${id}`)).items);
  const goals: [string, () => Promise<boolean>][] = [
    ['the namespace is gone', gone(`${core}/busy-${id}`)],
    ['the owner that waited is gone', gone(`${configMaps}/foreground-${id}`)],
    ['its dependents went before', () => count('foreground', (items) => items.length === 0)],
    ['dependents of a missing owner are gone', () => count('background', (items) => items.length === 0)],
    ['the owner of orphans is gone', gone(`${configMaps}/orphan-${id}`)],
    ['orphans stay', () => count('orphan', (items) => items.length === 20 && items.every(({metadata}) => !metadata.ownerReferences))],
    ['the claim is gone', gone(`${claims}/claim-${id}`)],
    ['the Job is gone', gone(`${jobs}/job-${id}`)],
    ['a namespace has its account', async () => (await client.get(`${core}/counted-${id}/serviceaccounts/default`)).status === 200],
    [
      'the quota is counted',
      async () => {
        const {status} = await json<{status?: {used?: Record<string, string>}}>(`${core}/counted-${id}/resourcequotas/q`);
        return status?.used?.['count/serviceaccounts'] === '2';
      },
    ],
    [
      'the token is filled in',
      async () => (await json<{data?: {token?: string}}>(`${core}/counted-${id}/secrets/s`)).data?.token !== undefined,
    ],
    ['rules are aggregated', async () => (await json<{rules?: object[] | null}>(`${clusterRoles}/sum-${id}`)).rules?.length === 1],
    [
      'the request is approved and signed',
      async () => (await json<{status?: {certificate?: string}}>(`${requests}/node-${id}`)).status?.certificate !== undefined,
    ],
  ];
  for (const [goal, isReached] of goals) await until(`${id}: ${goal}`, isReached);
}

test('what the controllers of a killed leader had begun, those of another server finish; and they do what comes after', async (t) => {
  const redis = await startRedis(t);
  const options = {platform: 'kubernetes', store: redis.url, extra: short} as const;
  const servers = await Promise.all([startOrch(t, options), startOrch(t, options)]);
  const clients = await Promise.all(servers.map(({dataDir, url}) => TestClient.open(url, join(dataDir, 'pki'))));
  t.teardown(() => clients.forEach((client) => client.close()));
  const holder = async (client: TestClient) => (await client.get(lease)).json<{spec?: {holderIdentity?: string}}>().spec?.holderIdentity;
  const identity = await until('a leader', () => holder(clients[0]!));
  const leader = await until('its process', () =>
    servers.find((server) => new RegExp(`${identity}.*leads|leads.*${identity}`).test(server.logs())),
  );
  const survivor = clients[servers.findIndex((server) => server !== leader)]!;
  await ask(survivor, 'before');
  await leader.kill9();
  await ask(survivor, 'after');
  await done(survivor, 'before');
  await done(survivor, 'after');
  t.not(await holder(survivor), identity);
});
