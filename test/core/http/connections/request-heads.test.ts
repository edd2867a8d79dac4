import test from 'ava';
import {respondText} from '../../../../core/http/response/respond.js';
import {clientCertificate, gone, receive, startBareServer, type BareServer} from '../../../helpers/bare-server.js';

const handle = async (exchange: Parameters<typeof respondText>[0]) => respondText(exchange, 200, `served ${exchange.path.length}`);

/** What comes back for the bytes of a request. */
async function answerTo(server: BareServer, text: string, credentials: {cert?: string; key?: string} = {}): Promise<string> {
  const socket = await server.connect(credentials);
  const received = receive(socket, /\r\n\r\n.+/s);
  socket.write(text);
  const answer = await received;
  socket.destroy();
  return answer;
}

const padded = (bytes: number) => `GET / HTTP/1.1\r\nHost: orch\r\nX-Padding: ${'x'.repeat(bytes)}\r\n\r\n`;
const headers = (count: number) =>
  `GET / HTTP/1.1\r\nHost: orch\r\n${Array.from({length: count - 1}, (_, index) => `X-${index}: v\r\n`).join('')}\r\n`;

test('a head above 64 KiB is refused with 431 unless the client has shown a valid certificate, and above 1 MiB always', async (t) => {
  const server = await startBareServer(t, handle);
  const certificate = await clientCertificate();
  t.regex(await answerTo(server, padded(60_000)), /^HTTP\/1\.1 200 /);
  t.regex(await answerTo(server, padded(70_000)), /^HTTP\/1\.1 431 .*more than 65536 bytes\n$/s);
  t.regex(await answerTo(server, padded(1_000_000), certificate), /^HTTP\/1\.1 200 /);
  t.regex(await answerTo(server, padded(1_100_000), certificate), /^HTTP\/1\.1 431 .*more than 1048576 bytes\n$/s);
  t.deepEqual(
    server.logged.map(({fields}) => fields['limit']).filter((limit) => limit !== undefined),
    ['maxHeaderBytes', 'maxHeaderBytesWithCertificate'],
  );
});

test('the settings of header bytes act', async (t) => {
  const server = await startBareServer(t, handle, {maxHeaderBytes: '2Ki', maxHeaderBytesWithCertificate: '8Ki'});
  const certificate = await clientCertificate();
  t.regex(await answerTo(server, padded(1_500)), /^HTTP\/1\.1 200 /);
  t.regex(await answerTo(server, padded(3_000)), /^HTTP\/1\.1 431 /);
  t.regex(await answerTo(server, padded(3_000), certificate), /^HTTP\/1\.1 200 /);
  t.regex(await answerTo(server, padded(9_000), certificate), /^HTTP\/1\.1 431 /);
});

test('a request with too many headers is refused with 431; none is dropped silently', async (t) => {
  let seen = 0;
  const server = await startBareServer(t, async (exchange) => {
    seen = Object.keys(exchange.request.headers).length;
    await handle(exchange);
  });
  const certificate = await clientCertificate();
  t.regex(await answerTo(server, headers(1000), certificate), /^HTTP\/1\.1 200 /);
  t.is(seen, 1000);
  t.regex(
    await answerTo(server, headers(1001), certificate),
    /^HTTP\/1\.1 431 .*the request has 1001 headers, and at most 1000 are taken\n$/s,
  );
  const lenient = await startBareServer(t, handle, {maxHeaders: 3000});
  t.regex(await answerTo(lenient, headers(3000), certificate), /^HTTP\/1\.1 200 /);
  t.regex(await answerTo(lenient, headers(3001), certificate), /^HTTP\/1\.1 431 /);
});

test('HTTP/0.9 and versions that are none of HTTP/1 are refused', async (t) => {
  const server = await startBareServer(t, handle);
  t.regex(await answerTo(server, 'GET /\r\n\r\n'), /^HTTP\/1\.1 505 /);
  t.regex(await answerTo(server, 'GET / HTTP/0.9\r\n\r\n'), /^HTTP\/1\.1 505 /);
  t.regex(await answerTo(server, 'GET / HTTP/2.0\r\nHost: orch\r\n\r\n'), /^HTTP\/1\.1 505 /);
  t.regex(await answerTo(server, 'GET / HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /);
});

test('a request of HTTP/1.1 without Host is refused with 400, and an unknown expectation with 417', async (t) => {
  const server = await startBareServer(t, handle);
  t.regex(await answerTo(server, 'GET / HTTP/1.1\r\n\r\n'), /^HTTP\/1\.1 400 .*missing required Host header\n$/s);
  t.regex(await answerTo(server, 'GET / HTTP/1.1\r\nHost: orch\r\nExpect: miracles\r\n\r\n'), /^HTTP\/1\.1 417 /);
  const twice = 'GET / HTTP/1.1\r\nHost: orch\r\nExpect: 100-continue\r\nExpect: 100-Continue\r\n\r\n';
  t.regex(await answerTo(server, twice), /^(HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 200 /);
});

test('100 Continue comes before the answer that it is about, or not at all', async (t) => {
  let release: (() => void) | undefined;
  const server = await startBareServer(t, async (exchange) => {
    if (exchange.path === '/slow') await new Promise<void>((resolve) => (release = resolve));
    else release!();
    await handle(exchange);
  });
  const post = 'POST /post HTTP/1.1\r\nHost: orch\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nok';
  const socket = await server.connect();
  const received = receive(socket, /served 5.*served 5/s);
  socket.write(`GET /slow HTTP/1.1\r\nHost: orch\r\n\r\n${post}`);
  t.regex(
    await received,
    /^HTTP\/1\.1 200 [^]*\r\n\r\nserved 5(HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 200 ((?!100 Continue)[^])*\r\n\r\nserved 5$/,
  );
  t.regex(await answerTo(server, post), /^HTTP\/1\.1 100 Continue\r\n\r\n/);
});

test('a request with two Host headers, or with one that is no host, is refused with 400, whatever they say', async (t) => {
  const server = await startBareServer(t, handle);
  const withHosts = (version: string, ...hosts: string[]) => `GET / HTTP/${version}\r\n${hosts.map((host) => `${host}\r\n`).join('')}\r\n`;
  for (const version of ['1.0', '1.1']) {
    t.regex(await answerTo(server, withHosts(version, 'Host: orch', 'Host: orch')), /^HTTP\/1\.1 400 .*more than one Host header\n$/s);
    t.regex(await answerTo(server, withHosts(version, 'Host: orch', 'X-A: b', 'hOST: other')), /^HTTP\/1\.1 400 /);
  }
  for (const host of ['a b', 'a/b', 'user@orch', 'orch?x', 'orch, other', '"orch"'])
    t.regex(await answerTo(server, withHosts('1.1', `Host: ${host}`)), /^HTTP\/1\.1 400 .*is not a host\n$/s, host);
  for (const host of ['orch', 'orch:6443', '[::1]', '[::1]:6443', '127.0.0.1:1', 'a_b.example', ''])
    t.regex(await answerTo(server, withHosts('1.1', `Host: ${host}`)), /^HTTP\/1\.1 200 /, host);
});

test('a request whose end two readers could see in two places is refused, and nothing behind it is read', async (t) => {
  const seen: string[] = [];
  const server = await startBareServer(t, async (exchange) => {
    seen.push(exchange.path);
    exchange.request.resume();
    await handle(exchange);
  });
  const hidden = 'GET /hidden HTTP/1.1\r\nHost: orch\r\n\r\n';
  const shapes: readonly (readonly string[])[] = [
    ['Content-Length: 4', 'Transfer-Encoding: chunked'],
    ['Transfer-Encoding: chunked', 'Content-Length: 4'],
    ['Content-Length: 0', 'Content-Length: 40'],
    ['Content-Length: 0, 40'],
    ['Content-Length: +0'],
    ['Content-Length: 0x0'],
    ['Content-Length : 0'],
    ['Transfer-Encoding: xchunked'],
    ['Transfer-Encoding: chunked, identity'],
    ['Transfer-Encoding:\r\n chunked'],
  ];
  for (const lines of shapes) {
    const answer = await answerTo(server, `POST / HTTP/1.1\r\nHost: orch\r\n${lines.join('\r\n')}\r\n\r\n0\r\n\r\n${hidden}`);
    t.regex(answer, /^HTTP\/1\.1 400 /, lines.join());
    t.notRegex(answer, /HTTP.1\.1 200/, lines.join());
  }
  t.false(seen.includes('/hidden'), seen.join());
});

test('a body that cannot be read is answered with 400, behind the answers to the requests before it', async (t) => {
  const server = await startBareServer(t, async (exchange) => {
    if (exchange.path === '/body') exchange.request.resume();
    else await handle(exchange);
  });
  const broken = 'POST /body HTTP/1.1\r\nHost: orch\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n';
  t.regex(await answerTo(server, broken), /^HTTP\/1\.1 400 /);
  const socket = await server.connect();
  const received = receive(socket);
  socket.write(`GET / HTTP/1.1\r\nHost: orch\r\n\r\n${broken}`);
  const rr = await received;

  t.regex(rr, /^HTTP\/1\.1 200 .*HTTP\/1\.1 400 /s);
});

for (const [what, rest] of [
  ['breaks off', undefined],
  ['turns into nonsense', 'zz\r\n'],
] as const) {
  test(`a body that ${what} while its answer is being sent ends the connection and nothing else`, async (t) => {
    let finish: (() => void) | undefined;
    const server = await startBareServer(t, async ({path, response}) => {
      response.writeHead(200);
      response.write('begun');
      if (path === '/first') finish = () => response.end(' and done');
      else response.end();
    });
    const first = await server.connect();
    const [begun, ended] = [receive(first, /begun/), gone(first)];
    first.write('POST /first HTTP/1.1\r\nHost: orch\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n');
    await begun;
    const done = receive(first, /and done/);
    if (rest === undefined) first.end();
    else first.write(rest);
    const other = await server.connect();
    const served = receive(other, /begun/);
    other.write('GET /other HTTP/1.1\r\nHost: orch\r\n\r\n');
    t.regex(await served, /^HTTP\/1\.1 200 /);
    finish!();
    // A client that has closed its side takes no answer any more.
    if (rest !== undefined) t.regex(await done, /and done/);
    await ended;
  });
}

test('a request whose Connection header names what frames it, or for whom it is, is refused', async (t) => {
  const server = await startBareServer(t, handle);
  const named = (value: string) => answerTo(server, `GET / HTTP/1.1\r\nHost: orch\r\nConnection: ${value}\r\n\r\n`);
  for (const value of [
    'content-length',
    'keep-alive, Content-Length',
    'TRANSFER-ENCODING\t,close',
    'x,,  host',
    'close\r\nConnection: host',
  ])
    t.regex(await named(value), /^HTTP\/1\.1 400 .*Connection header names [a-z-]+, which/s, value);
  for (const value of ['keep-alive', 'close', 'TE, x-content-length, hosts', '']) t.regex(await named(value), /^HTTP\/1\.1 200 /, value);
});

test('a request for an upgrade that has a body is refused', async (t) => {
  const server = await startBareServer(t, handle);
  const upgrade = (line: string) =>
    answerTo(server, `POST / HTTP/1.1\r\nHost: orch\r\nConnection: Upgrade\r\nUpgrade: echo\r\n${line}\r\n\r\n`);
  for (const line of ['Content-Length: 90', 'Transfer-Encoding: chunked'])
    t.regex(await upgrade(line), /^HTTP\/1\.1 400 .*an upgrade .* no body/s, line);
  t.regex(await upgrade('Content-Length: 0'), /^HTTP\/1\.1 200 /);
});
