import {createPrivateKey, X509Certificate, type KeyObject} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {PkiError} from './pki-error.js';

/**
 * A file as it stands on disk; undefined when there is none. Synchronous: a few small files at start are read ten times
 * faster than through the thread pool.
 *
 * @throws PkiError when it cannot be read
 */
export function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const {code, message} = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new PkiError(`${path} cannot be read: ${message}`, {cause: error});
  }
}

/** The certificate in a PEM text. @throws PkiError when there is none in it */
export function parseCertificate(pem: string, path: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw new PkiError(`${path} contains no PEM certificate; restore a good copy, or remove the file to have a new one created`, {
      cause: error,
    });
  }
}

/** The private key in a PEM text. @throws PkiError when there is none in it */
export function parseKey(pem: string, path: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    throw new PkiError(
      `${path} contains no PEM private key; restore a good copy, or remove the file and its certificate to have new ones created`,
      {cause: error},
    );
  }
}

/** Whether a certificate belongs to a key. */
export function belongsTo(certificate: X509Certificate, key: KeyObject): boolean {
  return certificate.checkPrivateKey(key);
}

/** Whether a CA has signed a certificate, by name and by signature. */
export function isIssuedBy(certificate: X509Certificate, ca: X509Certificate): boolean {
  return certificate.checkIssued(ca) && certificate.verify(ca.publicKey);
}

/** End of validity in milliseconds since 1970. */
export function expiryOf(certificate: X509Certificate): number {
  return Date.parse(certificate.validTo);
}
