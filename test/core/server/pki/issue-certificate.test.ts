import test from 'ava';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import {createPrivateKey, createPublicKey, webcrypto, X509Certificate} from 'node:crypto';
import * as der from '../../../../core/server/pki/der.js';
import {generateKey, issueCertificate, type IssueOptions} from '../../../../core/server/pki/issue-certificate.js';

const algorithm = {name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256'};
const day = 86_400_000;

async function webKey(pem: string, usage: 'sign' | 'verify'): Promise<webcrypto.CryptoKey> {
  const key = createPrivateKey(pem);
  return usage === 'sign'
    ? webcrypto.subtle.importKey('pkcs8', key.export({type: 'pkcs8', format: 'der'}), algorithm, true, ['sign'])
    : webcrypto.subtle.importKey('spki', createPublicKey(key).export({type: 'spki', format: 'der'}), algorithm, true, ['verify']);
}

/** What the library makes of the same, as the content that is signed. */
async function expected({subject, key, usage, names, issuer}: IssueOptions, own: X509Certificate): Promise<Buffer> {
  const ca = usage === 'ca';
  const {keyCertSign, cRLSign, digitalSignature} = x509.KeyUsageFlags;
  const name = (text: string) => ({utf8String: text});
  const nameOf = () => [...(subject.organizations ?? []).map((text) => ({O: [name(text)]})), {CN: [name(subject.commonName)]}];
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: own.serialNumber,
    subject: nameOf() as unknown as x509.JsonName,
    issuer: (issuer ? [{CN: [name('orch-ca')]}] : nameOf()) as unknown as x509.JsonName,
    notBefore: new Date(own.validFrom),
    notAfter: new Date(own.validTo),
    publicKey: await webKey(key, 'verify'),
    signingKey: await webKey(issuer?.key ?? key, 'sign'),
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(ca, undefined, true),
      new x509.KeyUsagesExtension(ca ? keyCertSign | cRLSign | digitalSignature : digitalSignature, true),
      ...(ca
        ? []
        : [new x509.ExtendedKeyUsageExtension([usage === 'server' ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth])]),
      await x509.SubjectKeyIdentifierExtension.create(await webKey(key, 'verify')),
      ...(issuer ? [await x509.AuthorityKeyIdentifierExtension.create(await webKey(issuer.key, 'verify'))] : []),
      ...(names
        ? [
            new x509.SubjectAlternativeNameExtension([
              ...names.dns.map((value) => ({type: 'dns' as const, value})),
              ...names.ip.map((value) => ({type: 'ip' as const, value})),
            ]),
          ]
        : []),
    ],
  });
  return der.elementsOf(Buffer.from(certificate.rawData))[0]!;
}

test('certificates are, byte for byte, what a library makes of the same content', async (t) => {
  const authorityKey = await generateKey();
  const authority: IssueOptions = {subject: {commonName: 'orch-ca'}, key: authorityKey, notAfter: Date.now() + 3650 * day, usage: 'ca'};
  const certificate = await issueCertificate(authority);
  const issuer = {certificate, key: authorityKey};
  const long = Array.from({length: 40}, (_, index) => `name-${index}.of.some.length.example.com`);
  const cases: IssueOptions[] = [
    authority,
    {
      subject: {commonName: 'Jürgen', organizations: ['system:masters', '組織']},
      key: await generateKey(),
      notAfter: Date.UTC(2049, 11, 31, 23, 59, 59),
      usage: 'client',
      issuer,
    },
    {
      subject: {commonName: 'server'},
      key: await generateKey(),
      notAfter: Date.UTC(2050, 0, 1),
      usage: 'server',
      issuer,
      names: {dns: long, ip: ['127.0.0.1', '0.0.0.1', '::1', 'fe80::1', '2001:db8::ff00:42:8329']},
    },
  ];
  for (const options of cases) {
    const pem = options === authority ? certificate : await issueCertificate(options);
    const own = new X509Certificate(pem);
    t.deepEqual(der.elementsOf(own.raw)[0]!.toString('hex'), (await expected(options, own)).toString('hex'), options.subject.commonName);
    t.true(own.verify(createPublicKey(options.issuer?.key ?? options.key)));
    t.regex(pem, /^-----BEGIN CERTIFICATE-----\n(?:[^\n]{1,64}\n)+-----END CERTIFICATE-----\n$/);
  }
});

test('certificates are not signed with keys of other kinds', async (t) => {
  const {generateKeyPairSync} = await import('node:crypto');
  const {privateKey} = generateKeyPairSync('ec', {namedCurve: 'P-384'});
  const key = privateKey.export({type: 'pkcs8', format: 'pem'}) as string;
  await t.throwsAsync(issueCertificate({subject: {commonName: 'x'}, key, notAfter: Date.now() + day, usage: 'ca'}), {
    message: /ECDSA P-256/,
  });
});

test('encodings that are cut off are told', (t) => {
  const whole = der.sequence(der.utf8String('a'.repeat(300)));
  t.is(der.elementsOf(whole).length, 1);
  for (const length of [4, 6, 100]) t.throws(() => der.elementsOf(whole.subarray(0, length)));
});
