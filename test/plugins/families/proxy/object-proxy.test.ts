import {createServer, request, type IncomingMessage} from 'node:http';
import {createServer as createTcpServer, type AddressInfo} from 'node:net';
import {once} from 'node:events';
import test, {type ExecutionContext} from 'ava';
import type {ConnectRequest} from '../../../../sdk/index.js';
import {forwardRequest} from '../../../../plugins/families/proxy/reverse-proxy.js';
import {proxyAddress, proxyPort, proxyTarget} from '../../../../plugins/families/proxy/proxy-target.js';
import {servedGroup} from '../../resources/served-group.js';

// Pods that point at this machine's own servers are only for tests and development.
const client = servedGroup(test, {configuration: {plugins: {'core-pods': {config: {proxyToLoopback: true}}}}});

/** A server of the test's own on loopback that answers what it was asked, and sends back what comes after an upgrade. */
async function backend(t: ExecutionContext): Promise<number> {
  const server = createServer((incoming, response) => {
    response.setHeader('x-backend', 'yes');
    void incoming.toArray().then((chunks) => {
      const {method, url, headers} = incoming;
      response.end(JSON.stringify({method, url, headers, body: Buffer.concat(chunks).toString()}));
    });
  });
  server.on('upgrade', (_incoming, socket) => {
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n`);
    socket.pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function podAt(name: string, port: number, podIP = '127.0.0.1'): Promise<void> {
  const path = '/api/v1/namespaces/default/pods';
  const spec = {containers: [{name: 'c', image: 'i', ports: [{containerPort: port}]}]};
  await client().post(path, {apiVersion: 'v1', kind: 'Pod', metadata: {name}, spec});
  await client().patch(`${path}/${name}/status`, {status: {podIP, phase: 'Running'}});
}

interface Echo {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

test('requests reach the pod with method, path, query and body, and without credentials', async (t) => {
  await podAt('echo', await backend(t));
  const response = await client().post(
    '/api/v1/namespaces/default/pods/echo/proxy/a%20b/?x=1&y=%20',
    {hello: 1},
    {headers: {'x-remote-user': 'admin', 'x-own': 'kept'}},
  );
  t.is(response.status, 200);
  t.is(response.headers['x-backend'], 'yes');
  const echo = response.json<Echo>();
  t.deepEqual([echo.method, echo.url, echo.body], ['POST', '/a%20b/?x=1&y=%20', '{"hello":1}']);
  t.is(echo.headers['x-own'], 'kept');
  t.is(echo.headers['x-remote-user'], undefined);
  t.is(echo.headers['x-forwarded-proto'], 'https');
});

test('the address that is connected to is the one that was checked, however it is written', async (t) => {
  const port = await backend(t);
  for (const [index, address] of ['0127.000.0.01', '::ffff:127.0.0.1', '::FFFF:7f00:1'].entries()) {
    await podAt(`written-${index}`, port, address);
    const response = await client().get(`/api/v1/namespaces/default/pods/written-${index}/proxy/`);
    t.is(response.status, 200, address);
    t.is(response.json<Echo>().headers['host'], `127.0.0.1:${port}`);
  }
});

test('a pod that answers with interim answers and nothing else is given up: 502', async (t) => {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    const more = () => {
      if (!socket.destroyed) socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(100), () => setImmediate(more));
    };
    socket.once('data', more);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  await podAt('interim', (server.address() as AddressInfo).port);
  const response = await client().get('/api/v1/namespaces/default/pods/interim/proxy/?timeout=5s');
  t.is(response.status, 502);
  t.regex(response.body.toString(), /more than 5 interim answers/);
});

test('a body in pieces stays the body of its request, whatever the method: it cannot be taken for another request', async (t) => {
  const seen: string[] = [];
  const target = createServer((incoming, response) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    void incoming.toArray().then((chunks) => response.end(Buffer.concat(chunks).toString()));
  });
  const front = createServer((incoming, response) => {
    const {port} = target.address() as AddressInfo;
    const request = {incoming, method: incoming.method!, signal: new AbortController().signal};
    void forwardRequest(request as ConnectRequest, response, {protocol: 'http', host: '127.0.0.1', port, path: incoming.url!});
  });
  for (const server of [target, front]) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.teardown(() => server.close());
  }
  const body = 'GET /smuggled HTTP/1.1\r\nHost: pod\r\nX-Remote-User: admin\r\n\r\n';
  for (const method of ['DELETE', 'POST']) {
    const {port} = front.address() as AddressInfo;
    const headers = {'transfer-encoding': 'chunked'};
    const outgoing = request({host: '127.0.0.1', port, method, path: '/own', headers, agent: false}).end(body);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    t.is(Buffer.concat((await response.toArray()) as Buffer[]).toString(), body);
  }
  t.deepEqual(seen, ['DELETE /own', 'POST /own']);
});

test('a path without the slash behind proxy leads to the one with it', async (t) => {
  await podAt('slash', await backend(t));
  const response = await client().get('/api/v1/namespaces/default/pods/slash/proxy?x=1');
  t.is(response.status, 301);
  t.is(response.headers.location, '/api/v1/namespaces/default/pods/slash/proxy/?x=1');
});

test('a pod that nobody answers for is a 503 that says why', async (t) => {
  const port = await backend(t);
  await podAt('other-port', port);
  const closed = await client().get(`/api/v1/namespaces/default/pods/other-port:1/proxy/`);
  t.is(closed.status, 503);
  t.regex(closed.json<{message: string}>().message, /^error trying to reach service: /);
  t.is((await client().get(`/api/v1/namespaces/default/pods/other-port:99999/proxy/`)).status, 400);
  t.is((await client().get(`/api/v1/namespaces/default/pods/none/proxy/`)).status, 404);
});

test('a pod without an address has none that is allowed', async (t) => {
  await client().post('/api/v1/namespaces/default/pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {name: 'young'},
    spec: {containers: [{name: 'c', image: 'i'}]},
  });
  const response = await client().get('/api/v1/namespaces/default/pods/young/proxy/');
  t.is(response.status, 400);
  t.is(response.json<{message: string}>().message, 'address not allowed');
});

test('names in proxy paths may carry a scheme and a port', (t) => {
  t.deepEqual(proxyTarget('web', 'pod'), {scheme: '', name: 'web', port: ''});
  t.deepEqual(proxyTarget('web:80', 'pod'), {scheme: '', name: 'web', port: '80'});
  t.deepEqual(proxyTarget('https:web:', 'pod'), {scheme: 'https', name: 'web', port: ''});
  for (const bad of ['ftp:web:1', 'a:b:c:d', ':80', '']) t.throws(() => proxyTarget(bad, 'pod'), {message: /invalid pod request/});
});

test('the server cannot be pointed at itself, however the address is written', (t) => {
  for (const address of [
    '127.0.0.1',
    '0127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '224.1.2.3',
    'ff05::1',
    '255.255.255.255',
  ])
    t.throws(() => proxyAddress(address, false), {message: /address not allowed/}, address);
  t.is(proxyAddress('10.0.0.1', false), '10.0.0.1');
  // Libraries of C read this as 127.0.0.1.
  t.is(proxyAddress('0177.0.0.1', false), '177.0.0.1');
  t.is(proxyAddress('FD00:0:0::1', false), 'fd00::1');
  for (const none of [
    'metadata.internal',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '0x7f000001',
    '127.0.0.1.',
    '',
    '::1%lo',
    '[::1]',
    '127.0.0.256',
  ])
    t.throws(() => proxyAddress(none, true), {message: /is not an IP address/}, none);
});

test('the port of a proxy path is a number of a port, in digits', (t) => {
  t.is(proxyPort('8080', 'pod "p"'), 8080);
  for (const bad of ['0', '65536', '0x50', '1e3', ' 80', '80 ', '-1', '8.0', 'http', ''])
    t.throws(() => proxyPort(bad, 'pod "p"'), {message: `invalid port ${JSON.stringify(bad)} of pod "p"`});
});
