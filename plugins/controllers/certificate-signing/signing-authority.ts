import {createPrivateKey, X509Certificate, type KeyObject} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import type {ServerPaths} from '../../../sdk/index.js';
import {builtInSigners, type BuiltInSigner} from '../../families/certificates/request-object.js';

/** The files of a CA. */
export interface AuthorityFiles {
  readonly certificate: string;
  readonly key: string;
}

/** A CA that can sign. */
export interface SigningAuthority {
  readonly certificate: X509Certificate;
  readonly key: KeyObject;
}

const settings: Readonly<Record<BuiltInSigner, {name: string; flag: string}>> = {
  'apiserver-client': {name: 'apiserverClient', flag: '--cluster-signing-kube-apiserver-client'},
  'apiserver-client-nodeagent': {name: 'nodeClient', flag: '--cluster-signing-kubelet-client'},
  'nodeagent-serving': {name: 'nodeServing', flag: '--cluster-signing-kubelet-serving'},
};

/**
 * The CA of each signer: its own, the one for all signers, or the server's own client CA.
 *
 * @throws Error if settings are inconsistent
 */
export function authorityFiles(
  config: Readonly<Record<string, unknown>>,
  paths: ServerPaths,
): {files: Readonly<Record<BuiltInSigner, AuthorityFiles>>; configured: readonly AuthorityFiles[]} {
  const common = pairOf(config, 'signing', '--cluster-signing');
  const own = new Map(builtInSigners.map((signer) => [signer, pairOf(config, settings[signer].name, settings[signer].flag)]));
  const configured = [common, ...own.values()].filter((pair) => pair !== undefined);
  if (common && configured.length > 1) {
    throw new Error('--cluster-signing-cert-file cannot be given together with the certificate file of a single signer');
  }
  const fallback = common ?? {certificate: paths.clientCaFile, key: paths.clientCaKeyFile};
  const of = (signer: BuiltInSigner) => own.get(signer) ?? fallback;
  return {
    configured,
    files: {
      'apiserver-client': of('apiserver-client'),
      'apiserver-client-nodeagent': of('apiserver-client-nodeagent'),
      'nodeagent-serving': of('nodeagent-serving'),
    },
  };
}

/**
 * Reads a CA from the current files, which can thus be replaced while the server runs.
 *
 * @throws Error if it is unreadable, is not a CA or has expired, or if certificate and key do not match
 */
export async function readAuthority(files: AuthorityFiles): Promise<SigningAuthority> {
  const [certificateText, keyText] = await Promise.all([readFile(files.certificate), readFile(files.key)]);
  const certificate = parsed(files.certificate, 'certificate', () => new X509Certificate(certificateText));
  const key = parsed(files.key, 'private key', () => createPrivateKey(keyText));
  if (!certificate.ca) throw new Error(`${files.certificate} contains no CA certificate`);
  if (!certificate.checkPrivateKey(key)) throw new Error(`${files.key} is not the key of the CA certificate ${files.certificate}`);
  if (Date.parse(certificate.validTo) <= Date.now()) throw new Error(`the CA certificate ${files.certificate} has expired`);
  return {certificate, key};
}

function pairOf(config: Readonly<Record<string, unknown>>, name: string, flag: string): AuthorityFiles | undefined {
  const certificate = config[`${name}CertFile`] as string | undefined;
  const key = config[`${name}KeyFile`] as string | undefined;
  if (certificate !== undefined && key !== undefined) return {certificate, key};
  if (certificate === undefined && key === undefined) return undefined;
  throw new Error(`${flag}-cert-file and ${flag}-key-file must be given together`);
}

function parsed<T>(file: string, what: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new Error(`${file} contains no PEM ${what}`, {cause: error});
  }
}
