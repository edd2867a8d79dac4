import test from 'ava';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {createServer} from '@orch-api/orch';
import {readServerFile, startTestServer, type TestServer} from '@orch-api/orch/testing';
import {testOnEachStore} from '../../helpers/each-store.js';
import {eventually} from '../../helpers/eventually.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {makeAuthority} from '../../helpers/test-certificates.js';
import {startTwoServers} from '../../helpers/two-servers.js';

const storeTest = testOnEachStore({platform: 'kubernetes', controllers: ['*', 'root-ca-cert-publisher']});
const name = 'kube-root-ca.crt';

const urlOf = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps/${name}`;
const dataOf = async ({client}: TestServer, namespace: string) =>
  (await client.get(urlOf(namespace))).json<{data?: Record<string, string>}>().data;
const caOf = (server: TestServer) => readServerFile(server, 'pki', 'ca.crt');

/** Waits until the ConfigMap holds this and nothing else. */
const published = (server: TestServer, namespace: string, ca: string) =>
  eventually(
    () => dataOf(server, namespace),
    (data) => JSON.stringify(data) === JSON.stringify({'ca.crt': ca}),
  );

storeTest('every namespace has the CA of the server, from its creation on', async (t, {server, client, namespace}) => {
  const ca = await caOf(server);
  for (const each of ['default', 'kube-system', 'kube-public', 'kube-node-lease', namespace]) await published(server, each, ca);
  const {metadata} = (await client.get(urlOf(namespace))).json<{metadata: {annotations: Record<string, string>}}>();
  t.truthy(metadata.annotations['kubernetes.io/description']);
});

storeTest('the CA is put back when somebody changes or deletes it', async (t, {server, client, namespace}) => {
  const ca = await caOf(server);
  for (const each of [namespace, 'kube-system']) {
    await published(server, each, ca);
    t.is((await client.patch(urlOf(each), {data: {'ca.crt': 'other', more: 'x'}})).status, 200);
    await published(server, each, ca);
    t.is((await client.delete(urlOf(each))).status, 200);
    await published(server, each, ca);
  }
});

storeTest('a namespace that is being deleted gets none and goes', async (t, {server, client}) => {
  t.is((await client.post('/api/v1/namespaces', {metadata: {name: 'short-lived'}})).status, 201);
  await published(server, 'short-lived', await caOf(server));
  t.is((await client.delete('/api/v1/namespaces/short-lived')).status, 200);
  const status = await eventually(
    async () => (await client.get('/api/v1/namespaces/short-lived')).status,
    (code) => code === 404,
  );
  t.is(status, 404);
});

test('servers of one store publish the CAs of all of them, and come to rest', async (t) => {
  const [one, other] = await startTwoServers(t, {platform: 'kubernetes', controllers: ['*', 'root-ca-cert-publisher']});
  const cas = await Promise.all([one, other].map(caOf));
  t.not(cas[0], cas[1]);
  const texts = [cas.join(''), cas.toReversed().join('')];
  const all = await eventually(
    () => Promise.all([one, other].flatMap((server) => ['default', 'kube-system'].map((namespace) => dataOf(server, namespace)))),
    (found) => found.every((data) => texts.includes(data?.['ca.crt'] ?? '') && data!['ca.crt'] === found[0]!['ca.crt']),
  );
  t.is(all.length, 4);
  const version = async () =>
    (await one.client.get(urlOf('kube-public'))).json<{metadata: {resourceVersion: string}}>().metadata.resourceVersion;
  const before = await version();
  t.is((await one.client.post('/api/v1/namespaces', {metadata: {name: 'later'}})).status, 201);
  await published(other, 'later', all[0]!['ca.crt']!);
  t.is(await version(), before);
});

test('--root-ca-file is published in place of the own CA, and in Secrets with tokens; one that is no CA ends the start', async (t) => {
  const folder = tempFolder(t);
  const {certificate} = await makeAuthority();
  const file = join(folder, 'root.crt');
  await writeFile(file, `# the root\n${certificate}`);
  await using server = await startTestServer({controllers: ['*', 'root-ca-cert-publisher'], flags: {'root-ca-file': file}});
  const found = await eventually(
    async () =>
      (await server.client.get('/api/v1/namespaces/default/configmaps/orch-root-ca.crt')).json<{data?: Record<string, string>}>().data,
    (data) => data !== undefined,
  );
  t.is(found!['ca.crt']!.trim(), certificate.trim());
  await eventually(
    async () => (await server.client.get('/api/v1/namespaces/default/serviceaccounts/default')).status,
    (status) => status === 200,
  );
  const secret = {
    metadata: {name: 'token', annotations: {'orch/service-account.name': 'default'}},
    type: 'orch/service-account-token',
  };
  t.is((await server.client.post('/api/v1/namespaces/default/secrets', secret)).status, 201);
  const filled = await eventually(
    async () => (await server.client.get('/api/v1/namespaces/default/secrets/token')).json<{data?: Record<string, string>}>().data,
    (data) => data?.['ca.crt'] !== undefined,
  );
  t.is(Buffer.from(filled!['ca.crt']!, 'base64').toString(), `# the root\n${certificate}`);

  await writeFile(file, 'nothing');
  const broken = await createServer({store: 'memory', securePort: 0, dataDir: tempFolder(t), flags: {'root-ca-file': file}});
  await t.throwsAsync(broken.start(), {message: /--root-ca-file: .* contains no PEM certificate that is still valid/});
});
