import test from 'ava';
import {once} from 'node:events';
import {connect, constants, type ClientHttp2Session, type IncomingHttpHeaders, type Settings} from 'node:http2';
import {clientCertificateOf} from '../../../../core/http/authentication/client-certificate.js';
import type {Exchange} from '../../../../core/http/request/exchange.js';
import {respondText} from '../../../../core/http/response/respond.js';
import {clientCertificate, startBareServer, type BareServer} from '../../../helpers/bare-server.js';
import {eventually, until} from '../../../helpers/eventually.js';
import type {Teardown} from '../../../helpers/temp-folder.js';

/** A connection of HTTP/2, ended with the test. */
function session(t: Teardown, server: BareServer, more = {}): ClientHttp2Session {
  const client = connect(`https://localhost:${server.port}`, {ca: server.ca, ...more});
  client.on('error', () => undefined);
  t.teardown(() => client.destroy());
  return client;
}

interface Answer {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

function ask(client: ClientHttp2Session, headers: Record<string, string>, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const stream = client.request(headers, {endStream: body === undefined});
    let received: IncomingHttpHeaders = {};
    let text = '';
    stream.on('response', (found) => (received = found));
    stream.on('data', (part: Buffer) => (text += part.toString()));
    stream.on('error', reject).on('end', () => resolve({headers: received, text}));
    if (body !== undefined) stream.end(body);
  });
}

test('a client that speaks HTTP/2 is answered in it, on the port where others speak HTTP/1.1', async (t) => {
  const server = await startBareServer(t, async (exchange) =>
    respondText(exchange, 200, `${exchange.method} ${exchange.path} ${exchange.header('host')}`),
  );
  const client = session(t, server);
  const {headers, text} = await ask(client, {':path': '/a?b=c'});
  t.is(client.alpnProtocol, 'h2');
  t.is(Number(headers[':status']), 200);
  t.is(text, `GET /a localhost:${server.port}`);
  const head = await ask(client, {':path': '/a', ':method': 'HEAD'});
  t.is(Number(head.headers[':status']), 200);
  t.is(head.text, '');
  const socket = await server.connect({ALPNProtocols: ['http/1.1']});
  socket.write('GET /x HTTP/1.1\r\nHost: orch\r\nConnection: close\r\n\r\n');
  let old = '';
  for await (const part of socket) old += String(part);
  t.regex(old, /^HTTP\/1\.1 200 .*GET \/x orch$/s);
});

test('a request whose client resets its stream is aborted; others of the connection go on', async (t) => {
  const kept: Exchange[] = [];
  const server = await startBareServer(t, async (exchange) => void kept.push(exchange));
  const client = session(t, server, await clientCertificate());
  const first = client.request({':path': '/first'});
  first.on('error', () => undefined);
  const second = ask(client, {':path': '/second'});
  await eventually(
    () => kept.length,
    (count) => count === 2,
  );
  const of = (path: string) => kept.find((exchange) => exchange.path === path)!;
  first.close(constants.NGHTTP2_CANCEL);
  await eventually(
    () => of('/first').isFinished,
    (isFinished) => isFinished,
  );
  t.true(of('/first').isAborted);
  t.false(of('/second').isAborted);
  respondText(of('/second'), 200, 'answer');
  t.is((await second).text, 'answer');
});

test('a request whose connection breaks is aborted', async (t) => {
  const kept: Exchange[] = [];
  const server = await startBareServer(t, async (exchange) => void kept.push(exchange));
  const client = session(t, server);
  client.request({':path': '/'}).on('error', () => undefined);
  await until('a request', () => kept.length === 1);
  client.destroy();
  await until('its end', () => kept[0]!.isFinished);
  t.true(kept[0]!.isAborted);
});

test('a client is known by its certificate', async (t) => {
  const server = await startBareServer(t, async (exchange) =>
    respondText(exchange, 200, clientCertificateOf(exchange.socket)?.certificate.subject ?? 'nobody'),
  );
  t.regex((await ask(session(t, server, await clientCertificate()), {':path': '/'})).text, /somebody/);
  t.is((await ask(session(t, server), {':path': '/'})).text, 'nobody');
});

test('bodies are read as with HTTP/1.1, of any length', async (t) => {
  const server = await startBareServer(t, async (exchange) => {
    const parts: Buffer[] = [];
    for await (const part of exchange.request) parts.push(part as Buffer);
    const all = Buffer.concat(parts);
    respondText(exchange, 200, `${exchange.header('content-length') ?? exchange.header('transfer-encoding')} ${all.length}`);
  });
  const client = session(t, server);
  t.is((await ask(client, {':path': '/', ':method': 'POST'}, '')).text, 'chunked 0');
  t.is((await ask(client, {':path': '/', ':method': 'POST', 'content-length': '3'}, 'abc')).text, '3 3');
  t.is((await ask(client, {':path': '/', ':method': 'POST'}, 'x'.repeat(1_000_000))).text, 'chunked 1000000');
});

test('an answer to a request whose body nobody reads ends the stream, and its connection goes on', async (t) => {
  const server = await startBareServer(t, async (exchange) => respondText(exchange, 403, 'no'));
  const client = session(t, server);
  const stream = client.request({':path': '/', ':method': 'POST'}, {endStream: false});
  const closed = new Promise((resolve) => stream.on('error', () => undefined).once('close', () => resolve(stream.rstCode)));
  stream.write('x'.repeat(10_000));
  stream.resume();
  t.is(await closed, constants.NGHTTP2_NO_ERROR);
  t.is((await ask(client, {':path': '/'})).text, 'no');
});

test('a server that ends answers what it has begun, and tells its clients', async (t) => {
  const kept: Exchange[] = [];
  const server = await startBareServer(t, async (exchange) => void kept.push(exchange));
  const client = session(t, server);
  const answer = ask(client, {':path': '/'});
  await until('a request', () => kept.length === 1);
  const told = new Promise((resolve) => client.once('goaway', resolve));
  const closed = server.close(10_000);
  t.is(await told, constants.NGHTTP2_NO_ERROR);
  respondText(kept[0]!, 200, 'last');
  t.is((await answer).text, 'last');
  await closed;
});

test('a server that others take the place of tells its clients, and ends watches', async (t) => {
  const kept: Exchange[] = [];
  const server = await startBareServer(t, async (exchange) => {
    exchange.whenRetiring = () => exchange.response.end('ended');
    kept.push(exchange);
  });
  const client = session(t, server);
  const long = ask(client, {':path': '/long'});
  await until('a request', () => kept.length === 1);
  const told = new Promise((resolve) => client.once('goaway', resolve));
  const retired = server.retire(10_000);
  t.is(await told, constants.NGHTTP2_NO_ERROR);
  t.is((await long).text, 'ended');
  await retired;
});

test('with a chance of 1 the connection of each request ends with it, which is answered', async (t) => {
  const server = await startBareServer(t, async (exchange) => respondText(exchange, 200, 'x'), {}, {goawayChance: 1, endsAnonymous: false});
  const client = session(t, server);
  const told = new Promise((resolve) => client.once('goaway', resolve));
  t.is((await ask(client, {':path': '/'})).text, 'x');
  t.is(await told, constants.NGHTTP2_NO_ERROR);
  await new Promise((resolve) => client.once('close', resolve));
});

test('headers of connections are left out of answers, and those that are there several times stay so', async (t) => {
  const server = await startBareServer(t, async ({response}) => {
    response.setHeader('Connection', 'close');
    response.setHeader('X-One', '1');
    response.writeHead(200, ['X-Two', 'a', 'X-Two', 'b', 'Transfer-Encoding', 'chunked', 'Set-Cookie', 'c=d']);
    response.write('some');
    response.end('thing');
  });
  const {headers, text} = await ask(session(t, server), {':path': '/'});
  t.is(text, 'something');
  t.is(headers['x-one'], '1');
  t.is(headers['x-two'], 'a, b');
  t.deepEqual(headers['set-cookie'], ['c=d']);
  t.is(headers['connection'], undefined);
  t.is(headers['transfer-encoding'], undefined);
});

test('a hundred requests of one connection are served at once, and further ones when these end', async (t) => {
  const kept: Exchange[] = [];
  const server = await startBareServer(t, async (exchange) => void kept.push(exchange));
  const client = session(t, server);
  const answers = Array.from({length: 150}, () => ask(client, {':path': '/'}));
  await until('a hundred', () => kept.length === 100);
  for (const exchange of kept) respondText(exchange, 200, 'x');
  await until('the others', () => kept.length === 150);
  for (const exchange of kept.slice(100)) respondText(exchange, 200, 'x');
  t.deepEqual(new Set((await Promise.all(answers)).map(({text}) => text)), new Set(['x']));
});

test('extended CONNECT is not offered, so that clients upgrade over HTTP/1.1', async (t) => {
  const server = await startBareServer(t, async (exchange) => respondText(exchange, 200, 'x'));
  const client = session(t, server);
  const [settings] = (await once(client, 'remoteSettings')) as [Settings];
  t.is(settings.enableConnectProtocol, false);
  t.is(Number((await ask(client, {':method': 'CONNECT', ':authority': 'orch'})).headers[':status']), 405);
});

test('a client is offered HTTP/1.1 only where HTTP/2 is not served', async (t) => {
  const server = await startBareServer(t, async (exchange) => respondText(exchange, 200, 'x'), {}, 'off');
  const socket = await server.connect({ALPNProtocols: ['h2', 'http/1.1']});
  t.is(socket.alpnProtocol, 'http/1.1');
});
