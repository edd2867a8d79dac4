import {chmodSync, readFileSync, statSync} from 'node:fs';
import test from 'ava';
import {load} from 'js-yaml';
import {Client, loadConnection} from '../../../sdk/client/index.js';
import {scriptedServer, sendJson, type SeenRequest} from '../../helpers/scripted-server.js';
import type {Teardown} from '../../helpers/temp-folder.js';
import {clusterOf, kubeconfigFile} from './kubeconfig-file.js';
import {tokenServer} from './token-plugin.js';

/** A token as far as a client looks at it. */
function idToken(name: string, secondsLeft: number): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({alg: 'none'})}.${part({sub: name, exp: Math.floor(Date.now() / 1000) + secondsLeft})}.x`;
}

/** An OpenID provider that gives what a test says for a refresh token. */
async function provider(t: Teardown, answer: (request: SeenRequest) => object, methods?: readonly string[]) {
  const started = await scriptedServer(t, (request, response) => {
    if (request.path === '/realm/.well-known/openid-configuration') {
      const {host} = request.headers;
      return sendJson(response, 200, {
        token_endpoint: `http://${host}/realm/token?v=1`,
        ...(methods ? {token_endpoint_auth_methods_supported: methods} : {}),
      });
    }
    const body = answer(request);
    return sendJson(response, 'error' in body ? 400 : 200, body);
  });
  return {issuer: `${started.url}/realm`, requests: () => started.requests.filter(({method}) => method === 'POST')};
}

const fresh = (name = 'jane') => idToken(name, 3600);

test('an expired ID token is replaced with the help of the refresh token, and the new tokens are kept in the file [B-OIDC-21]', async (t) => {
  const {server, accept} = await tokenServer(t);
  const [expired, renewed] = [idToken('jane', -10), fresh()];
  accept(renewed);
  const {issuer, requests} = await provider(t, () => ({id_token: renewed, refresh_token: 'next'}));
  const config = {'idp-issuer-url': issuer, 'client-id': 'tool', 'client-secret': 'a b', 'id-token': expired, 'refresh-token': 'first'};
  const path = kubeconfigFile(t, clusterOf(server.api.connection), {'auth-provider': {name: 'oidc', config}});
  chmodSync(path, 0o600);
  using client = new Client(await loadConnection({kubeconfig: path}));
  await Promise.all([client.getJson('/api'), client.getJson('/apis')]);
  await client.getJson('/api');
  t.is(requests().length, 1);
  const [request] = requests();
  t.is(request?.path, '/realm/token?v=1');
  t.is(request?.headers.authorization, `Basic ${Buffer.from('tool:a%20b').toString('base64')}`);
  t.deepEqual(Object.fromEntries(new URLSearchParams(request?.body)), {grant_type: 'refresh_token', refresh_token: 'first'});
  const stored = load(readFileSync(path, 'utf8')) as {users: {user: {'auth-provider': {config: object}}}[]};
  t.deepEqual(stored.users[0]?.user['auth-provider'].config, {...config, 'id-token': renewed, 'refresh-token': 'next'});
  t.is(statSync(path).mode & 0o777, 0o600);
  using later = new Client(await loadConnection({kubeconfig: path}));
  await later.getJson('/api');
  t.is(requests().length, 1, 'the next program goes on with the stored token');
});

test('a token that is good for a while is used as it is, one that the server refuses is replaced', async (t) => {
  const {server, accept} = await tokenServer(t);
  const [old, renewed] = [fresh('old'), fresh('new')];
  accept(old);
  const {issuer, requests} = await provider(t, () => ({id_token: renewed}), ['client_secret_post']);
  const config = {'idp-issuer-url': `${issuer}/`, 'client-id': 'tool', 'client-secret': 's', 'id-token': old, 'refresh-token': 'first'};
  using client = new Client(
    await loadConnection({kubeconfig: kubeconfigFile(t, clusterOf(server.api.connection), {'auth-provider': {name: 'oidc', config}})}),
  );
  await client.getJson('/api');
  t.is(requests().length, 0);
  accept(renewed);
  await client.getJson('/api');
  const [request] = requests();
  t.deepEqual(Object.fromEntries(new URLSearchParams(request?.body)), {
    grant_type: 'refresh_token',
    refresh_token: 'first',
    client_id: 'tool',
    client_secret: 's',
  });
  t.is(request?.headers.authorization, undefined);
});

const failures: {title: string; answer: object; config?: object; message: RegExp}[] = [
  {
    title: 'a provider whose answer has no id_token [B-OIDC-22]',
    answer: {access_token: 'x'},
    message: /cannot refresh the ID token: the provider returned no id_token: it does not issue ID tokens for refresh tokens/,
  },
  {
    title: 'a provider that refuses the refresh token',
    answer: {error: 'invalid_grant'},
    message: /cannot refresh the ID token: .*token\?v=1 returned status 400: \{"error":"invalid_grant"\}/,
  },
  {
    title: 'an expired token without a refresh token',
    answer: {},
    config: {'refresh-token': ''},
    message: /the ID token has expired, and there is no refresh token/,
  },
  {
    title: 'an issuer that is no URL',
    answer: {},
    config: {'idp-issuer-url': 'nowhere'},
    message: /cannot refresh the ID token: "nowhere\/\.well-known\/openid-configuration" is not a URL/,
  },
];

for (const {title, answer, config, message} of failures) {
  test(`${title} is a clear error`, async (t) => {
    const {issuer} = await provider(t, () => answer);
    const given = {'idp-issuer-url': issuer, 'client-id': 'tool', 'id-token': idToken('jane', -10), 'refresh-token': 'first', ...config};
    const kubeconfig = kubeconfigFile(t, {server: 'https://127.0.0.1:1'}, {'auth-provider': {name: 'oidc', config: given}});
    using client = new Client(await loadConnection({kubeconfig}));
    const failure = await t.throwsAsync(client.getJson('/api'), {message});
    t.true(failure?.message.startsWith(`${kubeconfig}, user user: `));
  });
}

test('a provider without issuer or client id is refused when the file is read', async (t) => {
  for (const [config, member] of [
    [{'client-id': 'tool'}, 'idp-issuer-url'],
    [{'idp-issuer-url': 'https://x'}, 'client-id'],
  ] as const) {
    const kubeconfig = kubeconfigFile(t, {server: 'https://127.0.0.1:1'}, {'auth-provider': {name: 'oidc', config}});
    await t.throwsAsync(loadConnection({kubeconfig}), {message: new RegExp(`auth-provider\\.config\\.${member} is required`)});
  }
});
