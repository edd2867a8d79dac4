import type {KeyObject, X509Certificate} from 'node:crypto';
import {join} from 'node:path';
import {serverNames, type CertificateNames} from './certificate-names.js';
import type {CertificateSubject} from './issue-certificate.js';
import {PkiError} from './pki-error.js';
import {createFile, makePrivateFolder, replaceFile, syncFolder} from './private-file.js';
import {belongsTo, expiryOf, isIssuedBy, parseCertificate, parseKey, readIfPresent} from './stored-certificate.js';

const day = 24 * 60 * 60 * 1000;
const caLifetime = 3650 * day;
const leafLifetime = 730 * day;
/** A certificate that expires sooner is renewed at start. */
const renewalMargin = 30 * day;

export interface PkiOptions {
  /** Address that the server listens on. */
  readonly bindAddress: string;
  /** First word of the platform's own names, by profile: `orch` or `kubernetes`. */
  readonly platform: string;
  /** Further names or addresses that the serving certificate must be valid for. */
  readonly extraNames?: readonly string[];
  /** Folder in which there is to be a serving certificate besides, as `apiserver.crt` and `apiserver.key`. One that another CA has signed is left as it is. */
  readonly servingFolder?: string | undefined;
  /** Milliseconds since 1970. */
  readonly now?: number;
}

/** Certificates and keys of a server. Texts are PEM, files absolute paths. */
export interface Pki {
  readonly caCertificate: string;
  readonly caFile: string;
  readonly caKeyFile: string;
  readonly servingCertificate: string;
  readonly servingKey: string;
  /** Client certificate of the administrator: group `system:masters`. */
  readonly adminCertificate: string;
  readonly adminKey: string;
  /** Private key, PKCS #8, with which tokens of service accounts are signed. */
  readonly serviceAccountKeyFile: string;
}

interface CertificateAuthority {
  readonly pem: string;
  readonly certificate: X509Certificate;
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly changed: boolean;
}

interface Leaf {
  readonly name: 'serving' | 'apiserver' | 'admin';
  /** Whether a certificate of another CA is left as it is. */
  readonly given?: boolean;
  readonly usage: 'server' | 'client';
  readonly subject: CertificateSubject;
  readonly names?: CertificateNames;
}

/**
 * Reads the certificates and keys in a folder and creates missing ones: a CA, a serving certificate, the
 * administrator's client certificate and the key for service accounts. Certificates that expire soon or do not cover the
 * required names are renewed by the same CA.
 *
 * Several servers may do this in one folder at once, and any of them may be killed at any moment: a key is written once
 * and never replaced, the first one wins, and every certificate is made for the key on disk. So any pair of files that a
 * reader sees belongs together.
 *
 * @throws PkiError with one sentence, when files are broken or do not fit together
 */
export async function ensurePki(folder: string, options: PkiOptions): Promise<Pki> {
  const now = options.now ?? Date.now();
  try {
    makePrivateFolder(folder);
    const serviceAccountKeyFile = join(folder, 'service-account.key');
    const [ca, serviceAccount] = await Promise.all([ensureAuthority(folder, options, now), ensureKey(serviceAccountKeyFile)]);
    const {servingFolder} = options;
    if (servingFolder !== undefined) makePrivateFolder(servingFolder);
    const serverLeaf = {
      usage: 'server',
      subject: {commonName: `${options.platform}-apiserver`},
      names: serverNames(options.bindAddress, options.platform, options.extraNames),
    } as const;
    const [serving, admin, given] = await Promise.all([
      ensureLeaf(folder, ca, now, {name: 'serving', ...serverLeaf}),
      ensureLeaf(folder, ca, now, {
        name: 'admin',
        usage: 'client',
        subject: {commonName: `${options.platform}-admin`, organizations: ['system:masters']},
      }),
      servingFolder === undefined ? undefined : ensureLeaf(servingFolder, ca, now, {name: 'apiserver', given: true, ...serverLeaf}),
    ]);
    if (given?.changed) await syncFolder(servingFolder!);
    if (ca.changed || serviceAccount.changed || serving.changed || admin.changed) await syncFolder(folder);
    return {
      caCertificate: ca.pem,
      caFile: ca.certificateFile,
      caKeyFile: ca.keyFile,
      servingCertificate: serving.certificate,
      servingKey: serving.key,
      adminCertificate: admin.certificate,
      adminKey: admin.key,
      serviceAccountKeyFile,
    };
  } catch (error) {
    if (error instanceof PkiError) throw error;
    throw new PkiError(`the certificates in ${folder} cannot be set up: ${(error as Error).message}`, {cause: error});
  }
}

/** The key in a file, made when there is none. */
async function ensureKey(path: string): Promise<{pem: string; key: KeyObject; changed: boolean}> {
  const present = readIfPresent(path);
  if (present !== undefined) return {pem: present, key: parseKey(present, path), changed: false};
  const {generateKey} = await import('./issue-certificate.js');
  const pem = await generateKey();
  if (await createFile(path, pem)) return {pem, key: parseKey(pem, path), changed: true};
  // Another server was first: use its key.
  return ensureKey(path);
}

async function ensureAuthority(folder: string, options: PkiOptions, now: number): Promise<CertificateAuthority> {
  const certificateFile = join(folder, 'ca.crt');
  const keyFile = join(folder, 'ca.key');
  const present = readIfPresent(certificateFile);
  if (present !== undefined) {
    const certificate = parseCertificate(present, certificateFile);
    if (!certificate.ca) {
      throw new PkiError(
        `${certificateFile} is not a CA certificate; restore the CA of this folder, or remove the folder to have everything created again`,
      );
    }
    if (expiryOf(certificate) <= now) {
      throw new PkiError(
        `the CA certificate ${certificateFile} expired on ${certificate.validTo}; remove the folder ${folder} to have a new CA and new certificates created`,
      );
    }
    return {pem: present, certificate, certificateFile, keyFile, changed: false};
  }
  const {issueCertificate, loadLibrary} = await import('./issue-certificate.js');
  const [key] = await Promise.all([ensureKey(keyFile), loadLibrary()]);
  const pem = await issueCertificate({
    subject: {commonName: `${options.platform}-ca`},
    key: key.pem,
    notAfter: now + caLifetime,
    usage: 'ca',
  });
  // If another server was first, use its certificate for the same key.
  if (!(await createFile(certificateFile, pem))) return ensureAuthority(folder, options, now);
  return {pem, certificate: parseCertificate(pem, certificateFile), certificateFile, keyFile, changed: true};
}

/** A key and a certificate for it, signed by the CA. */
async function ensureLeaf(
  folder: string,
  ca: CertificateAuthority,
  now: number,
  leaf: Leaf,
): Promise<{certificate: string; key: string; changed: boolean}> {
  const certificateFile = join(folder, `${leaf.name}.crt`);
  const keyFile = join(folder, `${leaf.name}.key`);
  const present = readIfPresent(certificateFile);
  if (leaf.given && present !== undefined && !isIssuedBy(parseCertificate(present, certificateFile), ca.certificate)) {
    return {certificate: present, key: keyOfGiven(present, certificateFile, keyFile), changed: false};
  }
  const {pem, key, changed} = await ensureKey(keyFile);
  if (present !== undefined && isGood(parseCertificate(present, certificateFile), key, ca, now, leaf))
    return {certificate: present, key: pem, changed};

  const caKey = readIfPresent(ca.keyFile);
  if (caKey === undefined) {
    throw new PkiError(
      `${certificateFile} must be created or renewed, but the CA's key ${ca.keyFile} is missing; restore it, or remove the folder to have everything created again`,
    );
  }
  if (!belongsTo(ca.certificate, parseKey(caKey, ca.keyFile))) {
    throw new PkiError(
      `${ca.keyFile} is not the key of the CA certificate next to it; restore the right one, or remove the folder to have everything created again`,
    );
  }
  const {issueCertificate} = await import('./issue-certificate.js');
  const certificate = await issueCertificate({
    subject: leaf.subject,
    key: pem,
    notAfter: Math.min(now + leafLifetime, expiryOf(ca.certificate)),
    usage: leaf.usage,
    ...(leaf.names ? {names: leaf.names} : {}),
    issuer: {certificate: ca.pem, key: caKey},
  });
  await replaceFile(certificateFile, certificate);
  return {certificate, key: pem, changed: true};
}

/** The key of a certificate that is not ours: never made, never replaced. @throws PkiError */
function keyOfGiven(certificate: string, certificateFile: string, keyFile: string): string {
  const key = readIfPresent(keyFile);
  if (key === undefined)
    throw new PkiError(`${certificateFile} exists, but its key ${keyFile} is missing; restore it, or remove the certificate`);
  if (!belongsTo(parseCertificate(certificate, certificateFile), parseKey(key, keyFile))) {
    throw new PkiError(`${keyFile} is not the key of the certificate next to it; restore the right one`);
  }
  return key;
}

/** Whether a certificate need not be renewed. */
function isGood(certificate: X509Certificate, key: KeyObject, ca: CertificateAuthority, now: number, {subject, names}: Leaf): boolean {
  const end = expiryOf(certificate);
  return (
    // A certificate cannot outlive its CA; renewing it would change nothing.
    (end >= now + renewalMargin || (end > now && end >= expiryOf(ca.certificate))) &&
    certificate.subject === subjectText(subject) &&
    belongsTo(certificate, key) &&
    isIssuedBy(certificate, ca.certificate) &&
    (names === undefined ||
      (names.dns.every((name) => certificate.checkHost(name) !== undefined) &&
        names.ip.every((address) => certificate.checkIP(address) !== undefined)))
  );
}

function subjectText({commonName, organizations = []}: CertificateSubject): string {
  return [...organizations.map((name) => `O=${name}`), `CN=${commonName}`].join('\n');
}
