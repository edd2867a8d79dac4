import {X509Certificate, createPrivateKey} from 'node:crypto';
import {readFileSync, statSync} from 'node:fs';
import {resolve} from 'node:path';
import {every, type Logger} from '../../../sdk/index.js';
import type {AggregatorSettings} from './settings.js';

/** How often the files are looked at. */
const lookMillis = 1000;

/** The client certificate of this server for aggregated API servers, as PEM; empty if there is none. */
export interface ClientPair {
  readonly certificate?: string;
  readonly key?: string;
}

/** Reads the certificate, and again when its files have been replaced: what cannot be used then changes nothing and is logged. */
export class ProxyCertificate {
  #pair: ClientPair = {};
  #seen = '';
  #stopLooking: () => void = () => undefined;
  readonly #files: readonly [string, string] | undefined;
  readonly #logger: Logger;

  /** @throws Error in one sentence when only one of the files is given, or they cannot be used */
  constructor({proxyClientCertFile: certificate, proxyClientKeyFile: key}: AggregatorSettings, logger: Logger) {
    this.#logger = logger;
    if ((certificate === undefined) !== (key === undefined))
      throw new Error('--proxy-client-cert-file and --proxy-client-key-file must be given together');
    if (certificate === undefined) return;
    this.#files = [resolve(certificate), resolve(key!)];
    this.#seen = this.#identity();
    this.#pair = readPair(this.#files);
  }

  get pair(): ClientPair {
    return this.#pair;
  }

  /** @param changed is called when there is another certificate */
  start(changed: () => void): void {
    if (!this.#files) return;
    this.#stopLooking = every(lookMillis, () => this.#look(changed));
  }

  stop(): void {
    this.#stopLooking();
  }

  #look(changed: () => void): void {
    const seen = this.#identity();
    if (seen === this.#seen) return;
    this.#seen = seen;
    try {
      this.#pair = readPair(this.#files!);
    } catch (error) {
      // Files are replaced one after the other: the next look finds both.
      return this.#logger.warn({err: error}, 'the proxy client certificate cannot be used; the previous one remains in use');
    }
    this.#logger.info({}, 'the proxy client certificate has been replaced');
    changed();
  }

  #identity(): string {
    return this.#files!.map((file) => {
      const found = statSync(file, {throwIfNoEntry: false});
      return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : '';
    }).join();
  }
}

function readPair([certificateFile, keyFile]: readonly [string, string]): ClientPair {
  const read = <T>(flag: string, file: string, parse: (pem: string) => T): [string, T] => {
    try {
      const pem = readFileSync(file, 'utf8');
      return [pem, parse(pem)];
    } catch (error) {
      throw new Error(`${flag}: ${file} cannot be used: ${(error as Error).message}`, {cause: error});
    }
  };
  const [certificate, parsed] = read('--proxy-client-cert-file', certificateFile, (pem) => new X509Certificate(pem));
  const [key, privateKey] = read('--proxy-client-key-file', keyFile, createPrivateKey);
  if (!parsed.checkPrivateKey(privateKey))
    throw new Error(`--proxy-client-key-file: ${keyFile} is not the key of the certificate in ${certificateFile}`);
  return {certificate, key};
}
