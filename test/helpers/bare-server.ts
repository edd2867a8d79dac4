import {connect, type ConnectionOptions, type TLSSocket} from 'node:tls';
import {CooperativeScheduler} from '../../sdk/index.js';
import type {Next} from '../../core/http/filters/filter.js';
import type {AuthenticatedExchange} from '../../core/http/request/stages.js';
import type {Http2Settings} from '../../core/http/http2/http2-settings.js';
import {resolveLimits, type LimitSettings} from '../../core/http/limits/resolve-limits.js';
import {HttpServer} from '../../core/http/server.js';
import {recordingLogger, type LoggedLine} from './recording-logger.js';
import {makeAuthority, makeLeaf} from './test-certificates.js';
import type {Teardown} from './temp-folder.js';

/** The HTTP server without anything behind it but a function of the test's. */
export interface BareServer {
  readonly port: number;
  /** What was logged so far. */
  readonly logged: readonly LoggedLine[];
  /** What clients trust. */
  readonly ca: string;
  /** Opens a connection; resolves behind the handshake. Without a client certificate unless the options bring `clientCertificate`. */
  connect(options?: ConnectionOptions): Promise<TLSSocket>;
  close(graceMillis?: number): Promise<void>;
  /** As when others take its place. */
  retire(graceMillis: number): Promise<void>;
}

let certificates: ReturnType<typeof makeCertificates> | undefined;

async function makeCertificates() {
  const authority = await makeAuthority();
  const [serving, client] = await Promise.all([makeLeaf(authority, 'server', 'localhost'), makeLeaf(authority, 'client', 'somebody')]);
  return {authority, serving, client};
}

/** Credentials of a client that the server verifies. */
export async function clientCertificate(): Promise<{cert: string; key: string}> {
  const {client} = await (certificates ??= makeCertificates());
  return {cert: client.certificate, key: client.key};
}

/** A server with the given handler and limits, closed at the end of the test. Nobody has looked at the requests: those that need `info` or `user` get filters before them. */
export async function startBareServer(
  t: Teardown,
  handle: Next<AuthenticatedExchange>,
  limits: LimitSettings = {},
  http2: Http2Settings | 'off' = {goawayChance: 0, endsAnonymous: false},
): Promise<BareServer> {
  const {authority, serving} = await (certificates ??= makeCertificates());
  const tls = {key: serving.key, cert: serving.certificate, ca: authority.certificate, requestCert: true, rejectUnauthorized: false};
  const {logger, lines} = recordingLogger();
  const scheduler = new CooperativeScheduler();
  const server = new HttpServer({
    bindAddress: '127.0.0.1',
    port: 0,
    tls,
    http2: http2 === 'off' ? undefined : http2,
    limits: resolveLimits(limits),
    scheduler,
    logger,
    handle: handle as Next,
  });
  const port = await server.listen();
  let closed: Promise<void> | undefined;
  const close = (graceMillis = 100) => (closed ??= server.close(graceMillis));
  t.teardown(() => close());
  return {
    port,
    logged: lines,
    ca: authority.certificate,
    close,
    retire: (graceMillis) => server.retire(graceMillis),
    connect: (more = {}) =>
      new Promise((resolve, reject) => {
        const socket = connect({host: '127.0.0.1', port, ca: authority.certificate, ...more});
        t.teardown(() => void socket.destroy());
        socket.once('secureConnect', () => resolve(socket.off('error', reject).on('error', () => undefined))).once('error', reject);
      }),
  };
}

/** All that comes on a connection, until it ends or the text matches. */
export function receive(socket: TLSSocket, until?: RegExp): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const finish = () => {
      socket.off('data', onData).off('close', finish);
      resolve(text);
    };
    const onData = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (until?.test(text)) finish();
    };
    socket.on('data', onData).once('close', finish);
    if (socket.destroyed) finish();
  });
}

/** Resolves when a connection is gone, however. */
export function gone(socket: TLSSocket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve();
    else socket.resume().once('close', () => resolve());
  });
}
