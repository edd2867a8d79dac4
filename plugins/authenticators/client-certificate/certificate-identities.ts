import type {X509Certificate} from 'node:crypto';
import type {UserInfo} from '../../../sdk/index.js';

/** What a certificate says about its holder. Times are in milliseconds since 1970. */
export interface CertificateIdentity {
  readonly notBefore: number;
  readonly notAfter: number;
  /** Undefined if the certificate has no common name. */
  readonly user: UserInfo | undefined;
}

/**
 * Caches the identities of certificates. A connection asks again for each of its requests, so the usual case is a look-up by object. A new
 * object for a known certificate (another connection of the same client) is found by its fingerprint.
 */
export class CertificateIdentities {
  readonly #byObject = new WeakMap<X509Certificate, CertificateIdentity>();
  readonly #byFingerprint = new Map<string, CertificateIdentity>();
  readonly #capacity: number;

  /** @param capacity maximum number of cached fingerprints; the oldest are evicted */
  constructor(capacity = 1000) {
    this.#capacity = capacity;
  }

  of(certificate: X509Certificate): CertificateIdentity {
    const known = this.#byObject.get(certificate);
    if (known !== undefined) return known;
    const fingerprint = certificate.fingerprint256;
    let identity = this.#byFingerprint.get(fingerprint);
    if (identity === undefined) {
      identity = readIdentity(certificate);
      if (this.#byFingerprint.size >= this.#capacity) this.#byFingerprint.delete(this.#byFingerprint.keys().next().value!);
      this.#byFingerprint.set(fingerprint, identity);
    }
    this.#byObject.set(certificate, identity);
    return identity;
  }
}

function readIdentity(certificate: X509Certificate): CertificateIdentity {
  // The legacy form contains raw values, with repeated attributes as lists. The string in `subject` is escaped, and joins the parts of a
  // name in ways that a value can imitate.
  const subject = certificate.toLegacyObject().subject as unknown as Record<string, string | string[] | undefined>;
  // The last of several common names counts, as in Kubernetes.
  const username = valuesOf(subject, 'CN').at(-1) ?? '';
  return {
    notBefore: Date.parse(certificate.validFrom),
    notAfter: Date.parse(certificate.validTo),
    user: username === '' ? undefined : Object.freeze({username, groups: Object.freeze(valuesOf(subject, 'O'))}),
  };
}

function valuesOf(subject: Record<string, string | string[] | undefined>, attribute: string): string[] {
  const value = Object.hasOwn(subject, attribute) ? subject[attribute] : undefined;
  if (value === undefined) return [];
  return Array.isArray(value) ? [...value] : [value];
}
