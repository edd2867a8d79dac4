import {once} from 'node:events';
import type {IncomingMessage} from 'node:http';
import test, {type ExecutionContext} from 'ava';
import {WebSocket} from 'ws';
import {readServerFile, startTestServer, type TestServer} from '../../../../sdk/testing/index.js';
import {strangerClient, userClient} from '../../../helpers/user-client.js';

const maps = '/api/v1/namespaces/default/configmaps';
const foreign = 'https://evil.example.com';

let server: TestServer;
test.before(async () => {
  server = await startTestServer();
});
test.after.always(() => server?.stop());

/** What a page of some origin is answered, with the administrator's certificate in the browser. */
async function fromPage(
  t: ExecutionContext,
  origin: string | undefined,
  method: string,
  path = maps,
  more: Record<string, string> = {},
  on = server,
) {
  const client = await userClient(t, on, 'admin', ['system:masters']);
  const body = method === 'POST' ? '{"metadata":{"generateName":"page-"}}' : undefined;
  return client.request(method, path, {
    headers: {...(origin === undefined ? {} : {origin}), ...more},
    ...(body ? {body} : {}),
  });
}

/** The status of a WebSocket's handshake: 101 when it was made. */
async function handshake(origin: string | undefined, on = server): Promise<number> {
  const [ca, cert, key] = await Promise.all(['ca.crt', 'admin.crt', 'admin.key'].map((name) => readServerFile(on, 'pki', name)));
  const socket = new WebSocket(`${on.url.replace('https', 'wss')}${maps}?watch=1`, {
    ca,
    cert,
    key,
    ...(origin === undefined ? {} : {origin}),
  });
  const [status] = (await Promise.race([
    once(socket, 'open').then(() => [101]),
    once(socket, 'unexpected-response').then(([, response]) => [(response as IncomingMessage).statusCode]),
  ])) as [number];
  socket.on('error', () => undefined);
  socket.terminate();
  return status;
}

test('[SEC-17] a page of another site changes nothing with the certificate of the browser that shows it', async (t) => {
  const fresh = await startTestServer();
  t.teardown(() => fresh.stop());
  const count = async () => (await fresh.client.get(maps)).json<{items: unknown[]}>().items.length;
  const before = await count();
  for (const origin of [
    foreign,
    'http://127.0.0.1.evil.example.com',
    'https://localhost.evil.example.com',
    'null',
    'chrome-extension://abc',
    'not an origin',
    `${server.url}.evil.example.com`,
  ]) {
    const answer = await fromPage(t, origin, 'POST', maps, {}, fresh);
    t.is(answer.status, 403, origin);
    t.is(
      answer.json<{message: string}>().message,
      `forbidden: requests from the origin ${JSON.stringify(origin)} are not allowed; --cors-allowed-origins names those that are`,
    );
    t.is(answer.headers['access-control-allow-origin'], undefined);
  }
  for (const method of ['PUT', 'PATCH', 'DELETE'])
    t.is((await fromPage(t, foreign, method, `${maps}/none`, {}, fresh)).status, 403, method);
  t.is(await count(), before);
});

test('[SEC-17] a page of another site opens no WebSocket', async (t) => {
  for (const origin of [foreign, 'null']) t.is(await handshake(origin), 403, origin);
  t.is(await handshake(undefined), 101);
  t.is(await handshake(server.url), 101);
  t.is(await handshake('http://localhost:8001'), 101);
});

test('clients that are no browsers, pages of the server itself and of this machine, and reads are served', async (t) => {
  t.is((await fromPage(t, undefined, 'POST')).status, 201);
  const {port} = new URL(server.url);
  for (const origin of [
    server.url,
    server.url.replace('https', 'http'),
    'http://localhost:8001',
    'https://[::1]:9443',
    'http://127.9.9.9',
    'http://ui.localhost',
    `https://127.0.0.1:${port}`,
  ])
    t.is((await fromPage(t, origin, 'POST')).status, 201, origin);
  t.is((await fromPage(t, foreign, 'GET')).status, 200);
  t.is(
    (await fromPage(t, 'https://orch.default.svc', 'POST', maps, {host: 'orch.default.svc'})).status,
    201,
    'the page of the host that the browser asked for',
  );
});

test('a token that the page sends itself is no credential of the browser', async (t) => {
  const client = await strangerClient(t, server);
  const headers = {origin: foreign, authorization: 'Bearer unknown'};
  t.is((await client.request('POST', maps, {headers, body: '{}'})).status, 401);
  t.is((await client.request('POST', maps, {headers: {...headers, authorization: 'Basic YTpi'}, body: '{}'})).status, 403);
});

test('--cors-allowed-origins lets pages of certain origins in, preflights too, as Kubernetes does', async (t) => {
  const open = await startTestServer({corsAllowedOrigins: ['^https://(.+\\.)?example\\.com$', 'friend']});
  t.teardown(() => open.stop());
  const cors = {
    'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
    'access-control-allow-headers':
      'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
    'access-control-expose-headers': 'Date',
    'access-control-allow-credentials': 'true',
  };
  for (const origin of ['https://example.com', 'https://ui.example.com', 'http://my-friend.net']) {
    const preflight = await (
      await strangerClient(t, open)
    ).request('OPTIONS', maps, {headers: {origin, 'access-control-request-method': 'POST'}});
    t.deepEqual([preflight.status, preflight.text], [204, '']);
    t.like(preflight.headers, {...cors, 'access-control-allow-origin': origin});
    const made = await fromPage(t, origin, 'POST', maps, {}, open);
    t.is(made.status, 201);
    t.like(made.headers, {...cors, 'access-control-allow-origin': origin});
    t.regex(String(made.headers['vary']), /\bOrigin\b/);
    for (const [path, status] of [
      ['/nowhere/at/all', 404],
      ['/apis', 200],
      ['/openapi/v2', 200],
      [maps, 200],
    ] as const) {
      const read = await fromPage(t, origin, 'GET', path, {}, open);
      t.is(read.status, status);
      t.is(read.headers['access-control-allow-origin'], origin);
      t.regex(String(read.headers['vary']), /\bOrigin\b/, path);
    }
  }
  for (const origin of [foreign.replace('example.com', 'test'), 'https://example.com.evil.net', 'https://evilexample.com']) {
    const preflight = await (await strangerClient(t, open)).request('OPTIONS', maps, {headers: {origin}});
    t.not(preflight.status, 204);
    t.is(preflight.headers['access-control-allow-origin'], undefined);
    t.is((await fromPage(t, origin, 'POST', maps, {}, open)).status, 403);
  }
  t.is(await handshake('https://ui.example.com', open), 101);
  t.is(await handshake('https://evil.net', open), 403);
  t.is((await open.client.get('/version')).headers['access-control-allow-origin'], undefined);
});

test('an expression of an allowed origin that cannot be understood stops the start in words', async (t) => {
  await t.throwsAsync(startTestServer({corsAllowedOrigins: ['https://(']}), {
    message: /--cors-allowed-origins: "https:\/\/\(" is not a regular expression/,
  });
});
