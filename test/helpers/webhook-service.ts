import {once} from 'node:events';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {createServer, type ServerOptions} from 'node:https';
import type {AddressInfo} from 'node:net';
import type {Duplex} from 'node:stream';
import {generateKey, issueCertificate} from '../../core/pki/issue-certificate.js';
import type {Teardown} from './temp-folder.js';
import {makeAuthority, type KeyedCertificate} from './test-certificates.js';

/** A webhook: an HTTPS server of a test's own. */
export interface WebhookService {
  readonly port: number;
  /** `https://127.0.0.1:PORT`. */
  readonly url: string;
  /** PEM certificate of the authority behind the service's own. */
  readonly ca: string;
  /** Requests that came in. */
  readonly requests: IncomingMessage[];
  /** TCP connections that were made so far, and those that are open. */
  readonly connections: {made: number; open: number};
  stop(): Promise<void>;
}

export interface WebhookServiceOptions extends ServerOptions {
  readonly authority?: KeyedCertificate;
  /** DNS names of the certificate, which is for 127.0.0.1 as well; `localhost` by default. */
  readonly names?: readonly string[];
  /** Takes connections that are to change their protocol. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex) => void;
  /** End of the certificate's validity, milliseconds since 1970. */
  readonly notAfter?: number;
}

export type WebhookHandler = (body: string, response: ServerResponse, request: IncomingMessage) => void | Promise<void>;

/** Starts a webhook on a free port of 127.0.0.1. It is stopped at the end of the test. */
export async function webhookService(t: Teardown, handle: WebhookHandler, options: WebhookServiceOptions = {}): Promise<WebhookService> {
  const {
    authority = await makeAuthority('webhook-ca'),
    names = ['localhost'],
    notAfter = Date.now() + 3_600_000,
    upgrade,
    ...tls
  } = options;
  const key = await generateKey();
  const certificate = await issueCertificate({
    subject: {commonName: 'webhook'},
    key,
    notAfter,
    usage: 'server',
    issuer: authority,
    names: {dns: [...names], ip: ['127.0.0.1']},
  });
  const requests: IncomingMessage[] = [];
  const connections = {made: 0, open: 0};
  const server = createServer({cert: certificate, key, ...tls}, (request, response) => {
    requests.push(request);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void handle(Buffer.concat(chunks).toString('utf8'), response, request));
  });
  if (upgrade) server.on('upgrade', upgrade);
  const sockets = new Set<Duplex>();
  server.on('connection', (socket) => {
    connections.made += 1;
    connections.open += 1;
    sockets.add(socket);
    socket.on('close', () => {
      connections.open -= 1;
      sockets.delete(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // Node's own way leaves those whose handshake is under way, and a client that asks again and again keeps them for ever.
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  t.teardown(stop);
  const {port} = server.address() as AddressInfo;
  return {port, url: `https://127.0.0.1:${port}`, ca: authority.certificate, requests, connections, stop};
}

/** Answers with a JSON value. */
export function answer(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, {'content-type': 'application/json'});
  response.end(typeof value === 'string' ? value : JSON.stringify(value));
}
