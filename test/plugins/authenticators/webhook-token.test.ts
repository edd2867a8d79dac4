import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {connect, type TLSSocket} from 'node:tls';
import test, {type ExecutionContext} from 'ava';
import {readServerFile, startTestServer, type TestServer} from '@orch-api/orch/testing';
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
  status: (token: string) => object | Promise<object>,
  options: {flags?: object; config?: Record<string, unknown>; apiVersion?: string} = {},
): Promise<Setup> {
  const calls: Call[] = [];
  const clientAuthority = await makeAuthority('client-ca');
  const service = await httpsService(
    t,
    async (request, body) => {
      const review = JSON.parse(body) as Call['review'];
      const client = String((request.socket as TLSSocket).getPeerCertificate().subject?.CN);
      calls.push({method: request.method, type: request.headers['content-type'], client, review});
      return {
        apiVersion: options.apiVersion ?? review.apiVersion,
        kind: 'TokenReview',
        spec: {token: 'another'},
        status: await status(review.spec.token),
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

test('a review for other audiences asks the remote service about these, and remembers its answers apart', async (t) => {
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

/** A service that answers of some tokens only when it is told to. */
function slowService() {
  const gate = Promise.withResolvers<void>();
  const answers = async (token: string) => {
    if (token.startsWith('slow')) await gate.promise;
    return {authenticated: true, user: {username: 'jane'}};
  };
  return {answers, release: gate.resolve};
}

test('a remote service that does not answer holds up neither health nor administrators', async (t) => {
  const {answers, release} = slowService();
  const {server, calls} = await setUp(t, answers);
  const ca = await readServerFile(server, 'pki', 'ca.crt');
  const {hostname, port} = new URL(server.url);
  // More than all requests that are served at once, on few connections.
  for (let connection = 0; connection < 22; connection += 1) {
    const socket = connect({host: hostname, port: Number(port), ca});
    t.teardown(() => void socket.destroy());
    socket.on('error', () => undefined);
    for (let index = 0; index < 20; index += 1)
      socket.write(`GET /apis HTTP/1.1\r\nHost: orch\r\nAuthorization: Bearer slow-${connection}-${index}\r\n\r\n`);
  }
  await eventually(
    () => calls.length,
    (count) => count >= 100,
  );
  const stranger = await strangerClient(t, server);
  for (const path of ['/livez', '/readyz', '/healthz']) t.is((await stranger.get(path)).status, 200, path);
  t.is((await server.client.get('/api/v1/namespaces')).status, 200);
  release();
});

test('tokens that wait to be told about have a bound; what is known is let in meanwhile', async (t) => {
  const {answers, release} = slowService();
  const {server, calls} = await setUp(t, answers, {config: {reviewsInFlight: 3}});
  const client = await strangerClient(t, server);
  t.is(await statusWith(client, 'known'), 200);
  const waiting = ['slow-1', 'slow-2', 'slow-3'].map((token) => statusWith(client, token));
  await eventually(
    () => calls.length,
    (count) => count === 4,
  );
  const refused = await client.get('/apis', {authorization: 'Bearer slow-4'});
  t.deepEqual([refused.status, refused.headers['retry-after']], [429, '1']);
  t.is(refused.json<{reason: string}>().reason, 'TooManyRequests');
  t.is(await statusWith(client, 'known'), 200);
  t.is((await client.get('/livez', {authorization: 'Bearer slow-5'})).status, 200);
  t.is((await server.client.get('/apis')).status, 200);
  release();
  t.deepEqual(await Promise.all(waiting), [200, 200, 200]);
  t.is(await statusWith(client, 'slow-4'), 200);
  t.is(calls.length, 5);
});

test('what a service says at length is neither remembered nor handed on: its answers cost no memory, nor do its errors reach callers whole', async (t) => {
  const {server, calls} = await setUp(t, (token) =>
    token === 'refused'
      ? {authenticated: false, error: 'x'.repeat(500_000)}
      : {
          authenticated: true,
          user: {username: 'jane', groups: Array.from({length: token === 'many' ? 5000 : 5}, (_, index) => `group-${index}`)},
        },
  );
  const client = await strangerClient(t, server);
  for (const token of ['many', 'many', 'few', 'few']) t.is(await statusWith(client, token), 200);
  t.deepEqual(
    calls.map(({review}) => review.spec.token),
    ['many', 'many', 'few'],
  );
  const refused = await client.get('/api/v1/namespaces', {authorization: 'Bearer refused'});
  t.is(refused.status, 401);
  t.true(refused.body.length < 2000, `${refused.body.length} bytes`);
});
