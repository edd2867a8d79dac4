import {createPrivateKey, X509Certificate} from 'node:crypto';
import {readFileSync, statSync} from 'node:fs';
import {createSecureContext, type SecureContext} from 'node:tls';
import {errorDetail} from '../kernel/error-detail.js';
import type {CertificatePair, NamedPair} from './serving-options.js';
import type {TlsProtocol} from '../http/tls/cipher-suites.js';

/** Files with certificates are read whole; larger ones are none. */
const maximumBytes = 4 * 1024 * 1024;

/** PEM texts that belong together. */
export interface KeyedCertificate {
  readonly cert: string;
  readonly key: string;
}

/** @throws Error in one sentence when files cannot be read or do not fit together */
export function readPair({certFile, keyFile, source}: CertificatePair): KeyedCertificate & {readonly leaf: X509Certificate} {
  const cert = read(certFile, source);
  const key = read(keyFile, source);
  const [leaf] = certificatesIn(cert, certFile, source);
  let privateKey;
  try {
    privateKey = createPrivateKey(key);
  } catch (cause) {
    throw new Error(`${source}: ${keyFile} contains no PEM private key that can be used without a password`, {cause});
  }
  if (!leaf!.checkPrivateKey(privateKey)) throw new Error(`${source}: ${keyFile} is not the key of the first certificate in ${certFile}`);
  return {cert, key, leaf: leaf!};
}

/** @throws Error in one sentence when the file cannot be read or holds anything but certificates */
export function readAuthorities(file: string): X509Certificate[] {
  return certificatesIn(read(file, '--client-ca-file'), file, '--client-ca-file');
}

/** What clients get by the name they ask for. Where several claim a name, a given pattern goes before a name in a certificate, and the first before later ones. */
export class NamedCertificates {
  readonly #byName = new Map<string, SecureContext>();

  /** @param ca whose clients' certificates are trusted, PEM */
  constructor(pairs: readonly (NamedPair & KeyedCertificate & {leaf: X509Certificate})[], ca: readonly string[], protocol: TlsProtocol) {
    const entries = pairs.map(({patterns, cert, key, leaf}) => ({
      context: createSecureContext({cert, key, ca: [...ca], ...protocol}),
      given: patterns,
      own: patterns.length > 0 ? [] : namesOf(leaf),
    }));
    const add = (name: string, context: SecureContext) => void (this.#byName.has(name) || this.#byName.set(name, context));
    for (const {given, context} of entries) for (const name of given) add(name, context);
    for (const {own, context} of entries) for (const name of own) add(name, context);
  }

  /** An exact name goes before one with `*` for its first label. */
  of(serverName: string): SecureContext | undefined {
    const name = serverName.toLowerCase();
    return this.#byName.get(name) ?? this.#byName.get(name.replace(/^[^.]*/, '*'));
  }
}

/** DNS names of a certificate; its common name only where it has no others. */
function namesOf(certificate: X509Certificate): string[] {
  const names = [...(certificate.subjectAltName ?? '').matchAll(/(?:^|, )DNS:([^,"\s]+)/g)].map(([, name]) => name!.toLowerCase());
  if (certificate.subjectAltName) return names;
  const common = /^CN=(.+)$/m.exec(certificate.subject)?.[1];
  return common === undefined ? [] : [common.toLowerCase()];
}

function certificatesIn(pem: string, file: string, source: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new Error(`${source}: ${file} contains no PEM certificate`);
  return blocks.map((block, index) => {
    try {
      return new X509Certificate(block);
    } catch (cause) {
      throw new Error(`${source}: certificate ${index + 1} in ${file} cannot be read: ${errorDetail(cause)}`, {cause});
    }
  });
}

function read(file: string, source: string): string {
  try {
    const {size} = statSync(file);
    if (size > maximumBytes) throw new Error(`it has ${size} bytes, more than ${maximumBytes}`);
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Error(`${source}: ${file} cannot be read: ${errorDetail(cause)}`, {cause});
  }
}
