import {randomBytes, X509Certificate, type KeyObject, type webcrypto} from 'node:crypto';
import type {Extension} from '@peculiar/x509';
import type {RequestContent} from '../../families/certificates/request-content.js';
import type {SigningAuthority} from './signing-authority.js';

const minute = 60_000;
/** Other clocks may be slow. Long-lived certificates also end earlier by this time, so that they last as long as requested. */
const backdateMillis = 5 * minute;
const longMillis = 480 * minute;

export interface IssueOptions {
  readonly content: RequestContent;
  readonly usages: readonly string[];
  readonly lifetimeMillis: number;
  readonly authority: SigningAuthority;
}

/** Why a certificate cannot be issued although the signer would sign it. */
export class CannotIssue extends Error {}

/**
 * Creates and signs a certificate and returns it as PEM. It contains the subject and key of the request, its alternative names of the kinds
 * DNS, IP, e-mail and URI, and the requested usages; nothing else of the request. It is never a CA certificate, and expires no later than
 * the CA's own certificate.
 *
 * @throws CannotIssue if the request is invalid
 */
export async function issueCertificate({content, usages, lifetimeMillis, authority}: IssueOptions): Promise<string> {
  const x509 = await import('@peculiar/x509');
  const issuer = new x509.X509Certificate(authority.certificate.raw);
  const algorithm = signingAlgorithm(authority.key);
  const signingKey = authority.key.toCryptoKey(algorithm, false, ['sign']);
  const now = Date.now();
  const notAfter = now + lifetimeMillis - (lifetimeMillis < longMillis ? 0 : backdateMillis);
  const made = await orCannot(async () =>
    x509.X509CertificateGenerator.create({
      serialNumber: serialNumber(),
      subject: content.request.subjectName,
      issuer: issuer.subjectName,
      notBefore: new Date(now - backdateMillis),
      notAfter: new Date(Math.min(notAfter, issuer.notAfter.getTime())),
      publicKey: content.request.publicKey,
      signingKey,
      signingAlgorithm: algorithm,
      extensions: await extensionsOf(x509, content, usages, issuer),
    }),
  );
  const pem = `${made.toString('pem').trimEnd()}\n`;
  requireSameHolder(pem, content);
  return pem;
}

async function extensionsOf(
  x509: typeof import('@peculiar/x509'),
  {names, request}: RequestContent,
  usages: readonly string[],
  issuer: import('@peculiar/x509').X509Certificate,
): Promise<Extension[]> {
  const {digitalSignature, keyEncipherment} = x509.KeyUsageFlags;
  const {clientAuth, serverAuth} = x509.ExtendedKeyUsage;
  const chosen = <T>(table: Readonly<Record<string, T>>) =>
    Object.keys(table).flatMap((usage) => (usages.includes(usage) ? table[usage]! : []));
  const flags = chosen({'digital signature': digitalSignature, 'key encipherment': keyEncipherment});
  const purposes = chosen({'client auth': clientAuth, 'server auth': serverAuth});
  const kept = names.filter(({type}) => ['dns', 'ip', 'email', 'url'].includes(type)).map(({type, value}) => ({type, value}));
  const issuerKeyId = issuer.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId;
  return [
    new x509.BasicConstraintsExtension(false, undefined, true),
    ...(flags.length > 0
      ? [
          new x509.KeyUsagesExtension(
            flags.reduce((sum, flag) => sum | flag, 0),
            true,
          ),
        ]
      : []),
    ...(purposes.length > 0 ? [new x509.ExtendedKeyUsageExtension(purposes)] : []),
    await x509.SubjectKeyIdentifierExtension.create(request.publicKey),
    ...(issuerKeyId === undefined ? [] : [new x509.AuthorityKeyIdentifierExtension(issuerKeyId)]),
    // Without a subject, the alternative names identify the holder.
    ...(kept.length > 0 ? [new x509.SubjectAlternativeNameExtension(kept, request.subjectName.toJSON().length === 0)] : []),
  ];
}

/** If the library interprets a request differently from those who later read the certificate, it could pass for somebody else's. */
function requireSameHolder(pem: string, {commonName, organizations}: RequestContent): void {
  const subject = new X509Certificate(pem).toLegacyObject().subject as unknown as Record<string, string | string[] | undefined>;
  const valuesOf = (attribute: string) => (Object.hasOwn(subject, attribute) ? [subject[attribute] ?? []].flat() : []);
  const isSame = (valuesOf('CN').at(-1) ?? '') === commonName && JSON.stringify(valuesOf('O')) === JSON.stringify(organizations);
  if (!isSame) throw new CannotIssue('the subject can be read in more than one way');
}

async function orCannot<T>(make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    throw new CannotIssue(`no certificate can be created from the request: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

const curves: Readonly<Record<string, {namedCurve: string; hash: string}>> = {
  prime256v1: {namedCurve: 'P-256', hash: 'SHA-256'},
  secp384r1: {namedCurve: 'P-384', hash: 'SHA-384'},
  secp521r1: {namedCurve: 'P-521', hash: 'SHA-512'},
};

function signingAlgorithm(key: KeyObject): webcrypto.EcKeyImportParams | webcrypto.RsaHashedImportParams | webcrypto.Algorithm {
  const {asymmetricKeyType: type, asymmetricKeyDetails: details} = key;
  if (type === 'rsa') return {name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256'};
  if (type === 'ed25519') return {name: 'Ed25519'};
  const curve = type === 'ec' ? curves[details?.namedCurve ?? ''] : undefined;
  if (!curve) throw new Error(`the CA's key is of a kind that cannot sign certificates here (${type}); use RSA, ECDSA or Ed25519`);
  return {name: 'ECDSA', ...curve};
}

/** 127 random bits: positive, and never zero. */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return bytes.toString('hex');
}
