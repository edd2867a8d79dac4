import test, {type ExecutionContext} from 'ava';
import type {Status} from '@orch-api/orch/sdk';
import {startTestServer} from '@orch-api/orch/testing';
import {testOnEachStore, type StoreContext} from '../../helpers/each-store.js';
import {eventually} from '../../helpers/eventually.js';

const storeTest = testOnEachStore({platform: 'kubernetes'});

type Json = Record<string, unknown>;
interface Spec {
  serviceAccountName?: string;
  serviceAccount?: string;
  imagePullSecrets?: Json[];
  volumes?: {name: string; projected?: {sources: Json[]; defaultMode: number}}[];
  containers: {name: string; volumeMounts?: {name: string; mountPath: string; readOnly?: boolean}[]}[];
  initContainers?: Spec['containers'];
}

const tokenPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const container = (name: string, more: Json = {}) => ({name, image: 'x', ...more});
const pod = (name: string, spec: Json = {}, metadata: Json = {}) => ({
  metadata: {name, ...metadata},
  spec: {containers: [container('a')], ...spec},
});

async function create(t: ExecutionContext, {client, path}: StoreContext, name: string, spec?: Json, metadata?: Json): Promise<Spec> {
  const made = await client.post(path('pods'), pod(name, spec, metadata));
  t.is(made.status, 201, made.body.toString());
  return made.json<{spec: Spec}>().spec;
}

async function refused(t: ExecutionContext, {client, path}: StoreContext, spec: Json, detail: string, metadata?: Json): Promise<void> {
  const answer = await client.post(path('pods'), pod('p', spec, metadata));
  t.is(answer.status, 403, answer.body.toString());
  t.is(answer.json<Status>().message, `pods "p" is forbidden: ${detail}`);
}

async function account({client, path}: StoreContext, name: string, more: Json = {}): Promise<void> {
  const made = await client.post(path('serviceaccounts'), {metadata: {name}, ...more});
  if (made.status !== 201) throw new Error(made.body.toString());
}

storeTest('[B-ADM-25] a pod without a service account gets the default one, made a moment after the namespace', async (t, context) => {
  const {client, path, namespace} = context;
  const {serviceAccountName, serviceAccount} = await create(t, context, 'p');
  t.deepEqual([serviceAccountName, serviceAccount], ['default', 'default']);
  t.is((await client.delete(`${path('serviceaccounts')}/default`)).status, 200);
  t.is((await create(t, context, 'q')).serviceAccountName, 'default', 'the account is made again');
  // As many namespaces as a burst has, each with a pod at once.
  const answers = await Promise.all(
    Array.from({length: 20}, async (_, index) => {
      const name = `${namespace}-${index}`;
      t.is((await client.post('/api/v1/namespaces', {metadata: {name}})).status, 201);
      return client.post(`/api/v1/namespaces/${name}/pods`, pod('p'));
    }),
  );
  t.deepEqual([...new Set(answers.map(({status}) => status))], [201]);
});

// Alone: it keeps the process busy.
test.serial(
  'a pod waits for the default account of its new namespace for as long as accounts of other namespaces are being made',
  async (t) => {
    const server = await startTestServer({platform: 'kubernetes'});
    t.teardown(() => server.stop());
    const {client, faults} = server;
    // The controller needs several seconds for all of them.
    using _slow = faults.storeSlow(200);
    const began = performance.now();
    const answers = await Promise.all(
      Array.from({length: 150}, async (_, index) => {
        const name = `burst-${index}`;
        t.is((await client.post('/api/v1/namespaces', {metadata: {name}})).status, 201);
        return client.post(`/api/v1/namespaces/${name}/pods`, pod('p'));
      }),
    );
    t.deepEqual([...new Set(answers.map(({status}) => status))], [201], answers.find(({status}) => status !== 201)?.body.toString());
    t.true(performance.now() - began > 5000, 'the last account was made late');
  },
);

storeTest('[B-ADM-26] a pod whose service account does not exist is refused', async (t, context) => {
  const {namespace} = context;
  await refused(
    t,
    context,
    {serviceAccountName: 'none'},
    `error looking up service account ${namespace}/none: serviceaccount "none" not found`,
  );
  await account(context, 'none');
  t.is((await create(t, context, 'p', {serviceAccountName: 'none'})).serviceAccountName, 'none');
});

storeTest('without anybody who makes default accounts pods that need one are refused after a moment', async (t, {start}) => {
  const {client} = await start({controllers: ['*', '-serviceaccount']});
  const answer = await client.post('/api/v1/namespaces/default/pods', pod('p'));
  t.is(answer.status, 403);
  t.regex(answer.json<Status>().message!, /error looking up service account default\/default: serviceaccount "default" not found$/);
});

storeTest('every container gets a volume with token, CA and namespace', async (t, context) => {
  const spec = await create(t, context, 'p', {
    initContainers: [container('i')],
    containers: [container('a'), container('b', {volumeMounts: [{name: 'own', mountPath: tokenPath}]})],
    volumes: [{name: 'own', emptyDir: {}}],
  });
  t.is(spec.volumes!.length, 2);
  const {name, projected} = spec.volumes![1]!;
  t.regex(name, /^kube-api-access-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  t.deepEqual(projected, {
    defaultMode: 420,
    sources: [
      {serviceAccountToken: {expirationSeconds: 3607, path: 'token'}},
      {configMap: {name: 'kube-root-ca.crt', items: [{key: 'ca.crt', path: 'ca.crt'}]}},
      {downwardAPI: {items: [{path: 'namespace', fieldRef: {apiVersion: 'v1', fieldPath: 'metadata.namespace'}}]}},
    ],
  });
  const mount = {name, readOnly: true, mountPath: tokenPath};
  t.deepEqual(
    [...spec.initContainers!, ...spec.containers].map(({volumeMounts}) => volumeMounts),
    [[mount], [mount], [{name: 'own', mountPath: tokenPath}]],
  );
});

storeTest('under the orch profile names begin with orch', async (t, {start}) => {
  const {client} = await start({platform: 'orch'});
  const made = await client.post('/api/v1/namespaces/default/pods', pod('p'));
  t.is(made.status, 201, made.body.toString());
  const {volumes, containers} = made.json<{spec: Spec}>().spec;
  t.regex(volumes![0]!.name, /^orch-api-access-.{5}$/);
  t.is(containers[0]!.volumeMounts![0]!.mountPath, '/var/run/secrets/orch/serviceaccount');
  t.like(volumes![0]!.projected!.sources[1], {configMap: {name: 'orch-root-ca.crt'}});
});

storeTest('a volume of that name that is there already is used', async (t, context) => {
  const volumes = [{name: 'kube-api-access-mine', emptyDir: {}}];
  const spec = await create(t, context, 'p', {volumes});
  t.deepEqual(spec.volumes, volumes as never);
  t.deepEqual(spec.containers[0]!.volumeMounts, [{name: 'kube-api-access-mine', readOnly: true, mountPath: tokenPath}]);
});

storeTest('whether the token is mounted says the pod, then the account', async (t, context) => {
  await account(context, 'without', {automountServiceAccountToken: false});
  const hasToken = async (name: string, spec: Json) => (await create(t, context, name, spec)).volumes !== undefined;
  t.false(await hasToken('a', {automountServiceAccountToken: false}));
  t.false(await hasToken('b', {serviceAccountName: 'without'}));
  t.true(await hasToken('c', {serviceAccountName: 'without', automountServiceAccountToken: true}));
  t.true(await hasToken('d', {}));
});

storeTest('a pod without pull secrets gets those of its account', async (t, context) => {
  await account(context, 'puller', {imagePullSecrets: [{name: 'one'}, {name: 'two'}]});
  const secrets = async (name: string, spec: Json) =>
    (await create(t, context, name, {serviceAccountName: 'puller', ...spec})).imagePullSecrets;
  t.deepEqual(await secrets('a', {}), [{name: 'one'}, {name: 'two'}]);
  t.deepEqual(await secrets('b', {imagePullSecrets: [{name: 'own'}]}), [{name: 'own'}]);
});

storeTest('mirror pods get nothing and may ask for nothing', async (t, context) => {
  const mirror = {annotations: {'kubernetes.io/config.mirror': 'x'}};
  const spec = await create(t, context, 'm', {nodeName: 'n'}, mirror);
  t.deepEqual([spec.serviceAccountName, spec.volumes], [undefined, undefined]);
  const refuse = (more: Json, detail: string) => refused(t, context, {nodeName: 'n', ...more}, detail, mirror);
  await refuse({serviceAccountName: 'default'}, 'a mirror pod may not reference service accounts');
  const secret = 'a mirror pod may not reference secrets';
  await refuse({imagePullSecrets: [{name: 's'}]}, secret);
  await refuse({volumes: [{name: 'v', secret: {secretName: 's'}}]}, secret);
  await refuse({volumes: [{name: 'v', projected: {sources: [{secret: {name: 's'}}]}}]}, secret);
  await refuse({volumes: [{name: 'v', csi: {driver: 'd', nodePublishSecretRef: {name: 's'}}}]}, secret);
  await refuse({containers: [container('a', {envFrom: [{secretRef: {name: 's'}}]})]}, secret);
  await refuse({containers: [container('a', {env: [{name: 'E', valueFrom: {secretKeyRef: {name: 's', key: 'k'}}}]})]}, secret);
});

storeTest('an account with enforce-mountable-secrets lets its pods use only the Secrets that it lists', async (t, context) => {
  const {client, path} = context;
  await account(context, 'strict', {secrets: [{name: 'known'}], imagePullSecrets: [{name: 'pull'}]});
  const annotations = {'kubernetes.io/enforce-mountable-secrets': 'true'};
  t.is((await client.patch(`${path('serviceaccounts')}/strict`, {metadata: {annotations}})).status, 200);
  const use = (name: string) => ({
    serviceAccountName: 'strict',
    volumes: [{name: 'v', secret: {secretName: name}}],
  });
  const env = (name: string) => ({env: [{name: 'E', valueFrom: {secretKeyRef: {name, key: 'k'}}}]});
  const envFrom = (name: string) => ({envFrom: [{secretRef: {name}}]});
  await create(t, context, 'ok', {...use('known'), containers: [container('a', {...env('known'), ...envFrom('known')})]});
  const end = 'is not allowed because service account strict does not reference that';
  await refused(t, context, use('other'), `volume with secret.secretName="other" ${end} secret`);
  const strict = {serviceAccountName: 'strict'};
  for (const [kind, members] of [
    ['container', (one: Json) => ({containers: [container('a', one)]})],
    ['init container', (one: Json) => ({initContainers: [container('a', one)]})],
  ] as const) {
    const envRefused = `${kind} a with envVar E referencing secret.secretName="other" ${end} secret`;
    await refused(t, context, {...strict, ...members(env('other'))}, envRefused);
    await refused(
      t,
      context,
      {...strict, ...members(envFrom('other'))},
      `${kind} a with envFrom referencing secret.secretName="other" ${end} secret`,
    );
  }
  await refused(
    t,
    context,
    {...strict, imagePullSecrets: [{name: 'pull'}, {name: 'x'}]},
    `imagePullSecrets[1].name="x" ${end} imagePullSecret`,
  );
  const added = {spec: {ephemeralContainers: [{name: 'e', image: 'x', ...env('other')}]}};
  const answer = await client.patch(`${path('pods')}/ok/ephemeralcontainers`, added, 'application/strategic-merge-patch+json');
  t.is(answer.status, 403);
  t.is(
    answer.json<Status>().message,
    `pods "ok" is forbidden: ephemeral container e with envVar E referencing secret.secretName="other" ${end} secret`,
  );
  t.is((await client.patch(`${path('pods')}/ok`, {metadata: {labels: {a: 'b'}}})).status, 200, 'other updates pass');
});

storeTest('[B-SA-1] a namespace that is being deleted gets no account, and goes', async (t, {client, namespace}) => {
  const path = `/api/v1/namespaces/${namespace}`;
  await eventually(
    () => client.get(`${path}/serviceaccounts/default`),
    ({status}) => status === 200,
  );
  t.is((await client.post(`${path}/pods`, pod('p'))).status, 201);
  t.is((await client.delete(path)).status, 200);
  await eventually(
    () => client.get(path),
    ({status}) => status === 404,
  );
});
