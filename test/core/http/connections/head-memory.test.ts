import test, {type ExecutionContext} from 'ava';
import type {UserInfo} from '../../../../sdk/index.js';
import type {TLSSocket} from 'node:tls';
import type {Exchange} from '../../../../core/http/request/exchange.js';
import {readBody} from '../../../../core/http/body/read-body.js';
import {respondText} from '../../../../core/http/response/respond.js';
import type {LimitSettings} from '../../../../core/http/limits/resolve-limits.js';
import {clientCertificate, gone, receive, startBareServer, type BareServer} from '../../../helpers/bare-server.js';
import {eventually} from '../../../helpers/eventually.js';

const head = (bytes: number, path = '/') => `GET ${path} HTTP/1.1\r\nHost: orch\r\nX-Padding: ${'x'.repeat(bytes)}`;
const small = 'GET / HTTP/1.1\r\nHost: orch\r\n\r\n';
const refused = /^HTTP\/1\.1 429 .*too many requests with large headers are under way/s;
const served = /HTTP\/1\.1 200 .*served/s;

/** Keeps the requests for `/kept` until they are told to end; the others are answered. */
async function start(t: ExecutionContext, limits: LimitSettings) {
  const kept: Exchange[] = [];
  const server = await startBareServer(
    t,
    async (exchange) => {
      if (exchange.path === '/kept') return void kept.push(exchange);
      if (exchange.method === 'POST') {
        exchange.user = {username: 'somebody', groups: []} as unknown as UserInfo;
        await readBody(exchange);
      }
      respondText(exchange, 200, exchange.path === '/last' ? 'the last is served' : 'served');
    },
    // Heads are held open for as long as a busy machine takes.
    {headersTimeout: '1m', ...limits},
  );
  return {server, kept};
}

async function ask(socket: TLSSocket, text: string, until = /\r\n\r\n.+/s): Promise<string> {
  const answer = receive(socket, until);
  socket.write(text);
  return answer;
}

/** Sends whole heads on new connections until the server, which may not have read yet what was sent before, refuses one. Answers its connection. */
async function untilRefused(server: BareServer, bytes: number, options?: object): Promise<TLSSocket> {
  for (;;) {
    const socket = await server.connect(options);
    if (refused.test(await ask(socket, `${head(bytes)}\r\n\r\n`))) return socket;
  }
}

test('heads that are under way are bounded in all: beyond it a large one gets 429, and small ones are served', async (t) => {
  const {server} = await start(t, {maxHeaderBytesInAll: '64Ki', maxHeaderBytesPerAddress: '1Mi'});
  const certificate = await clientCertificate();
  const holders = await Promise.all([server.connect(certificate), server.connect(certificate)]);
  for (const holder of holders) holder.write(head(40_000));
  await gone(await untilRefused(server, 40_000, certificate));
  const modest = await server.connect();
  t.regex(await ask(modest, `${head(4000)}\r\n\r\n`), served);
  t.regex(await ask(modest, small), served);
  t.deepEqual(
    server.logged.map(({fields}) => fields['limit']).filter((limit) => limit !== undefined),
    ['maxHeaderBytesInAll'],
  );
  holders[0]!.destroy();
  const again = await server.connect(certificate);
  await eventually(
    async () => ask(await server.connect(certificate), `${head(20_000)}\r\n\r\n`),
    (answer) => served.test(answer),
  );
  t.regex(await ask(again, `${head(20_000)}\r\n\r\n`), served);
});

test('one address has a share of the bytes of heads', async (t) => {
  const {server} = await start(t, {maxHeaderBytesInAll: '1Mi', maxHeaderBytesPerAddress: '32Ki'});
  const holder = await server.connect();
  // All of the share, and not a byte more: it would be refused itself, and what it holds would end with it.
  holder.write(head(32 * 1024 - head(0).length));
  await untilRefused(server, 20_000);
  t.regex(await ask(await server.connect({localAddress: '127.0.0.2'} as object), `${head(20_000)}\r\n\r\n`), served);
  t.true(server.logged.some(({fields}) => fields['limit'] === 'maxHeaderBytesPerAddress'));
});

test('the head of a request counts until the request is finished', async (t) => {
  const {server, kept} = await start(t, {maxHeaderBytesInAll: '40Ki', maxHeaderBytesPerAddress: '1Mi'});
  const holder = await server.connect();
  holder.write(`${head(40_000, '/kept')}\r\n\r\n`);
  await eventually(
    () => kept.length,
    (count) => count === 1,
  );
  t.regex(await ask(await server.connect(), head(20_000)), refused);
  const answer = receive(holder, served);
  respondText(kept[0]!, 200, 'served');
  await answer;
  t.regex(await ask(await server.connect(), `${head(20_000)}\r\n\r\n`), served);
});

test('trailers count as heads do, and bodies do not', async (t) => {
  const {server, kept} = await start(t, {maxHeaderBytesInAll: '40Ki', maxHeaderBytesPerAddress: '1Mi'});
  const socket = await server.connect();
  const body = 'b'.repeat(200_000);
  const post = 'POST / HTTP/1.1\r\nHost: orch\r\n';
  t.regex(await ask(socket, `${post}Content-Length: ${body.length}\r\n\r\n${body}`, served), served);
  const chunk = `1000\r\n${'b'.repeat(4096)}\r\n`;
  t.regex(await ask(socket, `${post}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(50)}0\r\n\r\n`, served), served);
  t.regex(await ask(socket, `${head(20_000)}\r\n\r\n`, served), served);
  for (const path of ['/', '/kept']) {
    const holder = await server.connect();
    holder.write(`POST ${path} HTTP/1.1\r\nHost: orch\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}0\r\nX-Long: ${'x'.repeat(45_000)}`);
    await untilRefused(server, 45_000);
    holder.destroy();
    await eventually(
      async () => ask(await server.connect(), `${head(20_000)}\r\n\r\n`),
      (answer) => served.test(answer),
    );
  }
  t.is(kept.length, 1);
});

test('many small requests at once are served whatever the bound of heads is', async (t) => {
  const {server} = await start(t, {maxHeaderBytesInAll: '1Ki', maxHeaderBytesPerAddress: '1Ki', maxUnfinishedRequests: 300});
  const socket = await server.connect();
  const answers = await ask(socket, `${small.repeat(249)}GET /last HTTP/1.1\r\nHost: orch\r\n\r\n`, /the last is served/);
  t.is(answers.match(/HTTP\/1\.1 200 /g)?.length, 250);
});
