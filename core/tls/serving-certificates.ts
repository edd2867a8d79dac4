import {X509Certificate} from 'node:crypto';
import {every, type Logger} from '../../sdk/index.js';
import type {TlsMaterial} from '../http/tls/tls-material.js';
import {fileIdentity} from '../configuration/file-identity.js';
import {NamedCertificates, readAuthorities, readPair, type KeyedCertificate} from './read-certificates.js';
import {loopbackName, type CertificatePair, type ServingSettings} from './serving-options.js';

/** How often the files are looked at. */
const lookMillis = 1000;
const day = 24 * 60 * 60 * 1000;

/** What the server made itself. Texts are PEM. */
export interface OwnCertificates extends KeyedCertificate {
  readonly ca: string;
}

/**
 * The certificates that the server shows and the CAs whose clients it knows, from files that operators replace while it runs. New
 * connections get what the files hold now; what cannot be used changes nothing and is logged.
 */
export class ServingCertificates {
  #material: TlsMaterial;
  #seen: string;
  #stopLooking: () => void = () => undefined;
  #looking: Promise<void> = Promise.resolve();
  readonly #settings: ServingSettings;
  readonly #own: OwnCertificates;
  readonly #logger: Logger;
  readonly #files: readonly string[];

  private constructor(settings: ServingSettings, own: OwnCertificates, logger: Logger, files: readonly string[], seen: string) {
    this.#settings = settings;
    this.#own = own;
    this.#logger = logger;
    this.#files = files;
    this.#seen = seen;
    this.#material = this.#read();
  }

  /** @throws Error in one sentence when a file cannot be used */
  static async open(settings: ServingSettings, own: OwnCertificates, logger: Logger): Promise<ServingCertificates> {
    const pairs: CertificatePair[] = [...(settings.pair ? [settings.pair] : []), ...settings.named];
    const files = [
      ...new Set([
        ...(settings.clientCaFile === undefined ? [] : [settings.clientCaFile]),
        ...pairs.flatMap(({certFile, keyFile}) => [certFile, keyFile]),
      ]),
    ];
    // Before they are read, so that a change in between is seen.
    return new ServingCertificates(settings, own, logger, files, await identitiesOf(files));
  }

  /** What is in force now. */
  get material(): TlsMaterial {
    return this.#material;
  }

  /** Begins to look for changes. @param changed gets what is in force from now on; what it throws leaves the former in force */
  start(changed: (material: TlsMaterial) => void): void {
    if (this.#files.length === 0) return;
    this.#stopLooking = every(lookMillis, () => {
      this.#looking = this.#looking.then(() => this.#look(changed));
    });
  }

  /** Resolves when nothing is being read any more. */
  async stop(): Promise<void> {
    this.#stopLooking();
    await this.#looking;
  }

  async #look(changed: (material: TlsMaterial) => void): Promise<void> {
    const seen = await identitiesOf(this.#files);
    if (seen === this.#seen) return;
    this.#seen = seen;
    try {
      const material = this.#read();
      changed(material);
      this.#material = material;
      this.#logger.info({files: this.#files}, 'new certificates are in use for new connections');
    } catch (error) {
      this.#logger.error({err: error}, 'the changed certificates cannot be used; the previous ones remain in use');
    }
  }

  #read(): TlsMaterial {
    const {clientCaFile, pair, named, protocol} = this.#settings;
    const own = new X509Certificate(this.#own.ca);
    const authorities = [own, ...(clientCaFile === undefined ? [] : readAuthorities(clientCaFile))];
    const ca = authorities.map(String);
    const main = pair ? this.#pair(pair) : this.#own;
    const loopback = {
      ...this.#own,
      leaf: own,
      certFile: '',
      keyFile: '',
      source: '',
      patterns: [loopbackName],
    };
    const pairs = named.map((entry) => ({...entry, ...this.#pair(entry)}));
    // The first wins, so that nobody else can answer the server's own clients.
    const names = pair || pairs.length > 0 ? new NamedCertificates([loopback, ...pairs], ca, protocol) : undefined;
    return {cert: main.cert, key: main.key, authorities, ca, protocol, named: names};
  }

  #pair(pair: CertificatePair) {
    const read = readPair(pair);
    const left = Date.parse(read.leaf.validTo) - Date.now();
    if (left < 30 * day) {
      const what = left < 0 ? 'a certificate of the server has expired' : 'a certificate of the server expires soon';
      this.#logger.warn({file: pair.certFile, validTo: read.leaf.validTo}, what);
    }
    return read;
  }
}

async function identitiesOf(files: readonly string[]): Promise<string> {
  return (await Promise.all(files.map(fileIdentity))).join('\n');
}
