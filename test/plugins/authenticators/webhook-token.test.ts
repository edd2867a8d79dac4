import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {TLSSocket} from 'node:tls';
import test, {type ExecutionContext} from 'ava';
import {startTestServer, type TestServer} from '../../../sdk/testing/index.js';
import {eventually} from '../../helpers/eventually.js';
import {httpsService} from '../../helpers/https-service.js';
import {makeAuthority, makeLeaf} from '../../helpers/test-certificates.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {strangerClient} from '../../helpers/user-client.js';
import {holderOf, statusWith} from './identity.js';

interface Call {
  readonly method: string | undefined;
  readonly type: string | undefined;
  readonly client: string;
  readonly review: {apiVersion: string; kind: string; spec: {token: string; audiences?: string[]}};
}

interface Setup {
  readonly server: TestServer;
  readonly calls: Call[];
  stopService(): Promise<void>;
}

/** A server that asks a remote service, which answers with what `status` says of a token. */
async function setUp(
  t: ExecutionContext,
  status: (token: string) => object,
  options: {flags?: object; config?: Record<string, unknown>; apiVersion?: string} = {},
): Promise<Setup> {
  const calls: Call[] = [];
  const clientAuthority = await makeAuthority('client-ca');
  const service = await httpsService(
    t,
    (request, body) => {
      const review = JSON.parse(body) as Call['review'];
      const client = String((request.socket as TLSSocket).getPeerCertificate().subject?.CN);
      calls.push({method: request.method, type: request.headers['content-type'], client, review});
      return {
        apiVersion: options.apiVersion ?? review.apiVersion,
        kind: 'TokenReview',
        spec: {token: 'another'},
        status: status(review.spec.token),
      };
    },
    {requestCert: true, rejectUnauthorized: true, ca: clientAuthority.certificate},
  );
  const leaf = await makeLeaf(clientAuthority, 'client', 'orch-server');
  const folder = tempFolder(t);
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return name;
  };
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{name: 'remote', cluster: {server: `${service.url}/authenticate`, 'certificate-authority': file('ca.crt', service.ca)}}],
    users: [
      {name: 'server', user: {'client-certificate': file('client.crt', leaf.certificate), 'client-key': file('client.key', leaf.key)}},
    ],
    contexts: [{name: 'webhook', context: {cluster: 'remote', user: 'server'}}],
    'current-context': 'webhook',
  };
  file('config', JSON.stringify(kubeconfig));
  const server = await startTestServer({
    flags: {'authentication-token-webhook-config-file': join(folder, 'config'), ...options.flags},
    configuration: {plugins: {'webhook-token': {config: options.config ?? {}}}},
  });
  t.teardown(() => server.stop());
  return {server, calls, stopService: service.stop};
}

test('[B-WHTOK-1] [B-WHTOK-2] [B-WHTOK-5] [B-WHTOK-6] [B-WHTOK-9] [B-WHTOK-10] [B-WHTOK-12] a token is sent to the remote service, whose answer gives the identity', async (t) => {
  const user = {username: 'jane', uid: '42', groups: ['team', 'ops'], extra: {scopes: ['a', 'b']}};
  const {server, calls} = await setUp(t, () => ({authenticated: true, user, error: 'of no account'}));
  t.deepEqual(await holderOf(server, 'secret-token'), {...user, groups: ['team', 'ops', 'system:authenticated']});
  t.is(calls.length, 1);
  const [{method, type, client, review}] = calls as [Call];
  t.deepEqual(
    [method, type, client, review.apiVersion, review.kind, review.spec],
    [
      'POST',
      'application/json',
      'orch-server',
      'authentication.orch/v1beta1',
      'TokenReview',
      {token: 'secret-token', audiences: ['https://orch.default.svc.cluster.local']},
    ],
  );
});

test('[B-WHTOK-5] [B-WHTOK-8] the version of the flag is spoken, and an answer in another one does not authenticate', async (t) => {
  const flags = {'authentication-token-webhook-version': 'v1'};
  const good = await setUp(t, () => ({authenticated: true, user: {username: 'jane'}}), {flags});
  t.is(await statusWith(await strangerClient(t, good.server), 'x'), 200);
  t.is(good.calls[0]!.review.apiVersion, 'authentication.orch/v1');
  const bad = await setUp(t, () => ({authenticated: true, user: {username: 'jane'}}), {flags, apiVersion: 'authentication.orch/v1beta1'});
  t.is(await statusWith(await strangerClient(t, bad.server), 'x'), 401);
});

test('[B-WHTOK-11] [B-WHTOK-13] [B-WHTOK-16] [B-WHTOK-17] [B-ERR-3] who is not authenticated gets 401 with the error of the service, or a general message', async (t) => {
  const answers: Record<string, object> = {
    silent: {authenticated: false},
    told: {authenticated: false, error: 'your badge was taken away'},
    nameless: {authenticated: true, user: {}},
    none: {},
    good: {authenticated: true, user: {username: 'jane'}, error: 'ignored'},
  };
  const {server} = await setUp(t, (token) => answers[token]!);
  const client = await strangerClient(t, server);
  const message = async (token: string) => {
    const {status, json} = await client.get('/apis', {authorization: `Bearer ${token}`});
    return [status, json<{message?: string}>().message];
  };
  t.deepEqual(await message('silent'), [401, 'Unauthorized']);
  t.deepEqual(await message('told'), [401, 'your badge was taken away']);
  t.deepEqual(await message('nameless'), [401, 'Unauthorized']);
  t.deepEqual(await message('none'), [401, 'Unauthorized']);
  t.is(await statusWith(client, 'good'), 200);
});

test('[B-WHTOK-3] [B-WHTOK-4] a decision is remembered for the cache time, for and against; afterwards the service is asked again', async (t) => {
  const {server, calls} = await setUp(t, (token) => ({authenticated: token === 'good', user: {username: 'jane'}}), {
    flags: {'authentication-token-webhook-cache-ttl': '150ms'},
  });
  const client = await strangerClient(t, server);
  const asked = () => calls.length;
  await Promise.all([1, 2, 3].map(() => statusWith(client, 'good')));
  await statusWith(client, 'bad');
  const first = asked();
  t.true(first >= 2 && first <= 4);
  await eventually(
    async () => (await statusWith(client, 'good'), asked()),
    (count) => count > first,
  );
  const lasting = await setUp(t, () => ({authenticated: true, user: {username: 'jane'}}));
  const other = await strangerClient(t, lasting.server);
  for (let call = 0; call < 5; call += 1) t.is(await statusWith(other, 'x'), 200);
  t.is(lasting.calls.length, 1);
  await lasting.stopService();
  t.is(await statusWith(other, 'x'), 200);
  t.is(await statusWith(other, 'y'), 401);
});

test('[B-WHTOK-7] [B-WHTOK-14] [B-WHTOK-15] audiences are sent, and the token must be for one of them unless the answer names none', async (t) => {
  const audiences: Record<string, string[] | undefined> = {
    none: undefined,
    one: ['there'],
    both: ['elsewhere', 'here'],
    other: ['elsewhere'],
  };
  const {server, calls} = await setUp(t, (token) => ({authenticated: true, user: {username: 'jane'}, audiences: audiences[token]}), {
    flags: {'api-audiences': ['here', 'there']},
  });
  const client = await strangerClient(t, server);
  t.deepEqual(await Promise.all(Object.keys(audiences).map((token) => statusWith(client, token))), [200, 200, 200, 401]);
  t.deepEqual(calls[0]!.review.spec.audiences, ['here', 'there']);
});

test('[SEC-7] a review for other audiences asks the remote service about these, and remembers its answers apart', async (t) => {
  const valid: Record<string, string[] | undefined> = {vault: ['vault'], silent: undefined};
  const {server, calls} = await setUp(t, (token) => ({authenticated: true, user: {username: 'jane'}, audiences: valid[token]}));
  const review = async (token: string, audiences?: string[]) => {
    const body = {apiVersion: 'authentication.orch/v1', kind: 'TokenReview', spec: {token, ...(audiences ? {audiences} : {})}};
    const answer = await server.client.post('/apis/authentication.orch/v1/tokenreviews', body);
    const {status} = answer.json<{status: {authenticated?: boolean; audiences?: string[]}}>();
    return [status.authenticated ?? false, status.audiences];
  };
  const own = 'https://orch.default.svc.cluster.local';
  t.deepEqual(await review('vault', ['vault', 'other']), [true, ['vault']]);
  t.deepEqual(await review('vault'), [false, undefined]);
  t.deepEqual(await review('vault', ['other']), [false, undefined]);
  t.deepEqual(await review('silent'), [true, [own]]);
  t.deepEqual(await review('silent', ['vault']), [false, undefined]);
  t.deepEqual(
    calls.map(({review: {spec}}) => spec.audiences),
    [['vault', 'other'], [own], ['other'], [own], ['vault']],
  );
});

test('a configuration file that cannot be used and a cache time that is none stop the start in words', async (t) => {
  const file = join(tempFolder(t), 'config');
  await t.throwsAsync(startTestServer({flags: {'authentication-token-webhook-config-file': file}}), {message: /config/});
  writeFileSync(file, '');
  await t.throwsAsync(
    startTestServer({flags: {'authentication-token-webhook-config-file': file, 'authentication-token-webhook-cache-ttl': 'soon'}}),
    {message: /must be a duration such as 2m, not "soon"/},
  );
});
