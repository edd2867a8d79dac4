import test, {type ExecutionContext} from 'ava';
import {once} from 'node:events';
import type {IncomingMessage} from 'node:http';
import {request} from 'node:https';
import type {Duplex} from 'node:stream';
import {WebSocket, WebSocketServer} from 'ws';
import {definePlugin, defineResource, defineRoute, forbidden, type Route, type Status} from '@orch-api/orch/sdk';
import {readServerFile, startTestServer, type TestServer} from '@orch-api/orch/testing';

const sockets = new WebSocketServer({noServer: true});
const echo = (incoming: IncomingMessage, socket: Duplex, head: Buffer) =>
  sockets.handleUpgrade(incoming, socket, head, (client) => client.on('message', (data) => client.send(String(data))));

type Upgrade = NonNullable<Route['upgrade']>;
const refuse = () => {
  throw forbidden({group: '', resource: 'lines', name: 'a'}, 'the line is closed');
};
const upgrades: Readonly<Record<string, Upgrade>> = {
  echo: ({incoming}, socket, head) => echo(incoming, socket, head),
  refused: refuse,
  'refused-later': async () => {
    await Promise.resolve();
    refuse();
  },
  broken: () => {
    throw new RangeError('bang');
  },
  'half-written': (_request, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\n');
    throw new RangeError('bang');
  },
};

const handle: Route['handle'] = (_request, response) => void response.end('plain');
const lines = definePlugin({name: 'lines'}, [
  ...Object.entries(upgrades).map(([name, upgrade]) =>
    defineRoute({path: `/lines/${name}`, methods: ['GET'], create: () => ({handle, upgrade})}),
  ),
  defineRoute({path: '/lines/plain', methods: ['GET'], create: () => ({handle})}),
  defineRoute({
    path: '/lines/hanging',
    methods: ['GET'],
    create: () => ({handle: (_request, response) => void response.write('first')}),
  }),
  defineRoute({
    path: '/lines/stream',
    methods: ['GET'],
    longRunning: true,
    create: () => ({handle: (_request, response) => void response.write('first')}),
  }),
  defineResource({
    group: 'lines.example.com',
    names: {plural: 'lines', kind: 'Line'},
    scope: 'Cluster',
    versions: [
      {
        name: 'v1',
        schema: {type: 'object'},
        subresources: Object.fromEntries(
          Object.entries(upgrades).map(([name, upgrade]) => [
            name,
            {verbs: ['get' as const], connect: true, handler: () => ({connect: () => undefined, upgrade: upgrade as never})},
          ]),
        ),
      },
    ],
  }),
]);

const timeoutMillis = 400;
/** For tests that must end long before the deadline, however busy the machine is. */
const lateMillis = 20_000;
async function start(t: ExecutionContext, requestTimeout = timeoutMillis) {
  const server = await startTestServer({plugins: [lines], limits: {requestTimeout: `${requestTimeout}ms`}});
  t.teardown(() => server.stop());
  await server.client.post('/apis/lines.example.com/v1/lines', {metadata: {name: 'a'}});
  const [ca, cert, key] = await Promise.all(['ca.crt', 'admin.crt', 'admin.key'].map((name) => readServerFile(server, 'pki', name)));
  return {server, tls: {ca, cert, key}};
}

const socketUrl = ({url}: TestServer, path: string) => `${url.replace('https', 'wss')}${path}`;
const forms = [
  ['a route', (name: string) => `/lines/${name}`],
  ['a subresource', (name: string) => `/apis/lines.example.com/v1/lines/a/${name}`],
] as const;

for (const [what, path] of forms) {
  test(`a WebSocket of ${what} lasts beyond the deadline of requests`, async (t) => {
    const {server, tls} = await start(t);
    const client = new WebSocket(socketUrl(server, path('echo')), tls);
    await once(client, 'open');
    await new Promise((resolve) => setTimeout(resolve, 2 * timeoutMillis));
    client.send('hello');
    const [answer] = (await once(client, 'message')) as [Buffer];
    t.is(answer.toString(), 'hello');
    client.terminate();
  });

  const answers = [
    ['refused', 403, /the line is closed/],
    ['refused-later', 403, /the line is closed/],
    ['broken', 500, /an unexpected error/],
  ] as const;
  for (const [name, code, message] of answers) {
    test(`an upgrade of ${what} that throws (${name}) is answered at once with ${code}`, async (t) => {
      const {server, tls} = await start(t, lateMillis);
      const client = new WebSocket(socketUrl(server, path(name)), tls);
      client.on('error', () => undefined);
      const began = performance.now();
      const [, response] = (await once(client, 'unexpected-response')) as [unknown, IncomingMessage];
      t.is(response.statusCode, code);
      let body = '';
      for await (const chunk of response) body += String(chunk);
      t.regex((JSON.parse(body) as Status).message!, message);
      t.true(performance.now() - began < lateMillis, 'not at the deadline');
      client.terminate();
      t.is((await server.client.get('/version')).status, 200);
    });
  }

  test(`an upgrade of ${what} that throws after it has written ends the connection`, async (t) => {
    const {server, tls} = await start(t, lateMillis);
    const client = new WebSocket(socketUrl(server, path('half-written')), tls);
    const began = performance.now();
    await t.throwsAsync(once(client, 'open'));
    t.true(performance.now() - began < lateMillis);
  });
}

test('a route without upgrade answers a request for one as any other', async (t) => {
  const {server, tls} = await start(t);
  const headers = {connection: 'upgrade', upgrade: 'websocket'};
  const [response] = (await once(request(`${server.url}/lines/plain`, {...tls, headers}).end(), 'response')) as [IncomingMessage];
  t.is(response.statusCode, 200);
});

for (const [name, isCut] of [
  ['hanging', true],
  ['stream', false],
] as const) {
  test(`a route that is ${isCut ? 'not ' : ''}long-running is ${isCut ? '' : 'not '}cut at the deadline of requests`, async (t) => {
    const {server, tls} = await start(t);
    const outgoing = request(`${server.url}/lines/${name}`, tls).end();
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    let isOver = false;
    response
      .on('error', () => undefined)
      .on('close', () => (isOver = true))
      .resume();
    await new Promise((resolve) => setTimeout(resolve, 3 * timeoutMillis));
    t.is(isOver, isCut);
    outgoing.destroy();
  });
}

test('long-running requests of routes count among the watches that a user may have', async (t) => {
  const server = await startTestServer({plugins: [lines], limits: {maxWatches: '1'}});
  t.teardown(() => server.stop());
  const [ca, cert, key] = await Promise.all(['ca.crt', 'admin.crt', 'admin.key'].map((name) => readServerFile(server, 'pki', name)));
  const outgoing = request(`${server.url}/lines/stream`, {ca, cert, key}).end();
  await once(outgoing, 'response');
  t.is((await server.client.get('/lines/stream')).status, 429);
  t.is((await server.client.get('/lines/plain')).status, 200);
  outgoing.destroy();
});
