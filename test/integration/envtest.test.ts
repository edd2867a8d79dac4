import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {generateKeyPairSync} from 'node:crypto';
import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {execFile} from 'node:child_process';
import {setTimeout as delay} from 'node:timers/promises';
import {promisify} from 'node:util';
import anyTest, {type TestFn} from 'ava';
import {httpsClient, type HttpsClient} from '../helpers/https-client.js';
import {EnvtestPair, startProgram} from '../helpers/envtest-pair.js';
import {until} from '../helpers/eventually.js';
import {freePort} from '../helpers/free-port.js';
import {makeAuthority, makeLeaf, type KeyedCertificate} from '../helpers/test-certificates.js';
import {runOrch} from '../helpers/orch-process.js';
import {tempFolder, type Teardown} from '../helpers/temp-folder.js';
import {answer, webhookService} from '../helpers/webhook-service.js';

/* The assets of `orch envtest`, driven as the test frameworks of other languages drive the real programs. */

const test = anyTest as TestFn<{assets: string; pair: EnvtestPair}>;
const run = promisify(execFile);
const config = (name: string) => ({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name}});
const configs = '/api/v1/namespaces/default/configmaps';

test.before(async (t) => {
  const folder = tempFolder({teardown: (end) => void cleanups.push(end)}, 'orch-assets-');
  const {stdout} = await runOrch(['envtest', join(folder, "the user's assets")]);
  const path = /^export KUBEBUILDER_ASSETS=(.+)\n$/.exec(stdout)?.[1];
  const {stdout: read} = await run('sh', ['-c', `eval "$LINE" && printf %s "$KUBEBUILDER_ASSETS"`], {env: {...process.env, LINE: stdout}});
  t.is(read, join(folder, "the user's assets"), path);
  t.context.assets = read;
  t.context.pair = await new EnvtestPair(read).start([
    '--watch-cache=false',
    '--enable-admission-plugins=PodSecurityPolicy,NamespaceAutoProvision',
    '--feature-gates=CronJobTimeZone=true',
  ]);
});

const cleanups: (() => unknown)[] = [];
test.after.always(async (t) => {
  await t.context.pair?.stop();
  for (const end of cleanups) await end();
});

function as(t: Teardown, pair: EnvtestPair, user?: KeyedCertificate): HttpsClient {
  return httpsClient(t, {
    url: pair.api.url,
    ca: pair.servingAuthority.certificate,
    ...(user ? {cert: user.certificate, key: user.key} : {}),
  });
}

test('help names flags on lines of their own, as test frameworks look for them, and ends with 0', async (t) => {
  const knows = (help: string, flag: string) => new RegExp(`^\\s*--${flag}\\b`, 'm').test(help);
  const [api, etcd] = await Promise.all(['kube-apiserver', 'etcd'].map((name) => run(join(t.context.assets, name), ['--help'])));
  for (const flag of ['secure-port', 'service-account-key-file', 'vmodule', 'etcd-servers']) t.true(knows(api!.stdout, flag), flag);
  t.false(knows(api!.stdout, 'insecure-port'));
  t.true(knows(etcd!.stdout, 'unsafe-no-fsync'));
  t.false(knows(etcd!.stdout, 'insecure-port'));
  const {stdout} = await run(join(t.context.assets, 'kube-apiserver'), ['--version']);
  t.regex(stdout, /^Kubernetes v1\.\d+\.\d+\S*\n$/);
});

test('users are client certificates of the CA that the suite made: CN is the user, O the groups', async (t) => {
  const {pair} = t.context;
  const admin = as(t, pair, await pair.user('admin', ['system:masters']));
  t.is((await admin.post(configs, config('by-admin'))).status, 201);
  const stranger = as(t, pair, await pair.user('jane', ['readers']));
  const refused = await stranger.get(configs);
  t.is(refused.status, 403);
  t.regex(refused.text, /User \\"jane\\" cannot list/);
  t.is((await as(t, pair).get(configs)).status, 403);
  const review = await stranger.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: {resourceAttributes: {verb: 'get', resource: 'configmaps'}},
  });
  t.is(review.status, 201);
});

test('service account tokens are signed with the key, and verified with the certificate, that the suite made', async (t) => {
  const {pair} = t.context;
  const admin = as(t, pair, await pair.user('admin', ['system:masters']));
  t.is(
    (await admin.post('/api/v1/namespaces/default/serviceaccounts', {apiVersion: 'v1', kind: 'ServiceAccount', metadata: {name: 'robot'}}))
      .status,
    201,
  );
  const made = await admin.post('/api/v1/namespaces/default/serviceaccounts/robot/token', {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: {},
  });
  t.is(made.status, 201, made.text);
  const {token} = made.json<{status: {token: string}}>().status;
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as {iss: string};
  t.is(claims.iss, `${pair.api.url}/`);
  const own = await as(t, pair).request('GET', configs, {headers: {authorization: `Bearer ${token}`}});
  t.is(own.status, 403);
  t.regex(own.text, /system:serviceaccount:default:robot/);
});

test("a suite's own aggregated API server is reached on this machine", async (t) => {
  const {pair} = t.context;
  const admin = as(t, pair, await pair.user('admin', ['system:masters']));
  const group = 'things.example.com';
  const service = await webhookService(
    t,
    (_body, response) => answer(response, {kind: 'APIResourceList', groupVersion: `${group}/v1`, resources: []}),
    {
      names: ['things.default.svc'],
    },
  );
  const spec = {type: 'ExternalName', externalName: 'localhost', ports: [{port: service.port}]};
  t.is((await admin.post('/api/v1/namespaces/default/services', {metadata: {name: 'things'}, spec})).status, 201);
  const path = '/apis/apiregistration.k8s.io/v1/apiservices';
  const reference = {namespace: 'default', name: 'things', port: service.port};
  const caBundle = Buffer.from(service.ca).toString('base64');
  const wanted = {group, version: 'v1', groupPriorityMinimum: 100, versionPriority: 10, caBundle, service: reference};
  t.is((await admin.post(path, {metadata: {name: `v1.${group}`}, spec: wanted})).status, 201);
  await until('it is reached', async () => {
    const {status} = (await admin.get(`${path}/v1.${group}`)).json<{status?: {conditions?: {reason: string}[]}}>();
    return status?.conditions?.some(({reason}) => reason === 'Passed');
  });
});

test('the log says once, at the start, which flags have no effect and why', (t) => {
  const lines = t.context.pair.api
    .logs()
    .split('\n')
    .filter((line) => line.includes('accepted without effect'));
  t.is(lines.length, 1);
  for (const reason of [
    /--watch-cache.*reads always come from memory/,
    /--enable-admission-plugins.*Orch has no admission controller PodSecurityPolicy/,
    /--feature-gates.*Orch has no feature gate CronJobTimeZone=true/,
  ])
    t.regex(lines[0]!, reason);
});

test.serial('an API server that starts again with the URL of an etcd that still runs finds its data', async (t) => {
  const pair = await new EnvtestPair(t.context.assets).start();
  t.teardown(() => pair.stop());
  const user = await pair.user('admin', ['system:masters']);
  const first = as(t, pair, user);
  const {metadata} = (await first.post(configs, config('kept'))).json<{metadata: {uid: string; resourceVersion: string}}>();
  first.close();
  await pair.api.stop();
  await pair.startApi(['--watch-cache=false', '--vmodule=a=1', '-v=2']);
  const found = await as(t, pair, user).get(`${configs}/kept`);
  t.is(found.status, 200);
  t.like(found.json(), {metadata: {uid: metadata.uid, resourceVersion: metadata.resourceVersion}});
  await pair.api.stop();
  await pair.startApi(['--etcd-prefix=/other']);
  t.is((await as(t, pair, user).get(`${configs}/kept`)).status, 404);
});

test.serial('several pairs at once are ready in time, stop on SIGTERM, and leave nothing behind', async (t) => {
  const temporary = tempFolder(t, 'orch-tmp-');
  const env = {TMPDIR: temporary};
  const pairs = await Promise.all(Array.from({length: 3}, () => new EnvtestPair(t.context.assets).start([], env)));
  const folders = pairs.map((pair) => pair.folder);
  for (const pair of pairs) {
    const admin = as(t, pair, await pair.user('admin', ['system:masters']));
    t.is((await admin.post(configs, config('one'))).status, 201);
    admin.close();
    t.is((await pair.api.stop()).code, 0);
    t.is((await pair.etcd.stop()).code, 0);
    rmSync(pair.folder, {recursive: true});
  }
  t.deepEqual(
    folders.filter((folder) => existsSync(folder)),
    [],
  );
  t.deepEqual(readdirSync(temporary), []);
});

test.serial('without a data folder etcd makes one that it removes at its end; without etcd, so does kube-apiserver', async (t) => {
  const temporary = tempFolder(t, 'orch-tmp-');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const etcd = await startProgram(join(t.context.assets, 'etcd'), [`--listen-client-urls=${url}`], url, '/health', {TMPDIR: temporary});
  t.is(readdirSync(temporary).length, 1);
  t.is((await etcd.stop()).code, 0);
  t.deepEqual(readdirSync(temporary), []);
  const secure = await freePort();
  const log = join(tempFolder(t, 'orch-log-'), 'api.log');
  const api = await startProgram(
    join(t.context.assets, 'kube-apiserver'),
    [`--secure-port=${secure}`],
    `https://127.0.0.1:${secure}`,
    '/readyz',
    {
      TMPDIR: temporary,
      ORCH_ENVTEST_CONTROLLERS: 'none',
      ORCH_ENVTEST_LOG: log,
    },
  );
  t.is(readdirSync(temporary).length, 1);
  t.is((await api.stop()).code, 0);
  t.deepEqual(readdirSync(temporary), []);
  t.regex(readFileSync(log, 'utf8'), /ready/);
});

test('flags that are refused, unknown or misspelt end the program with one sentence', async (t) => {
  const server = createServer((_request, response) => {
    response.statusCode = 404;
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close());
  const other = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cases = [
    [['--egress-selector-config-file=x'], /--egress-selector-config-file is refused: connections would not go through the proxy/],
    [['--insecure-port=8080'], /unknown flag: --insecure-port/],
    [['--secure-prt=1'], /did you mean --secure-port/],
    [['--enable-admission-plugins=PodSecrity'], /PodSecrity/],
    [[`--etcd-servers=${other}`], /does not answer as the etcd of orch envtest does/],
  ] as const;
  for (const [args, message] of cases) {
    const failed = await run(join(t.context.assets, 'kube-apiserver'), [...args]).then(
      () => undefined,
      (error: {code: number; stderr: string}) => error,
    );
    t.is(failed?.code, 1, args[0]);
    t.regex(failed!.stderr, message);
    t.is(failed!.stderr.trim().split('\n').length, 1, failed!.stderr);
  }
});

test.serial(
  'kube-api-test of fabric8 starts both at once, gives values as arguments of their own and the key for the certificate, and kills',
  async (t) => {
    const {assets} = t.context;
    const folder = tempFolder(t, 'orch-java-');
    const authority = await makeAuthority('java');
    const {privateKey} = generateKeyPairSync('rsa', {modulusLength: 2048});
    const rsaKey = join(folder, 'rsa.key');
    writeFileSync(rsaKey, privateKey.export({type: 'pkcs1', format: 'pem'}));
    writeFileSync(join(folder, 'client.crt'), authority.certificate);
    const serving = await makeLeaf(authority, 'server', 'localhost');
    writeFileSync(join(folder, 'apiserver.crt'), serving.certificate);
    writeFileSync(join(folder, 'apiserver.key'), serving.key);
    const [port, secure] = [await freePort(), await freePort()];
    const url = `https://127.0.0.1:${secure}`;
    const apiFlags = [
      ['--secure-port', String(secure), '--etcd-servers', `http://0.0.0.0:${port}`, '--authorization-mode', 'RBAC', '--cert-dir', folder],
      ['--service-account-issuer', 'https://localhost', '--service-account-signing-key-file', rsaKey, '--service-account-key-file', rsaKey],
      ['--service-account-issuer', join(folder, 'apiserver.crt'), '--disable-admission-plugins', 'ServiceAccount'],
      ['--client-ca-file', join(folder, 'client.crt'), '--service-cluster-ip-range', '10.0.0.0/24', '--allow-privileged'],
    ].flat();
    const etcdUrl = `http://0.0.0.0:${port}`;
    const etcdFlags = ['-data-dir', join(folder, 'data'), '-wal-dir', join(folder, 'wal'), '--listen-client-urls', etcdUrl];
    const starting = startProgram(join(assets, 'kube-apiserver'), apiFlags, url, '/readyz');
    // Later than a kube-apiserver that starts first needs to ask for it.
    const etcd = await delay(700).then(() => startProgram(join(assets, 'etcd'), etcdFlags, `http://127.0.0.1:${port}`, '/health'));
    t.teardown(() => etcd.child.kill('SIGKILL'));
    const api = await starting;
    t.teardown(() => api.child.kill('SIGKILL'));
    const user = await makeLeaf(authority, 'client', 'admin', ['system:masters']);
    const client = httpsClient(t, {url, ca: authority.certificate, cert: user.certificate, key: user.key});
    await client.post('/api/v1/namespaces/default/serviceaccounts', {metadata: {name: 'robot'}});
    const made = await client.post('/api/v1/namespaces/default/serviceaccounts/robot/token', {spec: {}});
    const {token} = made.json<{status: {token: string}}>().status;
    t.is((JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as {alg: string}).alg, 'RS256');
    const review = await client.post('/apis/authentication.k8s.io/v1/tokenreviews', {spec: {token}});
    t.true(review.json<{status: {authenticated: boolean}}>().status.authenticated, review.text);
  },
);

test('orch envtest path prints the folder of the user, written', async (t) => {
  const data = tempFolder(t, 'orch-home-');
  mkdirSync(join(data, 'share'));
  const {stdout, code} = await runOrch(['envtest', 'path'], {env: {XDG_DATA_HOME: join(data, 'share')}});
  t.is(code, 0);
  t.is(stdout, `${join(data, 'share/orch/envtest')}\n`);
  for (const name of ['kube-apiserver', 'etcd']) t.truthy(statSync(join(stdout.trim(), name)).mode & 0o100);
});
