import {generateKey, issueCertificate} from '../../core/server/pki/issue-certificate.js';

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
): Promise<KeyedCertificate> {
  const key = await generateKey();
  const names = usage === 'server' ? {names: {dns: ['localhost'], ip: ['127.0.0.1']}} : {};
  return {
    key,
    certificate: await issueCertificate({
      subject: {commonName, organizations},
      key,
      notAfter: Date.now() + 3_600_000,
      usage,
      issuer,
      ...names,
    }),
  };
}
