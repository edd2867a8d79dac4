import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import test from 'ava';
import {Client, inClusterConnection, isInCluster, loadConnection, types} from '../../../sdk/client/index.js';
import {TokenFile} from '../../../sdk/client/config/token-file.js';
import {fileTree} from '../../helpers/run-script.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {fileServer} from './client-server.js';
import {clusterOf, kubeconfigFile} from './kubeconfig-file.js';
import {tokenServer} from './token-plugin.js';

const server = fileServer();

test("the administrator's file of a server connects to it", async (t) => {
  using client = new Client(await loadConnection({kubeconfig: server().kubeconfig}));
  t.truthy(await client.resource(types.core.v1.Namespace).get('default'));
});

test('certificates and keys may stand in files, relative to the configuration file', async (t) => {
  const {connection} = server().api;
  const {certificate, key} = connection.credentials as {certificate: string; key: string};
  const path = kubeconfigFile(
    t,
    {server: connection.server, 'certificate-authority': 'pki/ca.crt'},
    {'client-certificate': './pki/me.crt', 'client-key': 'pki/me.key'},
    {namespace: 'mine'},
  );
  mkdirSync(join(dirname(path), 'pki'));
  for (const [name, text] of Object.entries({'ca.crt': connection.certificateAuthority!, 'me.crt': certificate, 'me.key': key}))
    writeFileSync(join(dirname(path), 'pki', name), text);
  using client = new Client(await loadConnection({kubeconfig: path}));
  t.is(client.namespace, 'mine');
  t.truthy(await client.getJson('/api'));
});

test('tokens, token files, passwords, other names and identities are taken from the file', async (t) => {
  const cluster = {server: 'https://127.0.0.1:1', 'insecure-skip-tls-verify': true, 'tls-server-name': 'api.example.com'};
  const load = (user: object, more: object = {}) => loadConnection({kubeconfig: kubeconfigFile(t, {...cluster, ...more}, user)});
  t.deepEqual(await load({token: 'abc'}), {
    server: 'https://127.0.0.1:1',
    insecureSkipTlsVerify: true,
    tlsServerName: 'api.example.com',
    credentials: {token: 'abc'},
  });
  t.deepEqual((await load({username: 'jane', password: 'x'})).credentials, {basic: {username: 'jane', password: 'x'}});
  t.true((await load({token: 'old', tokenFile: 'token'})).credentials instanceof TokenFile);
  const identity = {as: 'joe', 'as-uid': '7', 'as-groups': ['a'], 'as-user-extra': {k: ['v']}};
  t.deepEqual((await load(identity)).impersonate, {user: 'joe', uid: '7', groups: ['a'], extra: {k: ['v']}});
});

const faulty: {title: string; cluster?: object; user?: object; context?: object; message: RegExp}[] = [
  {title: 'a cluster without server', cluster: {}, message: /cluster cluster: server is missing/},
  {title: 'a proxy', cluster: {server: 'https://x', 'proxy-url': 'http://p'}, message: /proxy-url is not supported/},
  {
    title: 'a CA beside no verification',
    cluster: {server: 'https://x', 'insecure-skip-tls-verify': true, 'certificate-authority-data': 'eA=='},
    message: /cannot be combined with insecure-skip-tls-verify/,
  },
  {
    title: 'a CA file that is missing',
    cluster: {server: 'https://x', 'certificate-authority': 'none.crt'},
    message: /cannot read certificate-authority: ENOENT.*none\.crt/,
  },
  {
    title: 'a certificate without key',
    user: {'client-certificate-data': 'eA=='},
    message: /user user: client-certificate and client-key must be given together/,
  },
  {title: 'a token beside a password', user: {token: 'a', username: 'b'}, message: /a token cannot be combined with a password/},
  {
    title: 'exec beside auth-provider',
    user: {exec: {}, 'auth-provider': {name: 'oidc'}},
    message: /exec cannot be combined with auth-provider/,
  },
  {title: 'an auth-provider that is not known', user: {'auth-provider': {name: 'gcp'}}, message: /auth-provider "gcp" is not supported/},
  {title: 'groups to act for without a user', user: {'as-groups': ['a']}, message: /require as/},
  {title: 'a context with an unknown cluster', context: {cluster: 'other'}, message: /context context: there is no cluster "other"/},
  {title: 'a context with an unknown user', context: {user: 'other'}, message: /there is no user "other"/},
];

for (const {title, cluster = {server: 'https://x'}, user = {}, context = {}, message} of faulty) {
  test(`${title} is refused in one sentence that names the place`, async (t) => {
    const kubeconfig = kubeconfigFile(t, cluster, user, context);
    const failure = await t.throwsAsync(loadConnection({kubeconfig}), {message});
    t.true(failure?.message.startsWith(kubeconfig));
  });
}

test('what is no configuration file is refused', async (t) => {
  const folder = fileTree(t, {list: '[]', kind: 'kind: Pod', broken: 'a: [', empty: ''});
  const load = (name: string) => loadConnection({kubeconfig: join(folder, name)});
  await t.throwsAsync(load('none'), {message: /cannot read the client configuration .*none: ENOENT/});
  await t.throwsAsync(load('list'), {message: /does not contain an object/});
  await t.throwsAsync(load('kind'), {message: /its kind is "Pod"/});
  await t.throwsAsync(load('broken'), {message: /broken is not a client configuration/});
  await t.throwsAsync(load('empty'), {message: /there is no current context/});
  await t.throwsAsync(loadConnection({kubeconfig: server().kubeconfig, context: 'other'}), {message: /there is no context "other"/});
});

test('KUBECONFIG lists files, of which the first that has an entry counts, and missing ones do not matter', async (t) => {
  const entry = (port: number, context: string) => `
clusters: [{name: c, cluster: {server: "https://127.0.0.1:${port}"}}]
users: [{name: u, user: {token: t${port}}}]
contexts: [{name: ${context}, context: {cluster: c, user: u}}]
`;
  const folder = fileTree(t, {first: entry(1, 'one'), second: `${entry(2, 'two')}current-context: two\n`});
  const KUBECONFIG = ['missing', 'first', 'second'].map((name) => join(folder, name)).join(':');
  const connection = await loadConnection({environment: {KUBECONFIG}});
  t.deepEqual(connection, {server: 'https://127.0.0.1:1', credentials: {token: 't1'}});
  t.deepEqual(await loadConnection({environment: {KUBECONFIG}, context: 'one'}), connection);
  await t.throwsAsync(loadConnection({environment: {KUBECONFIG: join(folder, 'missing')}}), {message: /cannot read/});
  const home = fileTree(t, {'.kube/config': `${entry(3, 'home')}current-context: home\n`});
  t.is((await loadConnection({environment: {HOME: home}})).server, 'https://127.0.0.1:3');
  await t.throwsAsync(loadConnection({environment: {HOME: folder}}), {message: /there is no client configuration/});
});

test('a token file is read again when the server refuses its token', async (t) => {
  const {server: guarded, accept} = await tokenServer(t);
  accept('first');
  const path = kubeconfigFile(t, clusterOf(guarded.api.connection), {tokenFile: 'token'});
  const token = join(dirname(path), 'token');
  writeFileSync(token, 'first\n');
  using client = new Client(await loadConnection({kubeconfig: path}));
  await client.getJson('/api');
  accept('second');
  writeFileSync(token, 'second');
  t.truthy(await client.getJson('/api'));
  accept();
  t.like(await t.throwsAsync(client.getJson('/api')), {code: 401, reason: 'Unauthorized'});
});

test('a program in a pod finds its server by the environment and the mounted service account', async (t) => {
  const {server: guarded, accept} = await tokenServer(t);
  accept('pod-token');
  const {connection} = guarded.api;
  const folder = fileTree(t, {token: 'pod-token', 'ca.crt': connection.certificateAuthority!, namespace: 'mine\n'});
  const {hostname, port} = new URL(connection.server);
  const environment = {KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port};
  t.true(isInCluster(environment));
  using client = new Client(await inClusterConnection({serviceAccountFolder: folder, environment}));
  t.is(client.namespace, 'mine');
  t.truthy(await client.getJson('/api'));
  t.is(
    (await inClusterConnection({serviceAccountFolder: folder, environment: {...environment, KUBERNETES_SERVICE_HOST: 'fd00::1'}})).server,
    `https://[fd00::1]:${port}`,
  );
  await t.throwsAsync(inClusterConnection({environment: {}}), {message: /is not running in a pod/});
  await t.throwsAsync(inClusterConnection({serviceAccountFolder: tempFolder(t), environment}), {
    message: /ENOENT|cannot read the token file/,
  });
});
