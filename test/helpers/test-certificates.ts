import {webcrypto} from 'node:crypto';
import {generateKey, issueCertificate, loadLibrary} from '../../core/pki/issue-certificate.js';

/** A certificate with its key, both PEM. */
export interface KeyedCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** A certificate authority of its own. */
export async function makeAuthority(commonName = 'test-ca'): Promise<KeyedCertificate> {
  const key = await generateKey();
  return {key, certificate: await issueCertificate({subject: {commonName}, key, notAfter: Date.now() + 3_600_000, usage: 'ca'})};
}

/** A certificate that an authority has signed, for 127.0.0.1 where it is a server's. */
export async function makeLeaf(
  issuer: KeyedCertificate,
  usage: 'server' | 'client',
  commonName: string,
  organizations: readonly string[] = [],
  notAfter = Date.now() + 3_600_000,
): Promise<KeyedCertificate> {
  const key = await generateKey();
  const names = usage === 'server' ? {names: {dns: ['localhost'], ip: ['127.0.0.1']}} : {};
  return {
    key,
    certificate: await issueCertificate({
      subject: {commonName, organizations},
      key,
      notAfter,
      usage,
      issuer,
      ...names,
    }),
  };
}

export interface LeafOptions {
  readonly names: readonly string[];
  readonly usage: 'server' | 'client';
  /** Milliseconds since 1970. */
  readonly validUntil: number;
}

/** A certificate (`cert`, `key`: PEM) without a subject key identifier, as Go's library makes them. */
export async function leafWithoutKeyIdentifier(
  issuer: KeyedCertificate,
  commonName: string,
  {names = ['localhost'], usage = 'server', validUntil = Date.now() + 3_600_000}: Partial<LeafOptions>,
): Promise<{cert: string; key: string}> {
  const x509 = await loadLibrary();
  const algorithm = {name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256'};
  const pair = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const pkcs8 = Buffer.from(issuer.key.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
  const {serverAuth, clientAuth} = x509.ExtendedKeyUsage;
  const certificate = await x509.X509CertificateGenerator.create({
    subject: `CN=${commonName}`,
    issuer: new x509.X509Certificate(issuer.certificate).subject,
    notBefore: new Date(Date.now() - 7_200_000),
    notAfter: new Date(validUntil),
    publicKey: pair.publicKey,
    signingKey: await webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']),
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.ExtendedKeyUsageExtension([usage === 'server' ? serverAuth : clientAuth]),
      new x509.SubjectAlternativeNameExtension(names.map((value) => ({type: 'dns', value}))),
    ],
  });
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', pair.privateKey)).toString('base64');
  return {cert: certificate.toString('pem'), key: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`};
}
