import {getEventListeners} from 'node:events';
import test from 'ava';
import {Client, ConnectionError, StatusError, types} from '../../../sdk/client/index.js';
import {retryDelay} from '../../../sdk/client/retry-delay.js';
import {scriptedServer, sendJson} from '../../helpers/scripted-server.js';
import {tcpRelay} from '../../helpers/tcp-relay.js';
import {fileServer, ownMaps} from './client-server.js';

const server = fileServer();
const busy = {kind: 'Status', code: 429, reason: 'TooManyRequests', message: 'come back later', details: {retryAfterSeconds: 0}};

for (const code of [429, 503]) {
  test(`a request that is put off with ${code} and Retry-After is sent again, with its body`, async (t) => {
    const {url, requests} = await scriptedServer(t, (request, response, number) => {
      if (number < 3) sendJson(response, code, {...busy, code}, {'retry-after': '0'});
      else sendJson(response, 201, JSON.parse(request.body));
    });
    using client = new Client({server: url});
    const made = await client.resource(types.core.v1.ConfigMap, 'default').create({metadata: {name: 'one'}, data: {a: '1'}});
    t.deepEqual(made.data, {a: '1'});
    t.is(requests.length, 3);
    t.is(new Set(requests.map(({body}) => body)).size, 1);
  });
}

test('what is put off without Retry-After, or too often, is an error', async (t) => {
  const {url, requests} = await scriptedServer(t, ({path}, response) =>
    sendJson(response, 429, busy, path === '/final' ? {} : {'retry-after': '0'}),
  );
  using client = new Client({server: url}, {maximumRetries: 4});
  t.like(await t.throwsAsync(client.getJson('/final'), {instanceOf: StatusError}), {code: 429, reason: 'TooManyRequests'});
  t.is(requests.length, 1);
  t.like(await t.throwsAsync(client.getJson('/again')), {code: 429, message: 'come back later'});
  t.is(requests.length, 6);
});

test('Retry-After is taken in seconds and as a date, and for a minute at most', (t) => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const delay = (text: string | undefined, statusCode = 503) =>
    retryDelay({statusCode, headers: text === undefined ? {} : {'retry-after': text}}, now);
  t.is(delay('3'), 3000);
  t.is(delay('Thu, 01 Jan 2026 00:00:10 GMT'), 10_000);
  t.is(delay('Wed, 31 Dec 2025 00:00:00 GMT'), 0);
  t.is(delay('86400'), 60_000);
  t.is(delay('soon'), undefined);
  t.is(delay(undefined), undefined);
  t.is(delay('3', 500), undefined);
});

test('waiting for a retry ends when the signal fires', async (t) => {
  const {url, requests} = await scriptedServer(t, (_request, response) => sendJson(response, 503, busy, {'retry-after': '60'}));
  using client = new Client({server: url});
  const controller = new AbortController();
  const reason = new Error('changed my mind');
  const call = client.getJson('/x', {signal: controller.signal});
  while (requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
  setTimeout(() => controller.abort(reason), 20);
  t.is(await t.throwsAsync(call), reason);
});

test('a signal ends a request in every phase, with its reason', async (t) => {
  const {url, requests} = await scriptedServer(t, ({path}, response) => {
    if (path === '/body') response.write('{');
  });
  using client = new Client({server: url});
  const reason = new Error('enough');
  await t.throwsAsync(client.getJson('/never', {signal: AbortSignal.abort(reason)}), {is: reason});
  for (const path of ['/head', '/body']) {
    const controller = new AbortController();
    const call = client.getJson(path, {signal: controller.signal});
    while (requests.at(-1)?.path !== path) await new Promise((resolve) => setImmediate(resolve));
    setTimeout(() => controller.abort(reason), 20);
    t.is(await t.throwsAsync(call), reason, path);
  }
});

test('requests leave no listeners on a signal that outlives them', async (t) => {
  const maps = await ownMaps(server().api);
  const {signal} = new AbortController();
  for (let round = 0; round < 20; round++) await maps.list({signal});
  t.is(getEventListeners(signal, 'abort').length, 0);
});

test('connections are kept open and used again', async (t) => {
  const relay = await tcpRelay(t, server().url);
  using client = new Client({...server().api.connection, server: relay.url});
  for (let round = 0; round < 10; round++) await client.getJson('/version');
  t.is(relay.accepted, 1);
  await Promise.all(Array.from({length: 4}, () => client.getJson('/version')));
  t.true(relay.accepted <= 4);
});

test('a connection that the server has closed in the meantime is replaced', async (t) => {
  const relay = await tcpRelay(t, server().url);
  using client = new Client({...server().api.connection, server: relay.url});
  for (let round = 0; round < 20; round++) {
    await Promise.all([client.getJson('/version'), client.getJson('/version'), client.getJson('/version')]);
    relay.drop();
  }
  t.true(relay.accepted > 3);
});

test('a server that cannot be reached or cannot be trusted is a ConnectionError that names it', async (t) => {
  const relay = await tcpRelay(t, server().url);
  relay.refuse(true);
  using refused = new Client({...server().api.connection, server: relay.url});
  t.true(
    (await t.throwsAsync(refused.getJson('/version'), {instanceOf: ConnectionError}))?.message.startsWith(`cannot reach ${relay.url}: `),
  );
  using stranger = new Client({server: server().url});
  t.is((await t.throwsAsync(stranger.getJson('/version'), {instanceOf: ConnectionError}))?.code, 'SELF_SIGNED_CERT_IN_CHAIN');
  using careless = new Client({server: server().url, insecureSkipTlsVerify: true});
  t.is((await careless.request({method: 'GET', path: '/livez'})).status, 200);
});

test("the server's certificate is checked for its host, or for another name that is given", async (t) => {
  const {connection} = server().api;
  using other = new Client({...connection, tlsServerName: 'other.example.com'});
  t.is((await t.throwsAsync(other.getJson('/version'), {instanceOf: ConnectionError}))?.code, 'ERR_TLS_CERT_ALTNAME_INVALID');
  using local = new Client({...connection, tlsServerName: 'localhost'});
  t.truthy(await local.getJson('/version'));
});

test('an answer that is no Status is an error with its text', async (t) => {
  const {url} = await scriptedServer(t, ({path}, response) => {
    response.writeHead(path === '/empty' ? 502 : 404, {'content-type': 'text/plain'});
    response.end(path === '/empty' ? '' : path === '/json' ? '{"error": 1}' : 'no such page\n');
  });
  using client = new Client({server: url});
  t.like(await t.throwsAsync(client.getJson('/text')), {
    code: 404,
    reason: 'NotFound',
    message: 'the server responded with 404: no such page',
  });
  t.like(await t.throwsAsync(client.getJson('/json')), {code: 404, message: 'the server responded with 404: {"error": 1}'});
  t.like(await t.throwsAsync(client.getJson('/empty')), {
    code: 502,
    reason: 'Unknown',
    message: 'the server responded with 502 without a body',
  });
});

test('tokens, passwords and impersonation travel in headers, below the path of the server', async (t) => {
  const {url, requests} = await scriptedServer(t, (_request, response) => sendJson(response, 200, {}));
  using bearer = new Client({server: `${url}/prefix/`, credentials: {token: 'secret'}}, {userAgent: 'mine/1'});
  await bearer.getJson('/version');
  using basic = new Client({
    server: url,
    credentials: {basic: {username: 'jane', password: 'pä:ss'}},
    impersonate: {user: 'joe', uid: '7', groups: ['a', 'b'], extra: {'example.com/scöpe': ['x', 'y']}},
  });
  await basic.getJson('/version');
  const [first, second] = requests;
  t.is(first?.path, '/prefix/version');
  t.is(first?.headers.authorization, 'Bearer secret');
  t.is(first?.headers['user-agent'], 'mine/1');
  t.is(second?.headers.authorization, `Basic ${Buffer.from('jane:pä:ss').toString('base64')}`);
  t.is(second?.headers['impersonate-user'], 'joe');
  t.is(second?.headers['impersonate-uid'], '7');
  t.is(second?.headers['impersonate-group'], 'a, b');
  t.is(second?.headers['impersonate-extra-example.com%2fsc%c3%b6pe'], 'x, y');
});

test('who is impersonated is who acts', async (t) => {
  using jane = new Client({...server().api.connection, impersonate: {user: 'jane', groups: ['team']}});
  const failure = await t.throwsAsync(jane.resource(types.core.v1.Secret, 'default').list(), {instanceOf: StatusError});
  t.is(failure?.code, 403);
  t.regex(failure?.message ?? '', /"jane" cannot list resource "secrets"/);
});

test('warnings of the server are handed on', async (t) => {
  const warnings: string[] = [];
  using client = new Client(server().api.connection, {onWarning: (text) => warnings.push(text)});
  const unknown = {metadata: {name: 'one'}, 'da"ta': {}};
  await client.resource(types.core.v1.ConfigMap, 'default').create(unknown, {dryRun: true});
  t.deepEqual(warnings, ['unknown field "da\\"ta"']);
});

test('a closed client says so, also to what was under way', async (t) => {
  const {url, requests} = await scriptedServer(t, () => undefined);
  const client = new Client({server: url});
  const call = client.getJson('/x');
  while (requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
  client.close();
  await t.throwsAsync(call, {message: 'the client is closed'});
  await t.throwsAsync(client.getJson('/x'), {message: 'the client is closed'});
});

test('an address that is no URL is refused at once', (t) => {
  t.throws(() => new Client({server: 'localhost:6443'}), {instanceOf: TypeError, message: /neither https nor http/});
  t.throws(() => new Client({server: 'nowhere'}), {instanceOf: TypeError, message: /is not a URL/});
});
