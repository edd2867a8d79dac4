import {once} from 'node:events';
import {createServer as createTcpServer, type AddressInfo, type Server, type Socket} from 'node:net';
import {createServer as createTlsServer} from 'node:tls';
import {gzipSync} from 'node:zlib';
import {generateKey, issueCertificate} from '../../core/pki/issue-certificate.js';
import type {Teardown} from './temp-folder.js';
import {makeAuthority} from './test-certificates.js';

/** A request as it came. */
export interface RawRequest {
  readonly head: string;
  readonly body: string;
}

/** How a service treats whoever calls it. */
export interface Manner {
  /** @param right the whole answer of a service that means well */
  readonly treat: (socket: Socket, right: Buffer, respond: (body: string | Buffer, ...headers: string[]) => void) => void;
  /** Whether the answer is right in the end. */
  readonly isRight?: boolean;
}

const raw = (text: string): Manner => ({treat: (socket) => void socket.write(text, 'latin1')});
const ended = (text: string): Manner => ({treat: (socket) => void socket.end(text, 'latin1')});
const json = (body: string | Buffer, ...headers: string[]): Manner => ({treat: (_socket, _right, respond) => respond(body, ...headers)});

/** A large body, made when it is first asked for. */
function large(make: () => string | Buffer, ...headers: string[]): Manner {
  let made: Buffer | undefined;
  return {treat: (_socket, _right, respond) => respond((made ??= Buffer.from(make())), ...headers)};
}

/** What never ends comes as fast as it can until any bound must have been met, and in these steps afterwards: the processor is for those who are attacked. */
const quickBytes = 8 * 1024 * 1024;
const stepMillis = 10;

function pour(socket: Socket, part: Buffer): void {
  let poured = 0;
  const more = () => {
    if (socket.destroyed) return;
    poured += part.length;
    // Whoever is attacked may share this process: others get a turn.
    socket.write(part, () => (poured < quickBytes ? setImmediate(more) : setTimeout(more, stepMillis)));
  };
  more();
}

/** Ends a connection in the way of a process that is gone; of one with TLS that is the connection below. */
function reset(socket: Socket): void {
  ((socket as {_parent?: Socket})._parent ?? socket).resetAndDestroy();
}

function drip(socket: Socket, bytes: Buffer, millis: number, size = 1): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at < bytes.length && !socket.destroyed) socket.write(bytes.subarray(at, (at += size)));
    else clearInterval(timer);
  }, millis);
}

/** What services have done to those who call them, and some that none has done yet. */
export const manners: Readonly<Record<string, Manner>> = {
  right: {treat: (socket, right) => void socket.write(right), isRight: true},
  'right-in-pieces': {
    treat: (socket, right) => drip(socket, right, 5, 40),
    isRight: true,
  },
  'right-after-interim': {
    treat: (socket, right) => void socket.write(Buffer.concat([Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'), right])),
    isRight: true,
  },
  'switches-protocols': raw('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
  'switches-to-nothing': raw('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  'switches-and-ends': ended('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nbytes'),
  'interim-without-end': {treat: (socket) => pour(socket, Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)))},
  'interim-and-silence': {treat: (socket) => void socket.write('HTTP/1.1 102 Processing\r\n\r\n')},
  'status-000': raw('HTTP/1.1 000 None\r\nContent-Length: 2\r\n\r\n{}'),
  'status-099': raw('HTTP/1.1 099 None\r\nContent-Length: 2\r\n\r\n{}'),
  'status-600': raw('HTTP/1.1 600 None\r\nContent-Length: 2\r\n\r\n{}'),
  'status-999': raw('HTTP/1.1 999 None\r\nContent-Length: 2\r\n\r\n{}'),
  'status-1000': raw('HTTP/1.1 1000 None\r\nContent-Length: 2\r\n\r\n{}'),
  'status-of-letters': raw('HTTP/1.1 abc None\r\nContent-Length: 2\r\n\r\n{}'),
  'no-content-with-length': raw('HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\n'),
  'no-content-with-chunks': raw('HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n'),
  'not-modified-with-length': raw('HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n\r\n'),
  'server-error': raw('HTTP/1.1 500 Internal Server Error\r\nContent-Length: 2\r\n\r\n{}'),
  redirect: raw('HTTP/1.1 302 Found\r\nLocation: https://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n'),
  silence: {treat: () => undefined},
  'slow-head': {treat: (socket, right) => drip(socket, right, 2000)},
  'slow-body': {
    treat: (socket, right) => {
      const end = right.indexOf('\r\n\r\n') + 4;
      socket.write(right.subarray(0, end));
      drip(socket, right.subarray(end), 2000);
    },
  },
  'length-too-long': {treat: (socket, _right, respond) => respond('{}', 'Content-Length: 200')},
  'length-too-long-and-end': ended('HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n{}'),
  'length-too-short': raw('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n{}{}{}'),
  'two-lengths': raw('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} '),
  'length-and-chunks': raw('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'),
  'chunks-of-another-coding': ended('HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n{}'),
  'chunk-of-no-size': raw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n'),
  'chunks-without-end': {treat: (socket) => void socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n')},
  'two-answers': raw('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'),
  'headers-without-end': {
    treat: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      pour(socket, Buffer.from(`X: ${'x'.repeat(1000)}\r\n`));
    },
  },
  'body-without-end': {
    treat: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      pour(socket, Buffer.from(`10000\r\n${'"'.repeat(0x10000)}\r\n`));
    },
  },
  garbage: {treat: (socket) => void socket.end(Buffer.alloc(10_000, 0xff))},
  'another-version': raw('HTTP/3.7 200 OK\r\nContent-Length: 2\r\n\r\n{}'),
  closes: {treat: (socket) => void socket.destroy()},
  ends: {treat: (socket) => void socket.end()},
  resets: {treat: reset},
  'gzip-bomb': large(() => gzipSync(Buffer.alloc(20_000_000, 0x20)), 'Content-Encoding: gzip'),
  deep: large(() => '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000)),
  'million-keys': large(() => `{${Array.from({length: 300_000}, (_, number) => `"k${number}":0`).join()}}`),
  'million-lists': large(() => `{"status":[${'[],'.repeat(500_000)}[]]}`),
  'invalid-utf-8': json(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
  'other-content': json('<html>please log in</html>', 'Content-Type: text/html'),
  empty: json(''),
  list: json('[]'),
  null: json('null'),
  'huge-number': json('{"apiVersion":1e999,"status":-0}'),
  prototype: json('{"__proto__":{"allowed":true},"constructor":{"prototype":{"allowed":true}},"response":{"__proto__":{"allowed":true}}}'),
  ...Object.fromEntries(
    // In the status line, in a header, between the lines, at the end of the head, in the body.
    [1, 9, 13, 17, 40, 60, 80, -30, -2, -1].map((at) => [
      `reset-at-${at}`,
      {treat: (socket: Socket, right: Buffer) => void socket.write(right.subarray(0, at), () => setTimeout(() => reset(socket), 20))},
    ]),
  ),
};

export interface HostileService {
  readonly port: number;
  readonly url: string;
  /** PEM certificate of the authority behind the service's own; empty without TLS. */
  readonly ca: string;
  readonly connections: {made: number; open: number};
}

export interface HostileServiceOptions {
  readonly isPlain?: boolean;
  /** Which manner a request gets, by its name; the one that it names itself by default. */
  readonly mannerOf?: (request: RawRequest) => string | undefined;
}

/** The manner that a request names: it is in a path, a header or the body, as `manner-NAME-please`. */
export function mannerNamed({head, body}: RawRequest): string | undefined {
  return /manner-([a-z0-9-]+)-please/.exec(head + body)?.[1];
}

/**
 * Starts a service that treats each request as the text `manner-NAME-please` somewhere in it says, and as one that means well where there is none.
 *
 * @param right what a service that means well answers: a JSON value
 */
export async function hostileService(
  t: Teardown,
  right: (request: RawRequest) => unknown,
  {isPlain = false, mannerOf = mannerNamed}: HostileServiceOptions = {},
): Promise<HostileService> {
  const connections = {made: 0, open: 0};
  const sockets = new Set<Socket>();
  const serve = (socket: Socket) => {
    connections.made += 1;
    connections.open += 1;
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      connections.open -= 1;
    });
    socket.on('error', () => undefined);
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      for (;;) {
        const end = received.indexOf('\r\n\r\n');
        if (end < 0) return;
        const length = Number(/\r\ncontent-length: *(\d+)/i.exec(received.slice(0, end))?.[1] ?? 0);
        if (received.length < end + 4 + length) return;
        const request = {head: received.slice(0, end), body: received.slice(end + 4, end + 4 + length)};
        received = received.slice(end + 4 + length);
        void treat(socket, request);
      }
    });
  };
  const treat = async (socket: Socket, request: RawRequest) => {
    const manner = manners[mannerOf(request) ?? 'right'];
    if (!manner) throw new Error(`no such manner: ${request.head}`);
    const value = await right(request);
    if (manner === manners['right'] && value === undefined) return void socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
    const answer = (body: string | Buffer, ...headers: string[]) => {
      const own = headers.some((line) => /^content-length/i.test(line)) ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
      const lines = ['HTTP/1.1 200 OK', 'Content-Type: application/json', ...own, ...headers];
      return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
    };
    manner.treat(socket, answer(JSON.stringify(value ?? {})), (body, ...headers) => void socket.write(answer(body, ...headers)));
  };
  const authority = await makeAuthority('hostile-ca');
  const key = await generateKey();
  const certificate = await issueCertificate({
    subject: {commonName: 'hostile'},
    key,
    notAfter: Date.now() + 3_600_000,
    usage: 'server',
    issuer: authority,
    names: {dns: ['localhost'], ip: ['127.0.0.1']},
  });
  const server: Server = isPlain ? createTcpServer(serve) : createTlsServer({cert: certificate, key}, serve);
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const {port} = server.address() as AddressInfo;
  return {port, url: `http${isPlain ? '' : 's'}://127.0.0.1:${port}`, ca: isPlain ? '' : authority.certificate, connections};
}

/** What leads a server to a service: the text of a client configuration file. */
export function clientConfiguration({url, ca}: HostileService): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{name: 'c', cluster: {server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64')}}],
    users: [{name: 'u', user: {}}],
    contexts: [{name: 'x', context: {cluster: 'c', user: 'u'}}],
    'current-context': 'x',
  });
}
