import test, {type ExecutionContext} from 'ava';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {httpsService} from '../../helpers/https-service.js';
import type {HttpsClient, HttpsResponse} from '../../helpers/https-client.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {strangerClient, userClient} from '../../helpers/user-client.js';

const api = 'rbac.authorization.orch';
const person = {username: 'jane', uid: '42', groups: ['ops'], extra: {scopes: ['a', 'b']}};

/** A server that asks a remote service about tokens, and whose admission tells every writer who it takes them for. */
async function setUp(t: ExecutionContext): Promise<TestServer> {
  const service = await httpsService(t, (_request, body) => {
    const {apiVersion, spec} = JSON.parse(body) as {apiVersion: string; spec: {token: string}};
    const status = spec.token === 'janes' ? {authenticated: true, user: person} : {authenticated: false};
    return {apiVersion, kind: 'TokenReview', status};
  });
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'ca.crt'), service.ca);
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{name: 'remote', cluster: {server: service.url, 'certificate-authority': 'ca.crt'}}],
    contexts: [{name: 'c', context: {cluster: 'remote', user: ''}}],
    'current-context': 'c',
  };
  writeFileSync(join(folder, 'config'), JSON.stringify(config));
  const plugin = tempFolder(t);
  writeFileSync(
    join(plugin, 'plugin.json'),
    JSON.stringify({
      name: 'teller',
      version: '1.0.0',
      kernel: '^0.1.0',
      entry: './index.js',
      contributes: {admission: [{class: 'Teller', name: 'Teller'}]},
    }),
  );
  writeFileSync(join(plugin, 'package.json'), '{"type": "module"}');
  writeFileSync(
    join(plugin, 'index.js'),
    `import {admission} from '@orch-api/orch/sdk';
export class Teller { validate(request) { request.warn(JSON.stringify(request.user)); } }
admission({operations: ['CREATE'], resources: ['configmaps']})(Teller);
`,
  );
  const server = await startTestServer({flags: {'authentication-token-webhook-config-file': join(folder, 'config')}, plugins: [plugin]});
  t.teardown(() => server.stop());
  return server;
}

/** What admission was told of who made a ConfigMap. */
function toldUser(response: HttpsResponse): unknown {
  const text = /^299 - "(.*)"$/.exec(String(response.headers['warning']))?.[1];
  return text === undefined ? undefined : JSON.parse(text.replaceAll(String.raw`\"`, '"'));
}

const write = (client: HttpsClient, headers: Record<string, string> = {}, namespace = 'default') =>
  client.request('POST', `/api/v1/namespaces/${namespace}/configmaps?dryRun=All`, {body: {metadata: {name: 'c'}}, headers});

async function permit(server: TestServer, subject: object, namespace?: string): Promise<void> {
  const kind = namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding';
  const path = namespace === undefined ? 'clusterrolebindings' : `namespaces/${namespace}/rolebindings`;
  const binding = {
    kind,
    apiVersion: `${api}/v1`,
    metadata: {generateName: 'permit-'},
    roleRef: {apiGroup: api, kind: 'ClusterRole', name: 'edit'},
    subjects: [subject],
  };
  const made = await server.client.post(`/apis/${api}/v1/${path}`, binding);
  if (made.status !== 201) throw new Error(made.body.toString());
}

test('[B-CRED-1] [B-CRED-5] a bearer token gives user name, groups, uid and extra, on which authorization decides and which admission is told', async (t) => {
  const server = await setUp(t);
  const client = await strangerClient(t, server);
  const bearer = {authorization: 'Bearer janes'};
  t.is((await write(client, bearer)).status, 403);
  await permit(server, {kind: 'Group', apiGroup: api, name: 'ops'});
  const made = await write(client, bearer);
  t.is(made.status, 201, made.text);
  t.deepEqual(toldUser(made), {...person, groups: ['ops', 'system:authenticated']});
  t.is((await write(client, {'x-authorization': 'Bearer janes'})).status, 403, 'anonymous');
  t.is((await client.request('POST', '/api/v1/namespaces/default/configmaps?dryRun=All&access_token=janes', {body: {}})).status, 403);
});

test('[B-CRED-2] of several methods any one that accepts a request is enough', async (t) => {
  const server = await setUp(t);
  for (const subject of [
    {kind: 'User', apiGroup: api, name: 'jane'},
    {kind: 'User', apiGroup: api, name: 'carl'},
    {kind: 'ServiceAccount', namespace: 'default', name: 'robot'},
  ])
    await permit(server, subject);
  await server.client.post('/api/v1/namespaces/default/serviceaccounts', {metadata: {name: 'robot'}});
  const issued = await server.client.post('/api/v1/namespaces/default/serviceaccounts/robot/token', {spec: {}});
  const {status} = issued.json<{status: {token: string}}>();
  const stranger = await strangerClient(t, server);
  const names = await Promise.all(
    [
      write(stranger, {authorization: 'Bearer janes'}),
      write(stranger, {authorization: `Bearer ${status.token}`}),
      write(await userClient(t, server, 'carl')),
    ].map(async (response) => (toldUser(await response) as {username: string}).username),
  );
  t.deepEqual(names, ['jane', 'system:serviceaccount:default:robot', 'carl']);
});

test('[B-SA-2] a user is the same in every namespace', async (t) => {
  const server = await setUp(t);
  await server.client.post('/api/v1/namespaces', {metadata: {name: 'second'}});
  const client = await userClient(t, server, 'carl');
  const subject = {kind: 'User', apiGroup: api, name: 'carl'};
  await permit(server, subject, 'default');
  t.is((await write(client)).status, 201);
  t.is((await write(client, {}, 'second')).status, 403);
  await permit(server, subject, 'second');
  const told = await Promise.all(['default', 'second'].map(async (namespace) => toldUser(await write(client, {}, namespace))));
  t.deepEqual(told[0], told[1]);
});

test('[A-OPS-13] every operation answers 401 to credentials that are not valid', async (t) => {
  const server = await setUp(t);
  const client = await strangerClient(t, server);
  const [collection, item] = ['/api/v1/namespaces/default/configmaps', '/api/v1/namespaces/default/configmaps/c'];
  await server.client.post(collection, {metadata: {name: 'c'}});
  const pod = '/api/v1/namespaces/default/pods/p';
  const patches = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'];
  const requests: [string, string, object?, string?][] = [
    ['GET', item],
    ['GET', collection],
    ['GET', `${collection}?watch=true`],
    ['POST', collection, {metadata: {name: 'd'}}],
    ['PUT', item, {metadata: {name: 'c'}}],
    ...patches.map((type): [string, string, object, string] => ['PATCH', item, {}, type]),
    ['DELETE', item],
    ['DELETE', collection],
    ['GET', `${pod}/status`],
    ['PUT', `${pod}/status`, {}],
    ['POST', `${pod}/eviction`, {}],
    ['POST', `${pod}/exec?command=ls`],
    ['GET', `${pod}/log`],
    ['GET', `${pod}/proxy/`],
    ['POST', '/apis/authorization.orch/v1/selfsubjectaccessreviews', {}],
    ['GET', '/api'],
    ['GET', '/apis'],
    ['GET', '/openapi/v2'],
    ['GET', '/version'],
  ];
  for (const [method, path, body, type] of requests) {
    const headers = {authorization: 'Bearer nobodys', ...(type === undefined ? {} : {'content-type': type})};
    const response = await client.request(method, path, {headers, ...(body === undefined ? {} : {body})});
    t.is(response.status, 401, `${method} ${path}`);
    t.like(response.json(), {kind: 'Status', reason: 'Unauthorized', code: 401}, `${method} ${path}`);
  }
  t.is((await server.client.get(item)).status, 200);
});
