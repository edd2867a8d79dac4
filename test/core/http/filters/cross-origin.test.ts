import {once} from 'node:events';
import type {IncomingMessage} from 'node:http';
import test, {type ExecutionContext} from 'ava';
import {WebSocket} from 'ws';
import {readServerFile, startTestServer, type TestServer} from '@orch-api/orch/testing';
import {freePort} from '../../../helpers/free-port.js';
import {findKubectls, kubectlFor} from '../../../helpers/kubectl.js';
import {strangerClient, userClient} from '../../../helpers/user-client.js';

const maps = '/api/v1/namespaces/default/configmaps';
const foreign = 'https://evil.example.com';
/** What kubectl proxy adds; a page cannot, without a preflight. */
const throughKubectlProxy = {'x-forwarded-for': '127.0.0.1'};

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
async function handshake(origin: string | undefined, on = server, headers: Record<string, string> = {}): Promise<number> {
  const [ca, cert, key] = await Promise.all(['ca.crt', 'admin.crt', 'admin.key'].map((name) => readServerFile(on, 'pki', name)));
  const socket = new WebSocket(`${on.url.replace('https', 'wss')}${maps}?watch=1`, {
    ca,
    cert,
    key,
    headers,
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

test('a page of another site changes nothing with the certificate of the browser that shows it', async (t) => {
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
    // Anybody who has an account on the user's machine may serve these.
    'http://localhost:9999',
    'https://[::1]:9443',
    'http://127.9.9.9',
    'http://ui.localhost',
    'http://127.0.0.1',
    `http://localhost:${new URL(server.url).port}`,
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

test('a page of another site opens no WebSocket', async (t) => {
  for (const origin of [foreign, 'null', 'http://localhost:8001']) t.is(await handshake(origin), 403, origin);
  t.is(await handshake(foreign, server, {authorization: 'Bearer unknown'}), 403, 'no page can set this header: somebody has added it');
  t.is(await handshake(undefined), 101);
  t.is(await handshake(server.url), 101);
  t.is(await handshake('http://localhost:8001', server, throughKubectlProxy), 101);
});

test('pages behind a proxy of the same machine are served, which says by X-Forwarded-For that no browser sent the request', async (t) => {
  for (const origin of ['http://localhost:8001', 'http://127.0.0.1:8001', 'http://[::1]:8001', 'http://ui.localhost:8001']) {
    t.is((await fromPage(t, origin, 'POST', maps, throughKubectlProxy)).status, 201, origin);
    t.is((await fromPage(t, origin, 'POST', maps, {'x-forwarded-for': '::1'})).status, 201, origin);
    for (const elsewhere of ['10.0.0.1', '127.0.0.1, 10.0.0.1', '10.0.0.1, 127.0.0.1', 'localhost', ''])
      t.is((await fromPage(t, origin, 'POST', maps, {'x-forwarded-for': elsewhere})).status, 403, `${origin} for ${elsewhere}`);
  }
  t.is((await fromPage(t, foreign, 'POST', maps, throughKubectlProxy)).status, 403);
});

for (const binary of findKubectls().slice(-1)) {
  test('a page that kubectl proxy shows may write and watch, another page not through it either', async (t) => {
    const port = await freePort();
    const kubectl = kubectlFor(t, binary, server.kubeconfig);
    const proxy = kubectl.start(['proxy', `--port=${port}`]);
    await proxy.until(/Starting to serve/);
    const own = `http://localhost:${port}`;
    const post = (origin: string, more: Record<string, string> = {'content-type': 'application/json'}) =>
      fetch(`${own}${maps}`, {method: 'POST', headers: {origin, ...more}, body: Buffer.from('{"metadata":{"generateName":"page-"}}')});
    t.is((await post(own)).status, 201);
    t.is((await post(own, {})).status, 415);
    t.is((await post(foreign)).status, 403);
    for (const [origin, status] of [
      [own, 101],
      [foreign, 403],
    ] as const) {
      const socket = new WebSocket(`ws://localhost:${port}${maps}?watch=1`, {origin});
      socket.on('error', () => undefined);
      const [got] = (await Promise.race([
        once(socket, 'open').then(() => [101]),
        once(socket, 'unexpected-response').then(([, response]) => [(response as IncomingMessage).statusCode]),
      ])) as [number];
      socket.terminate();
      t.is(got, status, origin);
    }
  });
}

test('a body that a page sends has a media type: that of one without is not guessed', async (t) => {
  const client = await userClient(t, server, 'admin', ['system:masters']);
  const body = '{"metadata":{"generateName":"page-"}}';
  const send = (method: string, path: string, headers: Record<string, string>, sent: string | null = body) =>
    // An empty media type is as none; the client would choose one itself.
    client.request(method, path, {headers: {'content-type': '', ...headers}, ...(sent === null ? {} : {body: sent})});
  for (const origin of [server.url, foreign]) {
    for (const method of ['POST', 'PUT', 'PATCH'])
      t.is((await send(method, maps, {origin})).status, origin === foreign ? 403 : 415, `${method} from ${origin}`);
  }
  const refused = await send('POST', maps, {origin: server.url});
  t.is(refused.json<{message: string}>().message, 'the body of a request from a web page needs a media type (Content-Type)');
  // What a form can send, and what a page can send without asking first, is no media type of objects.
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
    t.is((await send('POST', maps, {origin: server.url, 'content-type': type})).status, 415, type);
  t.is((await send('POST', maps, {origin: foreign, authorization: 'Bearer unknown'})).status, 415);
  // Others are understood as Kubernetes understands them.
  t.is((await send('POST', maps, {})).status, 201);
  t.is((await send('DELETE', `${maps}/none`, {origin: server.url}, null)).status, 404);
});

test('clients that are no browsers, pages of the server itself, and reads are served', async (t) => {
  t.is((await fromPage(t, undefined, 'POST')).status, 201);
  for (const origin of [server.url, server.url.replace('https', 'http')]) t.is((await fromPage(t, origin, 'POST')).status, 201, origin);
  t.is((await fromPage(t, foreign, 'GET')).status, 200);
  t.is(
    (await fromPage(t, 'https://orch.default.svc', 'POST', maps, {host: 'orch.default.svc'})).status,
    201,
    'the page of the host that the browser asked for',
  );
  t.is(
    (await fromPage(t, 'http://orch.default.svc', 'POST', maps, {host: 'orch.default.svc'})).status,
    403,
    'at port 80 of that host is something else',
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
