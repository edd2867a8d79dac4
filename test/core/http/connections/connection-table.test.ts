import {connect as connectPlain, type Socket} from 'node:net';
import type {TLSSocket} from 'node:tls';
import test, {type ExecutionContext} from 'ava';
import {addressKey} from '../../../../core/http/connections/address-key.js';
import type {Exchange} from '../../../../core/http/request/exchange.js';
import {respondText} from '../../../../core/http/response/respond.js';
import {clientCertificate, gone, receive, startBareServer, type BareServer} from '../../../helpers/bare-server.js';
import {eventually} from '../../../helpers/eventually.js';

const get = 'GET / HTTP/1.1\r\nHost: orch\r\n\r\n';
const handle = async (exchange: Exchange) => respondText(exchange, 200, 'served');
const stuck = async () => undefined;

/** A connection below TLS on which nothing is sent. */
async function silent(t: ExecutionContext, {port}: BareServer): Promise<Socket> {
  const socket = connectPlain({host: '127.0.0.1', port});
  t.teardown(() => void socket.destroy());
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return socket.on('error', () => undefined).resume();
}

const closes = (socket: Socket) => new Promise<void>((resolve) => (socket.destroyed ? resolve() : socket.once('close', () => resolve())));

async function isServed(server: BareServer, options = {}): Promise<boolean> {
  try {
    const socket = await server.connect(options);
    socket.write(get);
    return (await receive(socket, /served/)).startsWith('HTTP/1.1 200 ');
  } catch {
    return false;
  }
}

/** A connection that the server has seen behind the handshake, since it has answered a request on it. */
async function opened(server: BareServer, options = {}): Promise<TLSSocket> {
  const socket = await server.connect(options);
  const answered = receive(socket, /served/);
  socket.write(get);
  await answered;
  return socket;
}

const acted = (server: BareServer) => server.logged.map(({fields}) => fields['limit']).filter((limit) => limit !== undefined);

test('beyond the limit of connections the one that was idle longest is closed for a new one', async (t) => {
  const server = await startBareServer(t, handle, {maxConnections: 10});
  const certificate = await clientCertificate();
  const sockets = [];
  for (let index = 0; index < 10; index++) sockets.push(await opened(server, certificate));
  // The first one is used, so the second has been idle longest.
  const answered = receive(sockets[0]!, /served/);
  sockets[0]!.write(get);
  await answered;
  t.true(await isServed(server, certificate));
  await gone(sockets[1]!);
  t.deepEqual(
    sockets.map(({destroyed}) => destroyed),
    sockets.map((_, index) => index === 1),
  );
  t.deepEqual(acted(server), ['maxConnections']);
});

test('of idle connections those of unknown callers are closed first', async (t) => {
  const server = await startBareServer(t, handle, {maxConnections: 10});
  const certificate = await clientCertificate();
  const sockets = [];
  for (let index = 0; index < 9; index++) sockets.push(await opened(server, certificate));
  const unknown = await opened(server);
  t.true(await isServed(server, certificate));
  await gone(unknown);
  t.true(sockets.every(({destroyed}) => !destroyed));
});

test('a new connection is refused when none is idle', async (t) => {
  const server = await startBareServer(t, stuck, {maxConnections: 10});
  const certificate = await clientCertificate();
  for (let index = 0; index < 10; index++) (await server.connect(certificate)).write(get);
  await eventually(
    () => isServed(server, certificate),
    (served) => !served,
  );
  t.true(acted(server).includes('maxConnections'));
});

test('connections from one address are limited', async (t) => {
  const server = await startBareServer(t, handle, {maxConnectionsPerAddress: 2});
  const sockets = [await server.connect(), await server.connect()];
  t.false(await isServed(server));
  t.deepEqual(acted(server), ['maxConnectionsPerAddress']);
  t.true(server.logged.some(({fields}) => fields['limit'] === 'maxConnectionsPerAddress' && fields['address'] === '127.0.0.1'));
  sockets[0]!.destroy();
  t.true(
    await eventually(
      () => isServed(server),
      (served) => served,
    ),
  );
});

test('addresses of one IPv6 network are one, and IPv4 within IPv6 is IPv4', (t) => {
  t.is(addressKey('10.1.2.3'), '10.1.2.3');
  t.is(addressKey('::ffff:10.1.2.3'), '10.1.2.3');
  t.is(addressKey('::1'), '0:0:0:0::/64');
  t.is(addressKey('2001:db8::1'), addressKey('2001:db8:0:0:ffff::2'));
  t.is(addressKey('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  t.not(addressKey('2001:db8:1:2::1'), addressKey('2001:db8:1:3::1'));
  t.is(addressKey('fe80::1%eth0'), 'fe80:0:0:0::/64');
});

test('connections of unknown callers have a limit of their own, and those with a certificate get in beside them', async (t) => {
  const server = await startBareServer(t, stuck, {maxUnknownConnections: 2});
  const first = await server.connect();
  const second = await server.connect();
  second.write(get);
  const third = await server.connect();
  await gone(first);
  third.write(get);
  // Both are busy now.
  await eventually(
    async () => {
      const socket = await server.connect();
      return Promise.race([gone(socket).then(() => 'refused'), receive(socket, /never/).then(() => 'ended')]);
    },
    (outcome) => outcome === 'refused' || outcome === 'ended',
  );
  t.false(second.destroyed);
  const known = await server.connect(await clientCertificate());
  known.write(get);
  t.false(known.destroyed);
  t.true(acted(server).includes('maxUnknownConnections'));
});

test('a caller that is identified by a request is unknown no more', async (t) => {
  const server = await startBareServer(
    t,
    async (exchange) => {
      exchange.carrier.identified();
      await handle(exchange);
    },
    {maxUnknownConnections: 1},
  );
  const sockets = [];
  for (let index = 0; index < 3; index++) {
    const socket = await server.connect();
    const answered = receive(socket, /served/);
    socket.write(get);
    t.regex(await answered, /^HTTP\/1\.1 200 /);
    sockets.push(socket);
  }
  t.true(sockets.every(({destroyed}) => !destroyed));
});

test('beyond the limit of unfinished handshakes the oldest is closed', async (t) => {
  const server = await startBareServer(t, handle, {maxHandshakes: 3});
  const sockets = [];
  for (let index = 0; index < 4; index++) sockets.push(await silent(t, server));
  await closes(sockets[0]!);
  t.deepEqual(
    sockets.map(({destroyed}) => destroyed),
    [true, false, false, false],
  );
  t.true(await isServed(server));
  t.deepEqual(acted(server), ['maxHandshakes']);
});

test('a handshake that is not finished in time ends the connection', async (t) => {
  const server = await startBareServer(t, handle, {handshakeTimeout: '200ms'});
  const began = performance.now();
  const socket = await silent(t, server);
  await closes(socket);
  t.true(performance.now() - began >= 150);
  t.true(performance.now() - began < 5000);
});

test('a connection without a request, and one with half a head, end in time', async (t) => {
  const server = await startBareServer(t, handle, {headersTimeout: '200ms'});
  const quiet = await server.connect();
  const half = await server.connect();
  const answers = Promise.all([receive(quiet), receive(half)]);
  half.write('GET / HTTP/1.1\r\nHo');
  for (const answer of await answers) t.regex(answer, /^HTTP\/1\.1 408 .*the request's head did not come within 0.2 s\n$/s);
});

test('a connection without a further request ends when its idle time is over', async (t) => {
  const server = await startBareServer(t, handle, {idleTimeout: '1s'});
  const socket = await server.connect();
  socket.write(get);
  const answer = await receive(socket);
  t.regex(answer, /^HTTP\/1\.1 200 .*Keep-Alive: timeout=1\r\n/s);
});

test('cipher suites with CBC are not offered', async (t) => {
  const server = await startBareServer(t, handle);
  const tls12 = {maxVersion: 'TLSv1.2'} as const;
  await t.throwsAsync(
    server.connect({...tls12, ciphers: 'ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA:ECDHE-RSA-AES128-SHA:AES128-SHA'}),
  );
  const socket = await server.connect(tls12);
  t.regex(socket.getCipher().name, /GCM|CHACHA20/);
});
