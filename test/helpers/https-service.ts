import {once} from 'node:events';
import {createServer, type ServerOptions} from 'node:https';
import type {IncomingMessage, ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {generateKey, issueCertificate} from '../../core/server/pki/issue-certificate.js';
import type {Teardown} from './temp-folder.js';

/** A certificate with its key, both PEM. */
export interface KeyedCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** A certificate authority of its own. */
export async function makeAuthority(commonName = 'test-ca'): Promise<KeyedCertificate> {
  const key = await generateKey();
  return {key, certificate: await issueCertificate({subject: {commonName}, key, notAfter: Date.now() + 3_600_000, usage: 'ca'})};
}

/** A certificate that an authority has signed, for 127.0.0.1 where it is a server's. */
export async function makeLeaf(issuer: KeyedCertificate, usage: 'server' | 'client', commonName: string, organizations: readonly string[] = []): Promise<KeyedCertificate> {
  const key = await generateKey();
  const names = usage === 'server' ? {names: {dns: ['localhost'], ip: ['127.0.0.1']}} : {};
  return {key, certificate: await issueCertificate({subject: {commonName, organizations}, key, notAfter: Date.now() + 3_600_000, usage, issuer, ...names})};
}

/** A service that the server under test calls. */
export interface HttpsService {
  readonly url: string;
  /** PEM certificate of the authority behind the service's own. */
  readonly ca: string;
  stop(): Promise<void>;
}

/** Starts an HTTPS service on a free port of 127.0.0.1 that sends answers as JSON, and 404 where there is none. It is stopped at the end of the test. */
export async function httpsService(t: Teardown, answer: (request: IncomingMessage, body: string) => unknown, options: ServerOptions = {}): Promise<HttpsService> {
  const authority = await makeAuthority('service-ca');
  const {certificate, key} = await makeLeaf(authority, 'server', 'service');
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const result = await answer(request, Buffer.concat(chunks).toString('utf8'));
    response.writeHead(result === undefined ? 404 : 200, {'content-type': 'application/json'});
    response.end(JSON.stringify(result ?? {}));
  };
  const server = createServer({cert: certificate, key, ...options}, (request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    if (!server.listening) return;
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  t.teardown(stop);
  return {url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, ca: authority.certificate, stop};
}
