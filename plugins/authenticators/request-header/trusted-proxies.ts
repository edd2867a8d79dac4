import {X509Certificate} from 'node:crypto';
import {readFileSync, statSync} from 'node:fs';
import type {Logger} from '../../../sdk/index.js';

/** Key purpose of client certificates (RFC 5280, `id-kp-clientAuth`). */
const clientAuth = '1.3.6.1.5.5.7.3.2';
const longestChain = 5;
/** The file is looked at when somebody comes with a certificate, and not more often than this. */
const lookMillis = 1000;

/** The certificates accepted from proxies: those that chain to a CA in a file, which is read again when it has been replaced. */
export class TrustedProxies {
  #authorities: readonly X509Certificate[];
  #verified = new WeakMap<X509Certificate, boolean>();
  #seen: string;
  #nextLook = 0;
  readonly #file: string;
  readonly #logger: Logger;

  /** @throws Error with a one-sentence message if the file contains no certificates */
  constructor(file: string, logger: Logger) {
    this.#file = file;
    this.#logger = logger;
    this.#seen = identityOf(file);
    this.#authorities = authoritiesIn(file);
  }

  /** @param now milliseconds since 1970 */
  trusts(certificate: X509Certificate, now: number): boolean {
    this.#look();
    if (!isCurrent(certificate, now)) return false;
    let verified = this.#verified.get(certificate);
    if (verified === undefined)
      this.#verified.set(certificate, (verified = isForClients(certificate) && this.#leadsToAuthority(certificate, now)));
    return verified;
  }

  /** A file that cannot be used changes nothing. */
  #look(): void {
    const now = performance.now();
    if (now < this.#nextLook) return;
    this.#nextLook = now + lookMillis;
    const seen = identityOf(this.#file);
    if (seen === this.#seen) return;
    this.#seen = seen;
    try {
      this.#authorities = authoritiesIn(this.#file);
    } catch (error) {
      return this.#logger.warn({err: error}, 'the CAs of authenticating proxies cannot be read; the previous ones remain trusted');
    }
    this.#verified = new WeakMap();
    this.#logger.info({file: this.#file}, 'the CAs of authenticating proxies have been replaced');
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

function identityOf(file: string): string {
  const found = statSync(file, {throwIfNoEntry: false});
  return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : '';
}

/** @throws Error with a one-sentence message if the file contains no certificates */
function authoritiesIn(file: string): X509Certificate[] {
  try {
    const pem = readFileSync(file, 'utf8');
    const found = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    if (found.length === 0) throw new Error(`${file} contains no PEM certificate`);
    return found.map((one) => new X509Certificate(one));
  } catch (error) {
    throw new Error(`--requestheader-client-ca-file: ${(error as Error).message}`, {cause: error});
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
