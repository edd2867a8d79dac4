import {join, resolve} from 'node:path';
import type {Http2Settings} from '../http/http2/http2-settings.js';
import {tlsProtocol, type TlsProtocol} from '../http/tls/cipher-suites.js';

/** Certificates of the server and of its clients, as flags and the configuration file give them. Paths are relative to `cwd`. */
export interface ServingOptions {
  /** CA certificates (PEM): who shows a certificate that one of them has signed is known by it. */
  readonly clientCaFile?: string | undefined;
  /** Certificate of the server (PEM), followed by those between it and its CA. */
  readonly tlsCertFile?: string | undefined;
  readonly tlsPrivateKeyFile?: string | undefined;
  /** Folder of `apiserver.crt` and `apiserver.key`, which are made if they are missing. Of no effect with `tlsCertFile`. */
  readonly certDir?: string | undefined;
  /** `CERTIFICATE,KEY` or `CERTIFICATE,KEY:PATTERN,…`: what clients get that ask for one of these host names. */
  readonly tlsSniCertKey?: readonly string[] | undefined;
  /** `VersionTLS10` to `VersionTLS13`; `VersionTLS12` by default. */
  readonly tlsMinVersion?: string | undefined;
  /** Names of Go and IANA; those of TLS 1.3 are always there. */
  readonly tlsCipherSuites?: readonly string[] | undefined;
  /** Whether clients get only HTTP/1.1; true by default. */
  readonly disableHttp2Serving?: boolean | undefined;
  /** The part of requests of HTTP/2 whose connection ends with them, 0 (the default) to 0.02. */
  readonly goawayChance?: number | undefined;
}

/** A certificate and its key. Absolute paths. */
export interface CertificatePair {
  readonly certFile: string;
  readonly keyFile: string;
  /** What messages call it. */
  readonly source: string;
}

export interface NamedPair extends CertificatePair {
  /** Lower case; `*` may stand for the first label. Those of the certificate when there are none. */
  readonly patterns: readonly string[];
}

/** `ServingOptions`, checked as far as they can be without reading a file. Absolute paths. */
export interface ServingSettings {
  readonly clientCaFile: string | undefined;
  readonly pair: CertificatePair | undefined;
  readonly certDir: string | undefined;
  readonly named: readonly NamedPair[];
  readonly protocol: TlsProtocol;
  /** Undefined if HTTP/2 is not offered. */
  readonly http2: Pick<Http2Settings, 'goawayChance'> | undefined;
  /** Whether there is any certificate that is not the server's own. */
  readonly files: boolean;
}

/** Under this name the server shows the certificate of its own CA, whatever others it has: for its own clients. */
export const loopbackName = 'apiserver-loopback-client';
/** Certificates that are chosen by host name; more are no configuration but a mistake. */
const maximumNamed = 1000;

/** As kube-apiserver has it. */
const greatestGoawayChance = 0.02;

/** @throws Error in one sentence */
export function servingSettings(options: ServingOptions, cwd: string): ServingSettings {
  const {clientCaFile, tlsCertFile, tlsPrivateKeyFile, certDir, tlsSniCertKey = [], tlsMinVersion, tlsCipherSuites} = options;
  if ((tlsCertFile === undefined) !== (tlsPrivateKeyFile === undefined)) {
    throw new Error('--tls-cert-file and --tls-private-key-file must be given together');
  }
  const {goawayChance = 0} = options;
  if (!(goawayChance >= 0 && goawayChance <= greatestGoawayChance))
    throw new Error(`--goaway-chance can not be less than 0 or greater than ${greatestGoawayChance}`);
  if (tlsSniCertKey.length > maximumNamed) throw new Error(`--tls-sni-cert-key may be given ${maximumNamed} times at most`);
  // A certificate that is given leaves nothing to look for in the folder.
  const folder = tlsCertFile === undefined && certDir !== undefined ? resolve(cwd, certDir) : undefined;
  return {
    clientCaFile: clientCaFile === undefined ? undefined : resolve(cwd, clientCaFile),
    pair:
      tlsCertFile !== undefined
        ? {certFile: resolve(cwd, tlsCertFile), keyFile: resolve(cwd, tlsPrivateKeyFile!), source: '--tls-cert-file'}
        : folder !== undefined
          ? {certFile: join(folder, 'apiserver.crt'), keyFile: join(folder, 'apiserver.key'), source: '--cert-dir'}
          : undefined,
    certDir: folder,
    named: tlsSniCertKey.map((text) => namedPair(text, cwd)),
    protocol: tlsProtocol(tlsMinVersion, tlsCipherSuites),
    http2: options.disableHttp2Serving === false ? {goawayChance} : undefined,
    files: [clientCaFile, tlsCertFile, certDir, ...tlsSniCertKey].some((file) => file !== undefined),
  };
}

/** The same options with paths relative to another folder. */
export function locateServing(options: ServingOptions, folder: string): ServingOptions {
  const located = (path: string | undefined) => (path === undefined ? undefined : resolve(folder, path));
  const {tlsSniCertKey} = options;
  return Object.fromEntries(
    Object.entries({
      clientCaFile: located(options.clientCaFile),
      tlsCertFile: located(options.tlsCertFile),
      tlsPrivateKeyFile: located(options.tlsPrivateKeyFile),
      certDir: located(options.certDir),
      tlsSniCertKey: tlsSniCertKey?.map((text) => {
        const {files, rest} = splitNamed(text);
        return files.map((path) => resolve(folder, path)).join(',') + rest;
      }),
    }).filter(([, value]) => value !== undefined),
  );
}

function splitNamed(text: string): {files: string[]; rest: string} {
  const colon = text.indexOf(':');
  const files = (colon < 0 ? text : text.slice(0, colon)).split(',').map((path) => path.trim());
  return {files, rest: colon < 0 ? '' : text.slice(colon)};
}

function namedPair(text: string, cwd: string): NamedPair {
  const {files, rest} = splitNamed(text);
  if (files.length !== 2 || files.includes('')) {
    throw new Error(`--tls-sni-cert-key must be CERTIFICATE,KEY or CERTIFICATE,KEY:PATTERN,PATTERN, not ${JSON.stringify(text)}`);
  }
  const patterns =
    rest === ''
      ? []
      : rest
          .slice(1)
          .split(',')
          .map((pattern) => pattern.trim().toLowerCase());
  for (const pattern of patterns)
    if (!isHostPattern(pattern)) {
      throw new Error(
        `--tls-sni-cert-key: ${JSON.stringify(pattern)} is not a host name such as api.example.com or *.example.com; clients send no addresses (in ${JSON.stringify(text)})`,
      );
    }
  return {certFile: resolve(cwd, files[0]!), keyFile: resolve(cwd, files[1]!), source: '--tls-sni-cert-key', patterns};
}

function isHostPattern(text: string): boolean {
  return (
    text.length <= 253 &&
    /^(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(text) &&
    !/^[\d.]+$/.test(text)
  );
}
