import type {X509Certificate} from 'node:crypto';
import type {UserInfo} from '../../../sdk/index.js';

/** What a certificate says about its holder. Times are in milliseconds since 1970. */
export interface CertificateIdentity {
  readonly notBefore: number;
  readonly notAfter: number;
  /** Undefined if the certificate has no common name. */
  readonly user: UserInfo | undefined;
  /** Why nobody can be named by it. */
  readonly problem?: string;
}

/** What of a certificate is read beside the names. */
export interface IdentityReading {
  /** Key of the extra value with the certificate's id; undefined for none. */
  readonly idKey?: string | undefined;
  /** Whether the subject may have the user's uid (gate AllowParsingUserUIDFromCertAuth). */
  readonly withUid?: boolean;
}

/** Attribute of a subject with the uid of a user, as Kubernetes has registered it. */
const uidAttribute = '1.3.6.1.4.1.57683.2';

/**
 * Caches the identities of certificates. A connection asks again for each of its requests, so the usual case is a look-up by object. A new
 * object for a known certificate (another connection of the same client) is found by its fingerprint.
 */
export class CertificateIdentities {
  readonly #byObject = new WeakMap<X509Certificate, CertificateIdentity>();
  readonly #byFingerprint = new Map<string, CertificateIdentity>();
  readonly #capacity: number;
  readonly #reading: IdentityReading;

  /**
   * @param reading what of certificates is read beside the names
   * @param capacity maximum number of cached fingerprints; the oldest are evicted
   */
  constructor(reading: IdentityReading = {}, capacity = 1000) {
    this.#reading = reading;
    this.#capacity = capacity;
  }

  of(certificate: X509Certificate): CertificateIdentity {
    const known = this.#byObject.get(certificate);
    if (known !== undefined) return known;
    const fingerprint = certificate.fingerprint256;
    let identity = this.#byFingerprint.get(fingerprint);
    if (identity === undefined) {
      identity = readIdentity(certificate, this.#reading);
      if (this.#byFingerprint.size >= this.#capacity) this.#byFingerprint.delete(this.#byFingerprint.keys().next().value!);
      this.#byFingerprint.set(fingerprint, identity);
    }
    this.#byObject.set(certificate, identity);
    return identity;
  }
}

function readIdentity(certificate: X509Certificate, {idKey, withUid}: IdentityReading): CertificateIdentity {
  // The legacy form contains raw values, with repeated attributes as lists. The string in `subject` is escaped, and joins the parts of a
  // name in ways that a value can imitate.
  const subject = certificate.toLegacyObject().subject as unknown as Record<string, string | string[] | undefined>;
  // The last of several common names counts, as in Kubernetes.
  const username = valuesOf(subject, 'CN').at(-1) ?? '';
  return {
    notBefore: Date.parse(certificate.validFrom),
    notAfter: Date.parse(certificate.validTo),
    ...(username === '' ? {user: undefined} : userOf(username)),
  };

  function userOf(name: string): Pick<CertificateIdentity, 'user' | 'problem'> {
    const uids = withUid ? valuesOf(subject, uidAttribute) : [];
    if (uids.length > 1) return {user: undefined, problem: `expected 1 UID, but found multiple: [${uids.join(' ')}]`};
    if (uids[0] === '') return {user: undefined, problem: 'UID cannot be an empty string'};
    const extra = idKey === undefined ? {} : {extra: Object.freeze({[idKey]: Object.freeze([idOf(certificate)])})};
    const uid = uids[0] === undefined ? {} : {uid: uids[0]};
    return {user: Object.freeze({username: name, ...uid, groups: Object.freeze(valuesOf(subject, 'O')), ...extra})};
  }
}

/** The id of a certificate: it stays the same however often it is shown. */
function idOf({fingerprint256}: X509Certificate): string {
  return `X509SHA256=${fingerprint256.replaceAll(':', '').toLowerCase()}`;
}

function valuesOf(subject: Record<string, string | string[] | undefined>, attribute: string): string[] {
  const value = Object.hasOwn(subject, attribute) ? subject[attribute] : undefined;
  if (value === undefined) return [];
  return Array.isArray(value) ? [...value] : [value];
}
