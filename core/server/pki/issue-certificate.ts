import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  randomBytes,
  sign,
  X509Certificate,
  type KeyObject,
} from 'node:crypto';
import {promisify} from 'node:util';
import {parseIp} from '../../../sdk/net/index.js';
import type {CertificateNames} from './certificate-names.js';
import * as der from './der.js';

const identifiers = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  alternativeNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  server: '1.3.6.1.5.5.7.3.1',
  client: '1.3.6.1.5.5.7.3.2',
} as const;

/** Clocks of clients may be a little slow. */
const backdateMillis = 60 * 60 * 1000;

export interface CertificateSubject {
  readonly commonName: string;
  readonly organizations?: readonly string[];
}

export interface IssueOptions {
  readonly subject: CertificateSubject;
  /** Private key, PEM, of the holder. */
  readonly key: string;
  /** End of validity, milliseconds since 1970. */
  readonly notAfter: number;
  readonly usage: 'ca' | 'server' | 'client';
  readonly names?: CertificateNames;
  /** Who signs; without, the certificate signs itself. */
  readonly issuer?: {readonly certificate: string; readonly key: string};
}

/** A new ECDSA P-256 private key in PKCS #8 PEM. */
export async function generateKey(): Promise<string> {
  const {privateKey} = await promisify(generateKeyPair)('ec', {namedCurve: 'P-256'});
  return privateKey.export({type: 'pkcs8', format: 'pem'}) as string;
}

/**
 * Makes and signs a certificate (RFC 5280); answers it in PEM. It is written by hand (docs/decisions/0007): a library takes as long to load as all else
 * that the first start of a server does for its certificates.
 *
 * @throws Error when the signer's key is not ECDSA P-256
 */
export async function issueCertificate({subject, key, notAfter, usage, names, issuer}: IssueOptions): Promise<string> {
  const holder = createPrivateKey(key);
  const signer = issuer ? createPrivateKey(issuer.key) : holder;
  if (signer.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('certificates are signed with ECDSA P-256 keys only');
  const algorithm = der.sequence(der.objectIdentifier(identifiers.ecdsaWithSha256));
  const name = subjectName(subject);
  const content = der.sequence(
    der.explicit(0, der.integer(Buffer.from([2]))),
    der.integer(serialNumber()),
    algorithm,
    issuer ? subjectOf(issuer.certificate) : name,
    der.sequence(der.time(Date.now() - backdateMillis), der.time(notAfter)),
    name,
    publicPart(holder),
    der.explicit(3, der.sequence(...extensionsOf(usage, holder, issuer ? signer : undefined, names))),
  );
  const signature = await promisify(sign)('sha256', content, signer);
  const base64 = der.sequence(content, algorithm, der.bitString(signature)).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

function extensionsOf(usage: IssueOptions['usage'], holder: KeyObject, signer: KeyObject | undefined, names?: CertificateNames): Buffer[] {
  const ca = usage === 'ca';
  return [
    extension(identifiers.basicConstraints, der.sequence(...(ca ? [der.boolean(true)] : [])), true),
    // digitalSignature; of a CA keyCertSign and cRLSign too.
    extension(identifiers.keyUsage, ca ? der.bitString(Buffer.from([0x86]), 1) : der.bitString(Buffer.from([0x80]), 7), true),
    ...(ca ? [] : [extension(identifiers.extendedKeyUsage, der.sequence(der.objectIdentifier(identifiers[usage])))]),
    extension(identifiers.subjectKeyIdentifier, der.octetString(keyIdentifier(holder))),
    ...(signer ? [extension(identifiers.authorityKeyIdentifier, der.sequence(der.implicit(0, keyIdentifier(signer))))] : []),
    ...(names ? [extension(identifiers.alternativeNames, der.sequence(...alternativeNames(names)))] : []),
  ];
}

function extension(identifier: string, value: Buffer, critical = false): Buffer {
  return der.sequence(der.objectIdentifier(identifier), ...(critical ? [der.boolean(true)] : []), der.octetString(value));
}

/** SubjectPublicKeyInfo of a private key. */
function publicPart(key: KeyObject): Buffer {
  return createPublicKey(key).export({type: 'spki', format: 'der'});
}

/** SHA-1 of the bits of the public key (RFC 5280, 4.2.1.2): a name, not a protection. */
function keyIdentifier(key: KeyObject): Buffer {
  const bits = der.elementsOf(publicPart(key))[1]!;
  // Behind tag, length and the number of unused bits.
  return createHash('sha1').update(bits.subarray(3)).digest();
}

/** The name of a certificate's holder, as it stands there. */
function subjectOf(certificate: string): Buffer {
  const [content] = der.elementsOf(new X509Certificate(certificate).raw);
  const parts = der.elementsOf(content!);
  // Version 1 has no version.
  return parts[parts[0]![0] === 0xa0 ? 5 : 4]!;
}

function subjectName({commonName, organizations = []}: CertificateSubject): Buffer {
  const part = (identifier: string, text: string) => der.set(der.sequence(der.objectIdentifier(identifier), der.utf8String(text)));
  return der.sequence(...organizations.map((name) => part(identifiers.organization, name)), part(identifiers.commonName, commonName));
}

function alternativeNames({dns, ip}: CertificateNames): Buffer[] {
  return [
    ...dns.map((name) => der.implicit(2, Buffer.from(name, 'ascii'))),
    ...ip.map((address) => der.implicit(7, addressBytes(address))),
  ];
}

function addressBytes(text: string): Buffer {
  const address = parseIp(text);
  if (address === undefined) throw new Error(`${JSON.stringify(text)} is no IP address`);
  const digits = address.family === 'IPv4' ? 8 : 32;
  return Buffer.from(address.value.toString(16).padStart(digits, '0'), 'hex');
}

/** 127 random bits: positive, and never zero. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return bytes;
}
