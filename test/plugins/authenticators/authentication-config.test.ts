import {rename, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import type {JWTPayload} from 'jose';
import {dump} from 'js-yaml';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../helpers/eventually.js';
import {tempFolder, type Teardown} from '../../helpers/temp-folder.js';
import {holderOf} from './identity.js';
import {makeKey, signedToken, startProvider, type Provider} from './oidc-provider.js';

const type = {apiVersion: 'apiserver.config.orch/v1beta1', kind: 'AuthenticationConfiguration'};
const simple = {username: {claim: 'sub', prefix: ''}};

let one: Provider;
let two: Provider;
let server: TestServer;
let file: string;
const endings: (() => unknown)[] = [];
const lasting: Teardown = {teardown: (end) => void endings.unshift(end)};

test.before(async () => {
  [one, two] = await Promise.all([
    startProvider(lasting, [await makeKey('one')]),
    startProvider(lasting, [await makeKey('two', 'ES256')], {}, '/elsewhere'),
  ]);
  file = join(tempFolder(lasting), 'authentication.yaml');
  await writeFile(file, dump({...type, jwt: []}));
  server = await startTestServer({
    // Of the releases that have the file.
    release: '1.36',
    flags: {'authentication-config': file},
    configuration: {plugins: {oidc: {config: {keyRefreshSeconds: 1}}}},
  });
});
test.after.always(async () => {
  await server?.stop();
  for (const end of endings) await end();
});

/** An entry for a provider; further members win. */
function entry(provider: Provider, mappings: object = simple, others: object = {}, issuer: object = {}): object {
  return {
    issuer: {url: provider.issuer, audiences: ['orch'], certificateAuthority: provider.ca, ...issuer},
    claimMappings: mappings,
    ...others,
  };
}

function token(provider: Provider, claims: JWTPayload = {}): Promise<string> {
  return signedToken(provider.keys[0]!, {iss: provider.issuer, aud: 'orch', sub: 'u-1', ...claims});
}

interface Review {
  readonly authenticated?: boolean;
  readonly user: {username?: string; groups?: string[]; uid?: string; extra?: Record<string, string[]>};
  readonly error?: string;
}

async function review(text: string): Promise<Review> {
  const body = {apiVersion: 'authentication.orch/v1', kind: 'TokenReview', spec: {token: text}};
  return (await server.client.post('/apis/authentication.orch/v1/tokenreviews', body)).json<{status: Review}>().status;
}

let marks = 0;

/** Puts entries into the file, and waits until the server uses them: another issuer's token with a mark of its own tells. */
async function configure(...jwt: object[]): Promise<void> {
  marks += 1;
  const mark = `mark-${marks}`;
  const marker = entry(
    one,
    {username: {expression: `'${mark}'`}},
    {},
    {url: `${one.url}/marker`, discoveryURL: `${one.url}/marker-document`},
  );
  one.pages.set('/marker-document', (_request, response) =>
    response.end(JSON.stringify({issuer: `${one.url}/marker`, jwks_uri: `${one.url}/keys`})),
  );
  await replace(dump({...type, jwt: [...jwt, marker]}));
  const asked = await token(one, {iss: `${one.url}/marker`});
  await eventually(
    async () => (await review(asked)).user.username,
    (name) => name === mark,
  );
}

async function replace(text: string): Promise<void> {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

test.serial(
  'tokens of several issuers are accepted, each by its own settings, also where the discovery document is elsewhere',
  async (t) => {
    await configure(
      entry(
        one,
        {username: {claim: 'sub', prefix: 'one:'}, groups: {claim: 'roles', prefix: 'g:'}, uid: {claim: 'id'}},
        {
          claimValidationRules: [{claim: 'tenant', requiredValue: 'blue'}],
        },
      ),
      entry(two, simple, {}, {audiences: ['a', 'b'], audienceMatchPolicy: 'MatchAny', discoveryURL: `${two.url}/elsewhere`}),
    );
    t.deepEqual((await review(await token(one, {roles: ['x'], id: '7', tenant: 'blue'}))).user, {
      username: 'one:u-1',
      uid: '7',
      groups: ['g:x', 'system:authenticated'],
    });
    t.regex((await review(await token(one, {id: '7'}))).error!, /has not the claim tenant=blue/);
    t.regex((await review(await token(one, {tenant: 'blue'}))).error!, /no uid in the claim id/);
    for (const aud of ['b', ['c', 'a']]) t.is((await review(await token(two, {aud}))).user.username, 'u-1');
    t.regex((await review(await token(two))).error!, /"aud" claim/);
    const foreign = await signedToken(two.keys[0]!, {iss: one.issuer, aud: 'orch', sub: 'u-1', tenant: 'blue', id: '7'});
    t.falsy((await review(foreign)).authenticated);
  },
);

test.serial('[B-WHTOK-18] a token of a provider is for the audiences of the server, whatever client it was made for', async (t) => {
  await configure(entry(one));
  const spec = {token: await token(one)};
  const ask = async (audiences?: string[]) => {
    const body = {apiVersion: 'authentication.orch/v1', kind: 'TokenReview', spec: {...spec, ...(audiences ? {audiences} : {})}};
    const {status} = (await server.client.post('/apis/authentication.orch/v1/tokenreviews', body)).json<{
      status: {authenticated?: boolean; audiences?: string[]};
    }>();
    return [status.authenticated ?? false, status.audiences];
  };
  const own = 'https://orch.default.svc.cluster.local';
  t.deepEqual(await ask(), [true, [own]]);
  t.deepEqual(await ask(['vault', own]), [true, [own]]);
  t.deepEqual(await ask(['vault', 'orch']), [false, undefined]);
});

test.serial('expressions make users of claims, and rules refuse tokens and users with their message', async (t) => {
  const extra = [
    {key: 'example.org/level', valueExpression: "claims.?level.orValue('')"},
    {key: 'example.org/all', valueExpression: "claims.roles.filter(r, r != 'b')"},
  ];
  const mappings = {
    username: {expression: "claims.email.split('@')[0] + ':' + claims.sub"},
    groups: {expression: "claims.roles.map(r, 'team:' + r)"},
    uid: {expression: 'claims.sub'},
    extra,
  };
  await configure(
    entry(one, mappings, {
      claimValidationRules: [
        {expression: 'claims.?email_verified.orValue(true) == true', message: 'the address is not confirmed'},
        {expression: 'claims.exp - claims.iat <= 3600', message: 'valid for too long'},
      ],
      userValidationRules: [
        {expression: "!user.username.startsWith('system:')", message: 'reserved'},
        {expression: 'user.groups.size() < 3'},
      ],
    }),
  );
  const claims = {email: 'jo@example.org', roles: ['a', 'b']};
  t.deepEqual((await review(await token(one, {...claims, level: 'high'}))).user, {
    username: 'jo:u-1',
    uid: 'u-1',
    groups: ['team:a', 'team:b', 'system:authenticated'],
    extra: {'example.org/level': ['high'], 'example.org/all': ['a']},
  });
  t.deepEqual((await review(await token(one, claims))).user.extra, {'example.org/all': ['a']});
  const refused: [JWTPayload, RegExp][] = [
    [{...claims, email_verified: false}, /failed: the address is not confirmed$/],
    [{...claims, iat: 1}, /failed: valid for too long$/],
    [{...claims, email: 'system@example.org'}, /failed: reserved$/],
    [{...claims, roles: ['a', 'b', 'c']}, /'user.groups.size\(\) < 3' failed$/],
    [{email: 'jo@example.org'}, /no such key: roles/],
    [{...claims, roles: [1]}, /.+/],
  ];
  for (const [bad, reason] of refused) {
    const {authenticated, error} = await review(await token(one, bad));
    t.falsy(authenticated);
    t.regex(error!, reason);
  }
});

test.serial('keys that a provider rotates are known soon, and those that it withdraws are not trusted any more', async (t) => {
  await configure(entry(two, simple, {}, {discoveryURL: `${two.url}/elsewhere`}));
  const [old] = two.keys;
  t.teardown(() => two.keys.splice(0, two.keys.length, old!));
  const before = await token(two);
  t.true((await review(before)).authenticated);
  two.keys.splice(0, 1, await makeKey('three', 'ES256'));
  const after = await token(two);
  t.true(
    await eventually(
      async () => (await review(after)).authenticated,
      (known) => known === true,
    ),
  );
  t.falsy((await review(before)).authenticated);
});

test.serial('groups that a token says are elsewhere are fetched there once, verified, and never through a redirect', async (t) => {
  await configure(
    entry(one, {...simple, groups: {claim: 'groups', prefix: ''}}),
    entry(two, simple, {}, {discoveryURL: `${two.url}/elsewhere`}),
  );
  const claimed: {authorization?: string | undefined; asked: number} = {asked: 0};
  let answered = await token(one, {groups: ['far', 'away']});
  one.pages.set('/groups', (request, response) => {
    claimed.asked += 1;
    claimed.authorization = request.headers.authorization;
    response.end(answered);
  });
  one.pages.set('/moved', (_request, response) => {
    response.writeHead(302, {location: `${one.url}/groups`});
    response.end();
  });
  const distributed = (source: object | undefined, more: JWTPayload = {}) =>
    token(one, {_claim_names: {groups: 'src'}, ...(source ? {_claim_sources: {src: source}} : {}), ...more});
  const good = await distributed({endpoint: `${one.url}/groups`, access_token: 'secret'});
  const holders = await Promise.all([1, 2, 3].map(() => holderOf(server, good)));
  for (const {groups} of holders) t.deepEqual(groups, ['far', 'away', 'system:authenticated']);
  t.deepEqual(claimed, {asked: 1, authorization: 'Bearer secret'});
  t.deepEqual((await holderOf(server, await distributed({endpoint: `${one.url}/groups`}, {groups: ['near']}))).groups, [
    'near',
    'system:authenticated',
  ]);
  t.deepEqual((await holderOf(server, await distributed({JWT: 'aggregated'}))).groups, ['system:authenticated']);
  t.is(claimed.asked, 1);

  const refusal = async (source: object | undefined, more: JWTPayload = {}) => {
    const {authenticated, error} = await review(await distributed(source, {...more, jti: String(Math.random())}));
    t.falsy(authenticated);
    return error!;
  };
  t.regex(await refusal({endpoint: `${one.url}/moved`}), /the answer has the status 302/);
  t.is(claimed.asked, 1);
  t.regex(await refusal({endpoint: `http://127.0.0.1:${one.port}/groups`}), /it is not an https URL/);
  t.regex(await refusal({endpoint: `${one.url}/nothing`}), /the answer has the status 404/);
  t.regex(await refusal({endpoint: 7}), /must be strings/);
  t.regex(await refusal(undefined), /_claim_sources is not an object/);
  t.regex(await refusal({endpoint: `${one.url}/groups`}, {_claim_names: {groups: 'other'}}), /has no source other/);
  const bad: [string, RegExp][] = [
    ['opaque', /not a token with an issuer/],
    [await token(one), /no claim groups/],
    [await token(one, {groups: ['x'], aud: 'another'}), /"aud" claim/],
    [await token(one, {groups: ['x'], exp: 1}), /"exp" claim/],
    [await signedToken(two.keys[0]!, {iss: one.issuer, aud: 'orch', groups: ['x']}), /no applicable key|signature/],
    [await token(one, {groups: ['x'], iss: 'http://127.0.0.1/'}), /is not an https URL/],
    ['x'.repeat(2 * 1024 * 1024), /larger than/],
  ];
  for (const [text, reason] of bad) {
    answered = text;
    t.regex(await refusal({endpoint: `${one.url}/groups`}), reason);
  }
});

test.serial(
  'a file that cannot be used changes nothing, and providers that stay the same keep their keys while they are down',
  async (t) => {
    const down = await startProvider(t, [await makeKey('down')]);
    await configure(entry(down));
    t.true((await review(await token(down, {jti: '1'}))).authenticated);
    await down.stop();
    await configure(entry(two, simple, {}, {discoveryURL: `${two.url}/elsewhere`}), entry(down));
    t.true((await review(await token(down, {jti: '2'}))).authenticated);
    t.true((await review(await token(two))).authenticated);
    await replace('jwt: {');
    await configure(entry(two, simple, {}, {discoveryURL: `${two.url}/elsewhere`}));
    t.falsy((await review(await token(down, {jti: '2'}))).authenticated);
  },
);

test('a server with a file that cannot be used, or with flags beside it, does not start', async (t) => {
  const path = join(tempFolder(t), 'config.yaml');
  const starts: [string, Record<string, unknown>, RegExp][] = [
    ['jwt: {', {}, /failed to load authentication configuration from file ".*config\.yaml": /],
    ['x'.repeat(1024 * 1024 + 1), {}, /at most 1048576 are read/],
    [
      dump(type),
      {'oidc-issuer-url': 'https://a.example.org', 'oidc-client-id': 'x', 'oidc-signing-algs': ['RS256']},
      /authentication-config file and oidc-\* flags are mutually exclusive/,
    ],
  ];
  for (const [content, flags, reason] of starts) {
    await writeFile(path, content);
    await t.throwsAsync(startTestServer({flags: {'authentication-config': path, ...flags}}), {message: reason});
  }
});
