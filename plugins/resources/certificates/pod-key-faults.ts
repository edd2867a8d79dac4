import {constants, createPublicKey, verify, type KeyObject, type X509Certificate} from 'node:crypto';
import {FieldPath, invalid, tooLong, type FieldError} from '../../../sdk/index.js';
import type {PodCertificateRequestSpec} from '../../../sdk/types/unchecked/certificates/v1beta1.js';

const specPath = FieldPath.of('spec');
const keyPath = specPath.child('pkixPublicKey');
const proofPath = specPath.child('proofOfPossession');
const requestPath = specPath.child('stubPKCS10Request');
/** Of a key, a proof and a request each. */
const maximumBytes = 10 * 1024;
const rsaSizes = [3072, 4096];
/** Names of curves as messages have them, by that of OpenSSL; Go's library reads no others. */
const curves: Readonly<Record<string, string>> = {secp224r1: 'P-224', prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521'};
const keyTypes = ['ed25519', 'ec', 'rsa', 'dsa', 'x25519'];

/** Errors in the key of a request: either a PKCS #10 request signed with it, or the key itself and a signature of the pod's UID. */
export async function podKeyFaults(spec: PodCertificateRequestSpec): Promise<FieldError[]> {
  const [request, key, proof] = [bytesOf(spec.stubPKCS10Request), bytesOf(spec.pkixPublicKey), bytesOf(spec.proofOfPossession)];
  if (request.length > 0 && key.length === 0 && proof.length === 0) return requestFaults(request);
  if (request.length === 0 && key.length > 0 && proof.length > 0) return keyFaults(key, proof, spec);
  return [withoutValue(specPath, 'exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set')];
}

/** Whether a certificate is about the key of a request. */
export async function isForKey(certificate: X509Certificate, spec: PodCertificateRequestSpec): Promise<boolean> {
  const request = bytesOf(spec.stubPKCS10Request);
  const key = request.length > 0 ? (await readRequest(request))?.key : readKey(bytesOf(spec.pkixPublicKey));
  return key?.equals(certificate.publicKey) ?? false;
}

function keyFaults(key: Buffer, proof: Buffer, {pkixPublicKey, podUID}: PodCertificateRequestSpec): FieldError[] {
  if (key.length > maximumBytes) return [tooLong(keyPath, maximumBytes)];
  if (proof.length > maximumBytes) return [tooLong(proofPath, maximumBytes)];
  const read = readKey(key);
  if (!read) return [invalid(keyPath, pkixPublicKey, 'must be a valid PKIX-serialized public key')];
  const faults = formFaults(read, keyPath, 'elliptic public keys must use curve P256 or P384', pkixPublicKey);
  if (faults.length > 0) return faults;
  return isProven(read, Buffer.from(podUID ?? ''), proof)
    ? []
    : [withoutValue(proofPath, 'could not verify proof-of-possession signature')];
}

async function requestFaults(request: Buffer): Promise<FieldError[]> {
  if (request.length > maximumBytes) return [tooLong(requestPath, maximumBytes)];
  const read = await readRequest(request);
  if (!read) return [withoutValue(requestPath, 'must be a valid PKCS#10 CSR')];
  const faults = formFaults(read.key, requestPath, 'elliptic public keys must use curve P256, P384, or P521');
  if (faults.length > 0) return faults;
  return (await read.isSigned()) ? [] : [withoutValue(requestPath, 'invalid signature')];
}

/** Kinds and sizes of keys that certificates of pods may have. @param shown the key, where a message shows it */
function formFaults(key: KeyObject, path: FieldPath, wrongCurve: string, shown?: unknown): FieldError[] {
  const {namedCurve = '', modulusLength = 0} = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case 'ed25519':
      return [];
    case 'ec':
      return curves[namedCurve] === 'P-224' ? [invalid(path, 'curve P-224', wrongCurve)] : [];
    case 'rsa':
      return rsaSizes.includes(modulusLength)
        ? []
        : [invalid(path, `${modulusLength}-bit modulus`, 'RSA keys must have modulus size 3072 or 4096')];
    default: {
      const detail = 'unknown public key type; supported types are Ed25519, ECDSA, and RSA';
      return [shown === undefined ? withoutValue(path, detail) : invalid(path, shown, detail)];
    }
  }
}

function isProven(key: KeyObject, data: Buffer, proof: Buffer): boolean {
  try {
    if (key.asymmetricKeyType === 'ed25519') return verify(null, data, key, proof);
    if (key.asymmetricKeyType === 'ec') return verify('sha256', data, key, proof);
    return verify('sha256', data, {key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO}, proof);
  } catch {
    return false;
  }
}

/** A public key in DER; undefined if it is none, or of a kind that nobody can read. */
function readKey(der: Buffer): KeyObject | undefined {
  try {
    const key = createPublicKey({key: der, format: 'der', type: 'spki'});
    const {asymmetricKeyType = '', asymmetricKeyDetails} = key;
    if (!keyTypes.includes(asymmetricKeyType)) return undefined;
    return asymmetricKeyType === 'ec' && !Object.hasOwn(curves, asymmetricKeyDetails?.namedCurve ?? '') ? undefined : key;
  } catch {
    return undefined;
  }
}

async function readRequest(der: Buffer): Promise<{key: KeyObject; isSigned: () => Promise<boolean>} | undefined> {
  // Loaded with the first request: most servers never get one.
  const {Pkcs10CertificateRequest} = await import('@peculiar/x509');
  try {
    const request = new Pkcs10CertificateRequest(der);
    const key = readKey(Buffer.from(request.publicKey.rawData));
    return key && {key, isSigned: () => request.verify().catch(() => false)};
  } catch {
    return undefined;
  }
}

function bytesOf(base64: string | null | undefined): Buffer {
  return Buffer.from(base64 ?? '', 'base64');
}

/** An invalid value that is not shown. */
export function withoutValue(path: FieldPath, detail: string): FieldError {
  return {...invalid(path, '', detail), body: `Invalid value: ${detail}`};
}
