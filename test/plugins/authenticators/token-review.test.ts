import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {Accounts} from './service-account/accounts.js';

const own = 'https://orch.default.svc.cluster.local';

let server: TestServer;
test.before(async () => {
  server = await startTestServer({flags: {'enable-bootstrap-token-auth': true}});
});
test.after.always(() => server?.stop());

interface Status {
  authenticated?: boolean;
  user: {username?: string};
  audiences?: string[];
  error?: string;
}

async function review(on: TestServer, token: string, audiences?: string[]): Promise<Status> {
  const body = {apiVersion: 'authentication.orch/v1', kind: 'TokenReview', spec: {token, ...(audiences ? {audiences} : {})}};
  const answer = await on.client.post('/apis/authentication.orch/v1/tokenreviews', body);
  if (answer.status !== 201) throw new Error(answer.body.toString());
  return answer.json<{status: Status}>().status;
}

test('[B-WHTOK-18] [B-WHTOK-19] a token of a service account is for the audiences that it names, in the review too', async (t) => {
  const accounts = new Accounts(t, server);
  await accounts.make('seven');
  const username = 'system:serviceaccount:default:seven';
  const vault = await accounts.token('seven', {audiences: ['vault']});
  const several = await accounts.token('seven', {audiences: ['vault', own, 'mail']});
  const plain = await accounts.token('seven');
  const secret = await accounts.secretToken('seven-secret', 'seven');
  const good: [token: string, asked: string[] | undefined, answered: string[]][] = [
    [vault, ['vault'], ['vault']],
    [vault, ['other', 'vault'], ['vault']],
    [several, ['mail', 'other', 'vault'], ['mail', 'vault']],
    [several, undefined, [own]],
    [plain, undefined, [own]],
    [plain, [own, 'vault'], [own]],
    [secret, undefined, [own]],
    [secret, ['vault', own], [own]],
  ];
  for (const [index, [token, asked, answered]] of good.entries()) {
    const {authenticated, user, audiences, error} = await review(server, token, asked);
    t.deepEqual([authenticated, user.username, audiences, error], [true, username, answered, undefined], String(index));
  }
  const bad: [token: string, asked: string[] | undefined][] = [
    [vault, undefined],
    [vault, [own]],
    [vault, ['other']],
    [plain, ['vault']],
    [several, ['other']],
    [secret, ['vault']],
  ];
  for (const [index, [token, asked]] of bad.entries()) {
    const {authenticated, user, audiences, error} = await review(server, token, asked);
    t.deepEqual([authenticated, user, audiences], [undefined, {}, undefined], String(index));
    t.regex(error!, /^token audiences \[.*\] is invalid for the target audiences \[.*\]$/);
  }
  t.is(await accounts.status(vault), 401);
  t.is(await accounts.status(several), 403);
});

test('tokens of methods that know no audiences are for the server itself', async (t) => {
  const stringData = {'token-id': 'aaaaa7', 'token-secret': '0123456789abcdef', 'usage-bootstrap-authentication': 'true'};
  const secret = {metadata: {name: 'bootstrap-token-aaaaa7'}, type: 'bootstrap.orch/token', stringData};
  t.is((await server.client.post('/api/v1/namespaces/orch-system/secrets', secret)).status, 201);
  const token = 'aaaaa7.0123456789abcdef';
  for (const asked of [undefined, ['vault', own]]) {
    t.like(await review(server, token, asked), {authenticated: true, user: {username: 'system:bootstrap:aaaaa7'}, audiences: [own]});
  }
  const {authenticated, user} = await review(server, token, ['vault']);
  t.deepEqual([authenticated, user], [undefined, {}]);
});

test('the answer about a token that is not accepted says why', async (t) => {
  const accounts = new Accounts(t, server);
  await accounts.make('why');
  const token = await accounts.token('why');
  const [head, claims, signature] = token.split('.') as [string, string, string];
  const errorOf = async (text: string) => {
    const {authenticated, error} = await review(server, text);
    t.falsy(authenticated);
    return error;
  };
  t.is(await errorOf('nobody knows this'), 'invalid bearer token');
  t.is(await errorOf('abcdef.0123456789abcdef'), 'bootstrap token abcdef is refused: there is no Secret for it');
  t.is(await errorOf(`${head}.${claims}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`), 'signature verification failed');
  t.is((await server.client.delete('/api/v1/namespaces/default/serviceaccounts/why')).status, 200);
  t.is(await errorOf(token), 'serviceaccounts "why" not found');
});

test('the audiences of the flag are those of the server', async (t) => {
  await using other = await startTestServer({flags: {'api-audiences': ['here', 'there']}});
  const accounts = new Accounts(t, other);
  await accounts.make('flag');
  t.deepEqual((await review(other, await accounts.token('flag'))).audiences, ['here', 'there']);
  t.deepEqual((await review(other, await accounts.token('flag'), ['there'])).audiences, ['there']);
  t.falsy((await review(other, await accounts.token('flag', {audiences: [own]}))).authenticated);
});
