import {X509Certificate} from 'node:crypto';
import {readFileSync} from 'node:fs';

/** Key purpose of client certificates (RFC 5280, `id-kp-clientAuth`). */
const clientAuth = '1.3.6.1.5.5.7.3.2';
const longestChain = 5;

/** The certificates accepted from proxies: those that chain to a CA in a file. */
export class TrustedProxies {
  readonly #authorities: readonly X509Certificate[];
  readonly #verified = new WeakMap<X509Certificate, boolean>();

  /** @throws Error with a one-sentence message if the file contains no certificates */
  constructor(file: string) {
    let pem: string;
    try {
      pem = readFileSync(file, 'utf8');
    } catch (error) {
      throw new Error(`--requestheader-client-ca-file: ${(error as Error).message}`, {cause: error});
    }
    this.#authorities = (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
      (one) => new X509Certificate(one),
    );
    if (this.#authorities.length === 0) throw new Error(`--requestheader-client-ca-file: ${file} contains no PEM certificate`);
  }

  /** @param now milliseconds since 1970 */
  trusts(certificate: X509Certificate, now: number): boolean {
    if (!isCurrent(certificate, now)) return false;
    let verified = this.#verified.get(certificate);
    if (verified === undefined)
      this.#verified.set(certificate, (verified = isForClients(certificate) && this.#leadsToAuthority(certificate, now)));
    return verified;
  }

  /** Intermediate certificates are those sent by the client. */
  #leadsToAuthority(certificate: X509Certificate, now: number): boolean {
    let current = certificate;
    for (let depth = 0; depth < longestChain; depth += 1) {
      const link = current;
      if (this.#authorities.some((authority) => authority.ca && isCurrent(authority, now) && isSignedBy(link, authority))) return true;
      const next = current.issuerCertificate;
      if (!next || next === current || !next.ca || !isCurrent(next, now) || !isSignedBy(current, next)) return false;
      current = next;
    }
    return false;
  }
}

function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

function isCurrent({validFrom, validTo}: X509Certificate, now: number): boolean {
  return Date.parse(validFrom) <= now && now <= Date.parse(validTo);
}

function isForClients({keyUsage}: X509Certificate): boolean {
  return (keyUsage as string[] | undefined)?.includes(clientAuth) ?? true;
}
