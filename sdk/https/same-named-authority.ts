import {X509Certificate} from 'node:crypto';
import {isIP} from 'node:net';
import {connect} from 'node:tls';
import type {TlsSettings} from './agent-pool.js';

/** The OID 2.5.29.30 in DER: names for which alone an authority may sign. */
const nameConstraints = Buffer.from('0603551d1e', 'hex');

/**
 * OpenSSL takes a certificate for signed by itself when its authority has the same name and it has no key identifier, and does not look for
 * the authority. Services that make both at once with one name, in Go or by hand, have such certificates, and clients in Go accept them.
 *
 * Asks a server for its certificate, sends nothing else, and answers it (PEM) if an authority of the bundle has signed it. The caller then
 * trusts that certificate as well and connects again, so that its validity, purpose and names are verified as those of all others.
 */
export async function signedByNamesake(
  {host, port, signal}: {readonly host: string; readonly port: number; readonly signal: AbortSignal},
  {caBundle = '', serverName = host}: TlsSettings,
): Promise<string | undefined> {
  const leaf = await certificateOf({host, port, servername: isIP(serverName) ? '' : serverName}, signal);
  const isSigned = leaf && authoritiesIn(caBundle).some((authority) => hasSigned(authority, leaf));
  return isSigned ? leaf.toString() : undefined;
}

function hasSigned(authority: X509Certificate, leaf: X509Certificate): boolean {
  const now = Date.now();
  return (
    authority.ca &&
    Date.parse(authority.validFrom) <= now &&
    now <= Date.parse(authority.validTo) &&
    !authority.raw.includes(nameConstraints) &&
    leaf.checkIssued(authority) &&
    leaf.verify(authority.publicKey)
  );
}

function authoritiesIn(bundle: string): X509Certificate[] {
  const certificates = bundle.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return certificates.flatMap((pem) => {
    try {
      return [new X509Certificate(pem)];
    } catch {
      return [];
    }
  });
}

function certificateOf(place: {host: string; port: number; servername: string}, signal: AbortSignal): Promise<X509Certificate | undefined> {
  return new Promise((resolve) => {
    const socket = connect({...place, rejectUnauthorized: false});
    const end = () => {
      signal.removeEventListener('abort', end);
      socket.destroy();
      resolve(undefined);
    };
    if (signal.aborted) return end();
    signal.addEventListener('abort', end, {once: true});
    socket.once('error', end).once('close', end);
    socket.once('secureConnect', () => {
      resolve(socket.getPeerX509Certificate());
      end();
    });
  });
}
