import type {X509Certificate} from 'node:crypto';
import type {TLSSocket} from 'node:tls';
import type {AuthenticationRequest} from '../../../sdk/index.js';
import {leadsToAuthority} from '../tls/leads-to-authority.js';

type ClientCertificate = NonNullable<ReturnType<AuthenticationRequest['clientCertificate']>>;

interface Presented {
  readonly certificate: X509Certificate;
  readonly authorized: boolean;
  readonly problem: string | undefined;
  readonly notBefore: number;
  readonly notAfter: number;
}

/** Parsed once per connection, because it may carry thousands of requests. */
const presented = new WeakMap<TLSSocket, Presented | null>();

/** The client certificate of a connection. Verified during the handshake; its dates are checked at each call. */
export function clientCertificateOf(socket: TLSSocket): ClientCertificate | undefined {
  let found = presented.get(socket);
  if (found === undefined) presented.set(socket, (found = read(socket)));
  if (found === null) return undefined;
  const {certificate, notBefore, notAfter} = found;
  const now = Date.now();
  const problem =
    found.problem ?? (now < notBefore ? 'the certificate is not valid yet' : now > notAfter ? 'the certificate has expired' : undefined);
  return {certificate, authorized: found.authorized && problem === undefined, ...(problem === undefined ? {} : {problem})};
}

/** Stops trusting the certificate of a connection unless one of these CAs has signed it. An untrusted one stays untrusted. */
export function withdrawUntrusted(socket: TLSSocket, authorities: readonly X509Certificate[]): void {
  const found = presented.get(socket) ?? read(socket);
  if (found === null || !found.authorized || leadsToAuthority(found.certificate, authorities)) return;
  presented.set(socket, {...found, authorized: false, problem: 'the CA that signed the certificate is not trusted any more'});
}

function read(socket: TLSSocket): Presented | null {
  const certificate = socket.getPeerX509Certificate?.();
  if (!certificate) return null;
  return {
    certificate,
    authorized: socket.authorized,
    problem: socket.authorized ? undefined : String(socket.authorizationError ?? 'the certificate could not be verified'),
    notBefore: Date.parse(certificate.validFrom),
    notAfter: Date.parse(certificate.validTo),
  };
}
