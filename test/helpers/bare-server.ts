import {connect, type ConnectionOptions, type TLSSocket} from 'node:tls';
import type {Exchange} from '../../core/http/exchange.js';
import {HttpServer, type HttpServerOptions} from '../../core/http/server.js';
import {silentLogger} from '../../core/server/silent-logger.js';
import {makeAuthority, makeLeaf} from './test-certificates.js';
import type {Teardown} from './temp-folder.js';

/** The HTTP server without anything behind it but a function of the test's. */
export interface BareServer {
  readonly port: number;
  /** Opens a connection without a client certificate; resolves behind the handshake. */
  connect(options?: ConnectionOptions): Promise<TLSSocket>;
  close(graceMillis?: number): Promise<void>;
}

let certificates: ReturnType<typeof makeCertificates> | undefined;

async function makeCertificates() {
  const authority = await makeAuthority();
  return {authority, serving: await makeLeaf(authority, 'server', 'localhost')};
}

/** A server with the given handler, closed at the end of the test. */
export async function startBareServer(
  t: Teardown,
  handle: (exchange: Exchange) => Promise<void>,
  options: Partial<HttpServerOptions> = {},
): Promise<BareServer> {
  const {authority, serving} = await (certificates ??= makeCertificates());
  const tls = {key: serving.key, cert: serving.certificate, ca: authority.certificate, requestCert: true, rejectUnauthorized: false};
  const server = new HttpServer({bindAddress: '127.0.0.1', port: 0, tls, logger: silentLogger, handle, ...options});
  const port = await server.listen();
  let closed: Promise<void> | undefined;
  const close = (graceMillis = 100) => (closed ??= server.close(graceMillis));
  t.teardown(() => close());
  return {
    port,
    close,
    connect: (more = {}) =>
      new Promise((resolve, reject) => {
        const socket = connect({host: '127.0.0.1', port, ca: authority.certificate, ...more});
        t.teardown(() => void socket.destroy());
        socket.once('secureConnect', () => resolve(socket.off('error', reject).on('error', () => undefined))).once('error', reject);
      }),
  };
}
