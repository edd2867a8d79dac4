import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../../helpers/eventually.js';
import {Accounts, claimsOf} from './accounts.js';

let server: TestServer;
test.before(async () => {
  server = await startTestServer();
});
test.after.always(() => server?.stop());

test('[B-METH-1] [B-METH-2] a token of a service account authenticates as the account, in the groups of all accounts and of those of its namespace', async (t) => {
  const accounts = new Accounts(t, server);
  const uid = await accounts.make('robot');
  const token = await accounts.token('robot');
  t.deepEqual(await accounts.whoAmI(token), {
    username: 'system:serviceaccount:default:robot',
    uid,
    groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
  });
  t.is(await accounts.status(token), 403);
  t.is((await (await accounts.client()).get('/apis', {authorization: `Bearer ${token}`})).status, 200);
});

test('the answer to a token request tells audiences, lifetime and end; the token says the same', async (t) => {
  const accounts = new Accounts(t, server);
  const uid = await accounts.make('clerk');
  const answer = await accounts.request('clerk', {audiences: ['vault', 'https://orch.default.svc.cluster.local'], expirationSeconds: 700});
  t.is(answer.status, 201, answer.body.toString());
  const {kind, apiVersion, metadata, spec, status} = answer.json<{
    kind: string;
    apiVersion: string;
    metadata: {name: string; namespace: string};
    spec: object;
    status: {token: string; expirationTimestamp: string};
  }>();
  t.deepEqual([kind, apiVersion, metadata.name, metadata.namespace], ['TokenRequest', 'authentication.orch/v1', 'clerk', 'default']);
  t.deepEqual(spec, {audiences: ['vault', 'https://orch.default.svc.cluster.local'], expirationSeconds: 700, boundObjectRef: null});
  const claims = claimsOf(status.token);
  t.is(claims.exp - claims.iat, 700);
  t.is(Date.parse(status.expirationTimestamp), claims.exp * 1000);
  t.is(claims.iss, 'https://orch.default.svc.cluster.local');
  t.deepEqual(claims['orch'], {namespace: 'default', serviceaccount: {name: 'clerk', uid}});
  t.is(await accounts.status(status.token), 403);
});

test('a token for other audiences only is no credential here', async (t) => {
  const accounts = new Accounts(t, server);
  await accounts.make('envoy');
  t.is(await accounts.status(await accounts.token('envoy', {audiences: ['vault']})), 401);
});

test('[B-METH-3] a token with a bad signature, with other claims than were signed, or signed by nobody is answered 401', async (t) => {
  const accounts = new Accounts(t, server);
  await accounts.make('forged');
  const token = await accounts.token('forged');
  const [head, body, signature] = token.split('.') as [string, string, string];
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const other = encode({...claimsOf(token), sub: 'system:serviceaccount:orch-system:default'});
  const flipped = `${signature.slice(0, 10)}${signature[10] === 'A' ? 'B' : 'A'}${signature.slice(11)}`;
  for (const bad of [
    `${head}.${body}.${flipped}`,
    `${head}.${other}.${signature}`,
    `${encode({alg: 'none'})}.${body}.`,
    `${encode({alg: 'none'})}.${body}.${signature}`,
    `${encode({alg: 'HS256'})}.${body}.${signature}`,
    `${head}.${body}`,
  ]) {
    t.is(await accounts.status(bad), 401, bad);
  }
  t.is(await accounts.status(token), 403);
});

test('a token ends with its account, also when one of the same name is made', async (t) => {
  const accounts = new Accounts(t, server);
  await accounts.make('brief');
  const token = await accounts.token('brief');
  t.is(await accounts.status(token), 403);
  await server.client.delete('/api/v1/namespaces/default/serviceaccounts/brief');
  t.is(await accounts.status(token), 401);
  await accounts.make('brief');
  t.is(await accounts.status(token), 401);
});

test('a token that is bound to an object names it and ends with it', async (t) => {
  const accounts = new Accounts(t, server);
  await accounts.make('bound');
  const pods = '/api/v1/namespaces/default/pods';
  const pod = (name: string, serviceAccountName: string) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {name},
    spec: {serviceAccountName, containers: [{name: 'a', image: 'b'}]},
  });
  const made = await server.client.post(pods, pod('runner', 'bound'));
  t.is(made.status, 201, made.body.toString());
  await server.client.post(pods, pod('other', 'default'));
  const {uid} = made.json<{metadata: {uid: string}}>().metadata;
  const ref = (name: string, more: object = {}) => ({audiences: [], boundObjectRef: {kind: 'Pod', apiVersion: 'v1', name, ...more}});
  const token = await accounts.token('bound', ref('runner', {uid}));
  t.deepEqual((await accounts.whoAmI(token)).extra, {'authentication.orch/pod-name': ['runner'], 'authentication.orch/pod-uid': [uid]});
  t.is((await accounts.request('bound', ref('runner', {uid: 'another'}))).status, 409);
  t.is((await accounts.request('bound', ref('none'))).status, 404);
  t.is((await accounts.request('bound', ref('other'))).status, 400);
  t.is((await accounts.request('bound', {audiences: [], boundObjectRef: {kind: 'ConfigMap', apiVersion: 'v1', name: 'x'}})).status, 400);
  t.is((await server.client.delete(`${pods}/runner?gracePeriodSeconds=0`)).status, 200);
  t.is(await accounts.status(token), 401);
});

test('a token request is refused for an account that is missing and for a lifetime that is too short or too long', async (t) => {
  const accounts = new Accounts(t, server);
  await accounts.make('limits');
  t.is((await accounts.request('nobody', {audiences: []})).status, 404);
  for (const expirationSeconds of [599, 2 ** 32 + 1]) {
    const refused = await accounts.request('limits', {audiences: [], expirationSeconds});
    t.is(refused.status, 422);
    t.deepEqual(
      refused.json<{details: {causes: {field: string}[]}}>().details.causes.map(({field}) => field),
      ['spec.expirationSeconds'],
    );
  }
});

test('[B-SA-4] [B-SA-5] a Secret that asks for a token of an account gets one that authenticates for as long as the Secret holds it', async (t) => {
  const accounts = new Accounts(t, server);
  const uid = await accounts.make('keeper');
  const token = await accounts.secretToken('keeper-token', 'keeper');
  t.is((await accounts.whoAmI(token)).username, 'system:serviceaccount:default:keeper');
  const path = '/api/v1/namespaces/default/secrets/keeper-token';
  const secret = (await server.client.get(path)).json<{data: Record<string, string>; metadata: {annotations: Record<string, string>}}>();
  t.is(secret.metadata.annotations['orch/service-account.uid'], uid);
  t.is(Buffer.from(secret.data['namespace']!, 'base64').toString(), 'default');
  t.regex(Buffer.from(secret.data['ca.crt']!, 'base64').toString(), /^-----BEGIN CERTIFICATE-----/);
  t.is((await server.client.patch(path, {data: {token: null}})).status, 200);
  const stored = async () => (await server.client.get(path)).json<{data: {token?: string}}>().data.token;
  const renewed = Buffer.from((await eventually(stored, (text) => text !== undefined))!, 'base64').toString();
  t.is(await accounts.status(token), 401);
  t.is(await accounts.status(renewed), 403);
  t.is((await server.client.delete(path)).status, 200);
  t.is(await accounts.status(renewed), 401);
});

test('a token Secret goes with its account, and one of a missing account does not stay', async (t) => {
  const accounts = new Accounts(t, server);
  await accounts.make('leaver');
  await accounts.secretToken('leaver-token', 'leaver');
  await server.client.delete('/api/v1/namespaces/default/serviceaccounts/leaver');
  const path = '/api/v1/namespaces/default/secrets';
  await eventually(
    async () => (await server.client.get(`${path}/leaver-token`)).status,
    (status) => status === 404,
  );
  const body = {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'orch/service-account-token',
    metadata: {name: 'orphan', annotations: {'orch/service-account.name': 'nobody'}},
  };
  t.is((await server.client.post(path, body)).status, 201);
  await eventually(
    async () => (await server.client.get(`${path}/orphan`)).status,
    (status) => status === 404,
  );
});

test('every namespace has the service account default, also after it was deleted', async (t) => {
  const {client} = server;
  const status = (namespace: string) =>
    eventually(
      async () => (await client.get(`/api/v1/namespaces/${namespace}/serviceaccounts/default`)).status,
      (code) => code === 200,
    );
  for (const namespace of ['default', 'orch-system', 'orch-public']) t.is(await status(namespace), 200);
  t.is((await client.post('/api/v1/namespaces', {apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'fresh'}})).status, 201);
  t.is(await status('fresh'), 200);
  t.is((await client.delete('/api/v1/namespaces/fresh/serviceaccounts/default')).status, 200);
  t.is(await status('fresh'), 200);
});
