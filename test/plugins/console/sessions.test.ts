import {once} from 'node:events';
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import {WebSocket} from 'ws';
import {readServerFile, startTestServer, type TestServer} from '@orch-api/orch/testing';
import {askRaw, type RawAnswer} from './ask-raw.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {userClient} from '../../helpers/user-client.js';

interface Session {
  readonly token: string;
  readonly cookie: string;
  readonly user: {readonly username: string};
}

async function linkOf(server: TestServer): Promise<string> {
  const answer = await server.client.post('/console/links', undefined);
  const {path} = answer.json<{path: string}>();
  return path.slice('/console/#link='.length);
}

function exchange(server: TestServer, link: string, headers: Record<string, string> = {}): Promise<RawAnswer> {
  return askRaw(server, 'POST', '/console/sessions', {origin: server.url, 'orch-console-link': link, ...headers});
}

async function signIn(server: TestServer): Promise<Session> {
  const answer = await exchange(server, await linkOf(server));
  const [cookie = ''] = answer.headers['set-cookie'] ?? [];
  return {...(JSON.parse(answer.body) as Session), cookie: cookie.split(';')[0]!};
}

const read = (server: TestServer, headers: Record<string, string>) => askRaw(server, 'GET', '/api/v1/namespaces/default', headers);

const bothHalves = ({token, cookie}: Session) => ({authorization: `Bearer ${token}`, cookie});

test('a link signs in once, as who asked for it', async (t) => {
  await using server = await startTestServer({enableConsole: true});
  const link = await linkOf(server);
  const first = await exchange(server, link);
  t.is(first.status, 201);
  t.is((JSON.parse(first.body) as Session).user.username, 'orch-admin');
  t.regex(
    String(first.headers['set-cookie']),
    /^__Host-orch-console-\d+=[\w-]{43}; Path=\/; Max-Age=28800; Secure; HttpOnly; SameSite=Strict$/,
  );
  const second = await exchange(server, link);
  t.is(second.status, 401);
  t.regex(second.body, /was used before/);
});

test('many that open a link at once get one session', async (t) => {
  await using server = await startTestServer({enableConsole: true});
  const link = await linkOf(server);
  const answers = await Promise.all(Array.from({length: 10}, () => exchange(server, link)));
  t.is(answers.filter(({status}) => status === 201).length, 1);
});

test('a link is for two minutes, a session for eight hours', async (t) => {
  await using server = await startTestServer({enableConsole: true});
  const late = await linkOf(server);
  const session = await signIn(server);
  t.is((await read(server, bothHalves(session))).status, 200);
  await server.advance(121_000);
  const refused = await exchange(server, late);
  t.is(refused.status, 401);
  t.regex(refused.body, /has expired/);
  await server.advance(8 * 3_600_000);
  t.is((await read(server, bothHalves(session))).status, 401);
});

test('neither half of a session is of use alone, nor with the half of another one', async (t) => {
  await using server = await startTestServer({enableConsole: true, flags: {'anonymous-auth': false}});
  const [session, other] = [await signIn(server), await signIn(server)];
  t.is((await read(server, bothHalves(session))).status, 200);
  t.is((await read(server, {authorization: `Bearer ${session.token}`})).status, 401, 'without the cookie');
  t.is((await read(server, {cookie: session.cookie})).status, 401, 'without the token');
  t.is((await read(server, {...bothHalves(session), cookie: other.cookie})).status, 401, 'the cookie of another session');
  t.is((await read(server, {...bothHalves(session), cookie: `${other.cookie}; ${session.cookie}`})).status, 401, 'two cookies');
});

test('a session is of use to pages of its own origin only', async (t) => {
  await using server = await startTestServer({enableConsole: true, flags: {'console-hosts': ['console.example.com']}});
  const session = await signIn(server);
  const own = {...bothHalves(session), origin: server.url, 'sec-fetch-site': 'same-origin'};
  t.is((await read(server, own)).status, 200);
  const strange: Record<string, string>[] = [
    {origin: 'https://evil.example.com'},
    {origin: 'null'},
    {origin: server.url.replace('https', 'http')},
    {'sec-fetch-site': 'cross-site'},
    {'sec-fetch-site': 'same-site'},
    {host: 'console.example.com'},
    {host: 'evil.example.com'},
    {host: 'localhost'},
  ];
  for (const headers of strange) t.is((await read(server, {...own, ...headers})).status, 401, JSON.stringify(headers));
});

test('only pages of the console exchange links and sign out', async (t) => {
  await using server = await startTestServer({enableConsole: true});
  const strange: Record<string, string>[] = [
    {origin: 'https://evil.example.com'},
    {origin: 'null'},
    {origin: server.url, 'sec-fetch-site': 'cross-site'},
    {origin: server.url.replace('127.0.0.1', 'evil.example.com'), host: new URL(server.url.replace('127.0.0.1', 'evil.example.com')).host},
  ];
  for (const headers of strange) {
    t.is((await exchange(server, await linkOf(server), headers)).status, 403, JSON.stringify(headers));
    const out = await askRaw(server, 'DELETE', '/console/sessions', headers);
    t.is(out.status, 403, JSON.stringify(headers));
    t.is(out.headers['set-cookie'], undefined);
  }
  const noOrigin = await askRaw(server, 'POST', '/console/sessions', {'orch-console-link': 'x'});
  t.is(noOrigin.status, 403);
  const out = await askRaw(server, 'DELETE', '/console/sessions', {origin: server.url});
  t.is(out.status, 200);
  t.regex(String(out.headers['set-cookie']), /Max-Age=0/);
});

test('what is no link of this server is refused', async (t) => {
  await using server = await startTestServer({enableConsole: true});
  const link = await linkOf(server);
  const session = await signIn(server);
  const wrongs = [
    '',
    'x',
    link.slice(0, -1),
    `${link}A`,
    link.replace('~', '~~'),
    session.token,
    `orch-console-link~${'A'.repeat(5000)}~x`,
  ];
  for (const wrong of wrongs) {
    const {status} = await exchange(server, wrong);
    t.true(status === 401 || status === 400, `${wrong.slice(0, 40)}: ${status}`);
  }
  t.is((await read(server, {...bothHalves(session), authorization: `Bearer ${link}`})).status, 401, 'a link is no session');
});

test('who may not ask for a link gets none', async (t) => {
  await using server = await startTestServer({enableConsole: true});
  t.is((await server.client.post('/console/links', undefined, {anonymous: true})).status, 403);
  const tenant = await userClient(t, server, 'tenant');
  t.is((await tenant.request('POST', '/console/links')).status, 403);
});

test('a session goes on after a restart of the server, and on the other processes of it', async (t) => {
  const dataDir = tempFolder(t);
  const first = await startTestServer({enableConsole: true, dataDir, store: 'embedded'});
  const session = await signIn(first);
  const port = Number(new URL(first.url).port);
  await first.stop();
  await using second = await startTestServer({enableConsole: true, dataDir, store: 'embedded', securePort: port});
  t.is((await read(second, bothHalves(session))).status, 200);
  t.deepEqual((await readdir(join(dataDir, 'console'))).sort(), ['session.key', 'used-links']);
});

test('a WebSocket carries a session as a subprotocol', async (t) => {
  await using server = await startTestServer({enableConsole: true});
  const {token, cookie} = await signIn(server);
  const ca = await readServerFile(server, 'pki', 'ca.crt');
  const open = (headers: Record<string, string>) =>
    new WebSocket(
      `${server.url.replace('https', 'wss')}/api/v1/namespaces?watch=1`,
      ['console.orch', `base64url.bearer.authorization.orch.${Buffer.from(token).toString('base64url')}`],
      {ca, headers},
    );
  const watch = open({cookie, origin: server.url});
  const [message] = (await once(watch, 'message')) as [Buffer];
  t.is(JSON.parse(message.toString()).type, 'ADDED');
  t.is(watch.protocol, 'console.orch');
  watch.close();
  await once(watch, 'close');
  for (const headers of [{origin: server.url}, {cookie, origin: 'https://evil.example.com'}] as Record<string, string>[]) {
    const refused = open(headers);
    const [error] = (await once(refused, 'error')) as [Error];
    t.regex(error.message, /40[13]/);
  }
});
