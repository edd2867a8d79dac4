import {existsSync, readFileSync} from 'node:fs';
import {execFile} from 'node:child_process';
import {join} from 'node:path';
import {promisify} from 'node:util';
import anyTest, {type TestFn} from 'ava';
import {EnvtestPair} from '../helpers/envtest-pair.js';
import {until} from '../helpers/eventually.js';
import {httpsClient, type HttpsClient} from '../helpers/https-client.js';
import {runOrch} from '../helpers/orch-process.js';
import {tempFolder} from '../helpers/temp-folder.js';

/* What kube-apiserver does by itself is done, and what kube-controller-manager does is not, unless a suite wants it. */

const test = anyTest as TestFn<{assets: string}>;
const run = promisify(execFile);
const cleanups: (() => unknown)[] = [];

test.before(async (t) => {
  t.context.assets = tempFolder({teardown: (end) => void cleanups.push(end)}, 'orch-assets-');
  const {code, stderr} = await runOrch(['envtest', t.context.assets]);
  t.is(code, 0, stderr);
});
test.after.always(async () => {
  for (const end of cleanups) await end();
});

const maps = '/api/v1/namespaces/default/configmaps';

test('with ORCH_ENVTEST_NODES a suite has a cluster: a Deployment becomes available on simulated nodes', async (t) => {
  const pair = new EnvtestPair(t.context.assets);
  t.teardown(() => pair.stop());
  await pair.start([], {ORCH_ENVTEST_NODES: '2'});
  const user = await pair.user('admin', ['system:masters']);
  const client = httpsClient(t, {url: pair.api.url, ca: pair.servingAuthority.certificate, cert: user.certificate, key: user.key});
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  const template = {metadata: {labels: {app: 'web'}}, spec: {containers: [{name: 'main', image: 'registry.example.com/app:1'}]}};
  const made = await client.post(deployments, {
    metadata: {name: 'web'},
    spec: {replicas: 2, selector: {matchLabels: {app: 'web'}}, template},
  });
  t.is(made.status, 201);
  await until('the Deployment is available', async () => {
    const {status} = (await client.get(`${deployments}/web`)).json<{status?: {availableReplicas?: number}}>();
    return status?.availableReplicas === 2;
  });
});

test('controllers of kube-controller-manager run when a suite asks for them, and not otherwise; those of kube-apiserver always', async (t) => {
  const start = async (env: Record<string, string>): Promise<HttpsClient> => {
    const pair = new EnvtestPair(t.context.assets);
    t.teardown(() => pair.stop());
    await pair.start([], env);
    const user = await pair.user('admin', ['system:masters']);
    return httpsClient(t, {url: pair.api.url, ca: pair.servingAuthority.certificate, cert: user.certificate, key: user.key});
  };
  const alone = await start({});
  const withControllers = await start({ORCH_ENVTEST_CONTROLLERS: '*'});
  for (const client of [alone, withControllers]) {
    t.is((await client.post('/api/v1/namespaces', {metadata: {name: 'going'}})).status, 201);
    const ownerReferences = [{apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: 'b0c9a1f0-0000-4000-8000-000000000000'}];
    t.is((await client.post(maps, {metadata: {name: 'dependent', ownerReferences}})).status, 201);
    t.is((await client.delete('/api/v1/namespaces/going')).status, 200);
    // The parts of kube-apiserver.
    const address = await until('its service has an address', async () => {
      const {subsets} = (await client.get('/api/v1/namespaces/default/endpoints/kubernetes')).json<{
        subsets?: {addresses: {ip: string}[]}[];
      }>();
      return subsets?.[0]?.addresses[0]?.ip;
    });
    t.regex(address, /^\d+\./);
    for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease'])
      t.is((await client.get(`/api/v1/namespaces/${name}`)).status, 200, name);
    await until('its group versions are announced', async () => {
      const {status} = await client.get('/apis/apiregistration.k8s.io/v1/apiservices/v1.apps');
      return status === 200;
    });
    await until('clients are told whom to trust', async () => {
      const {status} = await client.get('/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication');
      return status === 200;
    });
    t.is((await client.get('/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/exempt')).status, 200);
    t.is((await client.get('/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin')).status, 200);
  }
  const statusOf = async (client: HttpsClient) =>
    Promise.all(
      [
        `${maps}/dependent`,
        '/api/v1/namespaces/going',
        '/api/v1/namespaces/default/serviceaccounts/default',
        `${maps}/kube-root-ca.crt`,
      ].map(async (path) => (await client.get(path)).status),
    );
  await until('all controllers have done their work', async () => {
    return (await statusOf(withControllers)).join() === '404,404,200,200';
  });
  t.deepEqual(await statusOf(alone), [200, 200, 404, 404]);
  const {status} = (await alone.get('/api/v1/namespaces/going')).json<{status: {phase: string}}>();
  t.is(status.phase, 'Terminating');
  const metrics = await Promise.all([alone, withControllers].map(async (client) => (await client.get('/metrics')).text));
  const queues = metrics.map((text) => /^workqueue_adds_total\{name="garbage/m.test(text));
  t.deepEqual(queues, [false, true]);
});

test('--runtime-config may name versions that Orch has not, as feature gates may; what the rest says counts', async (t) => {
  const unknown = ['resource.k8s.io/v1alpha1=true', 'storage.k8s.io/v9', 'made-up.example/v1=false', 'apps/v1/gadgets=true'];
  const pair = new EnvtestPair(t.context.assets);
  t.teardown(() => pair.stop());
  await pair.start([`--runtime-config=${unknown.join(',')},batch/v1=false,api/beta=true`]);
  const user = await pair.user('admin', ['system:masters']);
  const client = httpsClient(t, {url: pair.api.url, ca: pair.servingAuthority.certificate, cert: user.certificate, key: user.key});
  t.is((await client.get('/apis/batch/v1')).status, 404);
  t.is((await client.get('/apis/apps/v1')).status, 200);
  const warning = pair.api.logs().split('\n')[0]!;
  t.regex(warning, /WARN .*flags of kube-apiserver that are accepted without effect/);
  for (const text of unknown) t.true(warning.includes(text.split('=')[0]!), `${text}: ${warning}`);
  t.notRegex(warning, /batch\/v1|api\/beta/);
});

test('what ends the program is on standard error, and in the file of the log too', async (t) => {
  const log = join(tempFolder(t), 'api.log');
  for (const [args, message] of [
    [['--runtime-config=nothing'], /nothing is neither GROUP\/VERSION nor GROUP\/VERSION\/RESOURCE/],
    [['--runtime-config=apps/v1=maybe'], /apps\/v1=maybe is not a runtime setting/],
    [['--authorization-mode=Sometimes'], /there is no authorization mode Sometimes; there are ABAC, AlwaysAllow, /],
    [['--tls-cert-file=/nonexistent', '--tls-private-key-file=/nonexistent'], /\/nonexistent cannot be read/],
    [['--insecure-port=1'], /unknown flag: --insecure-port/],
  ] as const) {
    for (const file of [undefined, log]) {
      const env = {...process.env, ...(file === undefined ? {} : {ORCH_ENVTEST_LOG: file})};
      const failed = await run(join(t.context.assets, 'kube-apiserver'), [...args], {env}).then(
        () => undefined,
        (error: {code: number; stderr: string}) => error,
      );
      t.is(failed?.code, 1, args[0]);
      t.regex(failed!.stderr, message);
    }
    t.true(existsSync(log));
    t.regex(readFileSync(log, 'utf8').trimEnd().split('\n').at(-1)!, message);
  }
});
