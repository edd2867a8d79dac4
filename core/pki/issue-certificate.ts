import {randomBytes, webcrypto} from 'node:crypto';
import type {CertificateNames} from './certificate-names.js';

const algorithm = {name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256'} as const;

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
  const {privateKey} = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', privateKey)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${der.replace(/.{64}(?=.)/g, '$&\n')}\n-----END PRIVATE KEY-----\n`;
}

/** Makes and signs a certificate; answers it in PEM. The library is loaded on the first call: a restart needs none. */
export async function issueCertificate(options: IssueOptions): Promise<string> {
  const x509 = await loadLibrary();
  const holder = await importKeyPair(options.key);
  const {issuer} = options;
  const signer = issuer ? await importKeyPair(issuer.key) : holder;
  const issuerCertificate = issuer ? new x509.X509Certificate(issuer.certificate) : undefined;

  const ca = options.usage === 'ca';
  const usages = ca
    ? x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign | x509.KeyUsageFlags.digitalSignature
    : x509.KeyUsageFlags.digitalSignature;
  const {serverAuth, clientAuth} = x509.ExtendedKeyUsage;
  const extensions = [
    new x509.BasicConstraintsExtension(ca, undefined, true),
    new x509.KeyUsagesExtension(usages, true),
    ...(ca ? [] : [new x509.ExtendedKeyUsageExtension([options.usage === 'server' ? serverAuth : clientAuth])]),
    await x509.SubjectKeyIdentifierExtension.create(holder.publicKey),
    ...(issuerCertificate ? [await x509.AuthorityKeyIdentifierExtension.create(signer.publicKey)] : []),
    ...(options.names ? [new x509.SubjectAlternativeNameExtension(alternativeNames(options.names))] : []),
  ];

  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: subjectName(options.subject),
    issuer: issuerCertificate ? issuerCertificate.subjectName.toJSON() : subjectName(options.subject),
    notBefore: new Date(Date.now() - backdateMillis),
    notAfter: new Date(options.notAfter),
    publicKey: holder.publicKey,
    signingKey: signer.privateKey,
    signingAlgorithm: algorithm,
    extensions,
  });
  return `${certificate.toString('pem').trimEnd()}\n`;
}

/** Loads the X.509 library ahead of its use, while keys are being made and written. */
export async function loadLibrary(): Promise<typeof import('@peculiar/x509')> {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

/** A signing key as WebCrypto has it, with the public half, which PKCS #8 carries in its private one. */
async function importKeyPair(pem: string): Promise<webcrypto.CryptoKeyPair> {
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  const privateKey = await webcrypto.subtle.importKey('pkcs8', der, algorithm, true, ['sign']);
  const {d: _secret, key_ops: _operations, ...open} = await webcrypto.subtle.exportKey('jwk', privateKey);
  const publicKey = await webcrypto.subtle.importKey('jwk', open, algorithm, true, ['verify']);
  return {privateKey, publicKey};
}

function alternativeNames({dns, ip}: CertificateNames): {type: 'dns' | 'ip'; value: string}[] {
  return [...dns.map((value) => ({type: 'dns' as const, value})), ...ip.map((value) => ({type: 'ip' as const, value}))];
}

function subjectName({commonName, organizations = []}: CertificateSubject): Record<string, string[]>[] {
  return [...organizations.map((name) => ({O: [name]})), {CN: [commonName]}];
}

/** 127 random bits: positive, and never zero. */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return bytes.toString('hex');
}
