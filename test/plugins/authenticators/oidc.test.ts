import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import type {JWTPayload} from 'jose';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../helpers/eventually.js';
import type {HttpsClient} from '../../helpers/https-client.js';
import {makeAuthority, makeLeaf} from '../../helpers/test-certificates.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {strangerClient} from '../../helpers/user-client.js';
import {holderOf, statusWith} from './identity.js';
import {makeKey, signedToken, startProvider, type Key, type Provider} from './oidc-provider.js';

interface Setup {
  readonly server: TestServer;
  readonly client: HttpsClient;
  readonly provider: Provider;
  /** A token of the provider for the server; `claims` win, undefined ones are left out. */
  token(claims?: JWTPayload, key?: Key): Promise<string>;
}

async function setUp(
  t: ExecutionContext,
  flags: Record<string, unknown> = {},
  keys?: Key[],
  config: Record<string, unknown> = {},
): Promise<Setup> {
  const provider = await startProvider(t, keys ?? [await makeKey('one')]);
  const caFile = join(tempFolder(t), 'provider-ca.crt');
  writeFileSync(caFile, provider.ca);
  const issuer = `${provider.url}/realm`;
  const server = await startTestServer({
    flags: {'oidc-issuer-url': issuer, 'oidc-client-id': 'orch', 'oidc-ca-file': caFile, ...flags},
    configuration: {plugins: {oidc: {config}}},
  });
  t.teardown(() => server.stop());
  const token = (claims: JWTPayload = {}, key = provider.keys[0]!) => signedToken(key, {iss: issuer, aud: 'orch', sub: 'u-1', ...claims});
  return {server, client: await strangerClient(t, server), provider, token};
}

test('[B-METH-4] [B-OIDC-3] [B-OIDC-5] [B-OIDC-6] [B-OIDC-10] an ID token authenticates as its subject with the issuer before it, without groups; an opaque token does not', async (t) => {
  const {server, client, provider, token} = await setUp(t);
  t.deepEqual(await holderOf(server, await token({groups: ['a']})), {
    username: `${provider.url}/realm#u-1`,
    groups: ['system:authenticated'],
  });
  t.is(await statusWith(client, await token()), 200);
  t.is(await statusWith(client, 'opaque-access-token'), 401);
  t.deepEqual([...new Set(provider.paths)], ['/realm/.well-known/openid-configuration', '/keys']);
});

test('[B-OIDC-7] [B-OIDC-8] [B-OIDC-9] the user name comes from the claim and gets the prefix that the flags say', async (t) => {
  const names: [Record<string, string>, string][] = [
    [{'oidc-username-claim': 'email'}, 'jane@example.com'],
    [{'oidc-username-claim': 'email', 'oidc-username-prefix': 'mail:'}, 'mail:jane@example.com'],
    [{'oidc-username-claim': 'login', 'oidc-username-prefix': '-'}, 'jj'],
    [{'oidc-username-prefix': 'oidc:'}, 'oidc:u-1'],
    [{'oidc-username-claim': 'email', 'oidc-username-prefix': ''}, 'jane@example.com'],
  ];
  for (const [flags, expected] of names) {
    const {server, token} = await setUp(t, flags);
    t.is((await holderOf(server, await token({email: 'jane@example.com', login: 'jj'}))).username, expected);
  }
});

test('an empty prefix of user names is the default one, which keeps them apart from those of other methods', async (t) => {
  const {server, provider, token} = await setUp(t, {'oidc-username-prefix': ''});
  t.is((await holderOf(server, await token())).username, `${provider.url}/realm#u-1`);
});

test('a key that the provider withdraws is not trusted for long, though no new one is ever used', async (t) => {
  const keys = [await makeKey('one'), await makeKey('two')];
  const {client, provider, token} = await setUp(t, {}, keys, {keyRefreshSeconds: 1});
  const [good, stolen] = [await token({}, keys[0]), await token({}, keys[1])];
  t.is(await statusWith(client, stolen), 200);
  provider.keys.splice(1, 1);
  t.is(
    await eventually(
      () => statusWith(client, stolen),
      (status) => status !== 200,
    ),
    401,
  );
  t.is(await statusWith(client, good), 200);
  provider.keys.length = 0;
  t.is(
    await eventually(
      () => statusWith(client, good),
      (status) => status !== 200,
    ),
    401,
  );
});

test('an email address that the provider calls unverified is no user name, nor is a claim that is missing or no text', async (t) => {
  const {client, token} = await setUp(t, {'oidc-username-claim': 'email'});
  t.is(await statusWith(client, await token({email: 'jane@example.com', email_verified: true})), 200);
  for (const claims of [{email: 'jane@example.com', email_verified: false}, {}, {email: ''}, {email: ['jane']}])
    t.is(await statusWith(client, await token(claims)), 401);
});

test('[B-OIDC-10] [B-OIDC-11] groups come from their claim, each with the prefix; one text is a list of one', async (t) => {
  const {server, client, token} = await setUp(t, {'oidc-groups-claim': 'roles', 'oidc-groups-prefix': 'oidc:'});
  const groups = async (roles: unknown) => (await holderOf(server, await token({roles}))).groups;
  t.deepEqual(await groups(['a', 'b']), ['oidc:a', 'oidc:b', 'system:authenticated']);
  t.deepEqual(await groups('alone'), ['oidc:alone', 'system:authenticated']);
  t.is(await statusWith(client, await token({roles: [1]})), 401);
});

test('[B-OIDC-12] [B-OIDC-13] all required claims must be there with their values', async (t) => {
  const {client, token} = await setUp(t, {'oidc-required-claim': ['tenant=blue', 'level=high']});
  t.is(await statusWith(client, await token({tenant: 'blue', level: 'high'})), 200);
  for (const claims of [{}, {tenant: 'blue'}, {tenant: 'blue', level: 'low'}, {tenant: ['blue'], level: 'high'}])
    t.is(await statusWith(client, await token(claims)), 401);
});

test('[B-OIDC-4] [B-OIDC-17] [B-OIDC-18] [B-OIDC-20] tokens for others, with a bad signature, past their end, or of another issuer are refused', async (t) => {
  const {client, provider, token} = await setUp(t);
  const past = Math.floor(Date.now() / 1000) - 10;
  const impostor = await makeKey('one');
  const good = await token();
  const bad = {
    'for another client': await token({aud: 'another'}),
    'for nobody': await token({aud: undefined}),
    expired: await token({exp: past}),
    'without end': await token({exp: undefined}),
    'not yet': await token({nbf: past + 1000}),
    'signed by somebody else': await token({}, impostor),
    'of another issuer with the same keys': await token({iss: `${provider.url}/other`}),
    'with other contents': good.replace(
      /\.[^.]+\./,
      `.${Buffer.from(JSON.stringify({iss: `${provider.url}/realm`, aud: 'orch', sub: 'root', exp: past + 1000})).toString('base64url')}.`,
    ),
  };
  for (const [what, text] of Object.entries(bad)) t.is(await statusWith(client, text), 401, what);
  t.is(await statusWith(client, await token({aud: ['another', 'orch']})), 200);
});

test('[B-OIDC-16] only the algorithms of the flag are accepted, RS256 by default', async (t) => {
  const keys = [await makeKey('rsa'), await makeKey('ec', 'ES256')];
  const standard = await setUp(t, {}, keys);
  t.deepEqual(
    [
      await statusWith(standard.client, await standard.token({}, keys[0])),
      await statusWith(standard.client, await standard.token({}, keys[1])),
    ],
    [200, 401],
  );
  const other = await setUp(t, {'oidc-signing-algs': ['ES256']}, keys);
  t.deepEqual(
    [await statusWith(other.client, await other.token({}, keys[0])), await statusWith(other.client, await other.token({}, keys[1]))],
    [401, 200],
  );
});

test('[B-OIDC-19] tokens are checked without the provider: known keys go on working while it is down', async (t) => {
  const {client, provider, token} = await setUp(t);
  t.is(await statusWith(client, await token()), 200);
  const asked = provider.paths.length;
  t.is(await statusWith(client, await token({sub: 'u-2'})), 200);
  t.is(provider.paths.length, asked);
  await provider.stop();
  t.is(await statusWith(client, await token({sub: 'u-3'})), 200);
});

test('[B-OIDC-1] [B-OIDC-2] flags that do not fit together stop the start in words', async (t) => {
  const start = (flags: Record<string, unknown>) => t.throwsAsync(startTestServer({flags}));
  for (const flags of [{'oidc-issuer-url': 'https://a.example.com'}, {'oidc-client-id': 'orch'}]) {
    t.regex((await start(flags))!.message, /--oidc-issuer-url and --oidc-client-id must be given together/);
  }
  t.regex(
    (await start({'oidc-issuer-url': 'http://a.example.com', 'oidc-client-id': 'orch'}))!.message,
    /--oidc-issuer-url must be an https URL/,
  );
  t.regex(
    (await start({'oidc-issuer-url': 'https://a.example.com', 'oidc-client-id': 'orch', 'oidc-required-claim': ['x']}))!.message,
    /form key=value/,
  );
});

test('[B-OIDC-14] [B-OIDC-15] a provider is trusted by the CA of the flag, which must be a CA', async (t) => {
  const strange = join(tempFolder(t), 'strange-ca.crt');
  writeFileSync(strange, (await makeAuthority()).certificate);
  const other = await setUp(t, {'oidc-ca-file': strange});
  t.is(await statusWith(other.client, await other.token()), 401);
  const system = await setUp(t, {'oidc-ca-file': undefined});
  t.is(await statusWith(system.client, await system.token()), 401);
  const leaf = join(tempFolder(t), 'leaf.crt');
  writeFileSync(leaf, (await makeLeaf(await makeAuthority(), 'server', 'provider')).certificate);
  const flags = {'oidc-issuer-url': 'https://a.example.com', 'oidc-client-id': 'orch', 'oidc-ca-file': leaf};
  await t.throwsAsync(startTestServer({flags}), {message: /contains no certificate with the CA flag/});
});
