import type {X509Certificate} from 'node:crypto';
import type {SecureContext, SecureVersion} from 'node:tls';

/** The certificates, trusted CAs and protocol versions of a TLS server. */
export interface TlsMaterial {
  /** PEM; those between it and its CA may follow. */
  readonly cert: string;
  readonly key: string;
  /** CAs whose clients' certificates are trusted. */
  readonly authorities: readonly X509Certificate[];
  /** The same in PEM. */
  readonly ca: readonly string[];
  readonly protocol: {readonly minVersion: SecureVersion; readonly ciphers: string};
  /** What clients get that ask for a certain host name; undefined: all get the same. */
  readonly named?: {of(serverName: string): SecureContext | undefined} | undefined;
}
