import type {X509Certificate} from 'node:crypto';
import type {TLSSocket} from 'node:tls';
import type {AuthenticationRequest} from '../../../sdk/index.js';
import {leadsToAuthority} from '../tls/leads-to-authority.js';

type ClientCertificate = NonNullable<ReturnType<AuthenticationRequest['clientCertificate']>>;

interface Presented {
  /** As long as its dates are not passed. */
  readonly shown: ClientCertificate;
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
  const {shown, notBefore, notAfter} = found;
  const now = Date.now();
  if (shown.problem !== undefined || (now >= notBefore && now <= notAfter)) return shown;
  return untrusted(shown.certificate, now < notBefore ? 'the certificate is not valid yet' : 'the certificate has expired');
}

/** Stops trusting the certificate of a connection unless one of these CAs has signed it. An untrusted one stays untrusted. */
export function withdrawUntrusted(socket: TLSSocket, authorities: readonly X509Certificate[]): void {
  const found = presented.get(socket) ?? read(socket);
  if (found === null || !found.shown.authorized || leadsToAuthority(found.shown.certificate, authorities)) return;
  const shown = untrusted(found.shown.certificate, 'the CA that signed the certificate is not trusted any more');
  presented.set(socket, {...found, shown});
}

function untrusted(certificate: X509Certificate, problem: string): ClientCertificate {
  return {certificate, authorized: false, problem};
}

function read(socket: TLSSocket): Presented | null {
  const certificate = socket.getPeerX509Certificate?.();
  if (!certificate) return null;
  return {
    shown: socket.authorized
      ? {certificate, authorized: true}
      : untrusted(certificate, String(socket.authorizationError ?? 'the certificate could not be verified')),
    notBefore: Date.parse(certificate.validFrom),
    notAfter: Date.parse(certificate.validTo),
  };
}
