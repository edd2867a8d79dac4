import {X509Certificate} from 'node:crypto';
import {isIP} from 'node:net';
import {connect} from 'node:tls';
import type {TlsSettings} from './agent-pool.js';

/** The OID 2.5.29.30 in DER: names for which alone an authority may sign. */
const nameConstraints = Buffer.from('0603551d1e', 'hex');

/** How a certificate begins that has version 3: two sequences, then the version. In older ones there is nothing that keeps them from signing others. */
const version3 = /^(?:\x30(?:[^\x80-\xff]|\x81.|\x82..|\x83...)){2}\xa0\x03\x02\x01\x02/s;
/** What a certificate may be used for, 2.5.29.15 and 2.16.840.1.113730.1.1 in DER, and the first eight bits of each. */
const keyUsage = /\x06\x03\x55\x1d\x0f(?:\x01\x01.)?\x04.\x03..(.)/gs;
const netscapeType = /\x06\x09\x60\x86\x48\x01\x86\xf8\x42\x01\x01(?:\x01\x01.)?\x04.\x03..(.)/gs;
/** Of those bits: to sign certificates; to be an authority of some kind. */
const signsCertificates = 0x04;
const isSomeAuthority = 0x07;

/**
 * OpenSSL takes a certificate for signed by itself when its authority has the same name and it has no key identifier, and does not look for
 * the authority. Services that make both at once with one name, in Go or by hand, have such certificates, and clients in Go accept them.
 *
 * Asks a server for its certificate, sends nothing else, and answers it (PEM) if an authority of the bundle has signed it, and it cannot sign others. The caller then
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
    !maySign(leaf) &&
    leaf.checkIssued(authority) &&
    leaf.verify(authority.publicKey)
  );
}

/**
 * Whether OpenSSL might take a certificate for one of an authority, which basic constraints are not needed for. Who has it could then make certificates
 * for all names, once it is trusted.
 */
function maySign(leaf: X509Certificate): boolean {
  const der = leaf.raw.toString('latin1');
  const hasBit = (pattern: RegExp, bits: number) => [...der.matchAll(pattern)].some(([, byte]) => (byte!.charCodeAt(0) & bits) !== 0);
  return leaf.ca || !version3.test(der) || hasBit(keyUsage, signsCertificates) || hasBit(netscapeType, isSomeAuthority);
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
