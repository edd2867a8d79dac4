import {readFile} from 'node:fs/promises';
import type {Credentials, CredentialSource} from '../connection.js';

/** Files are read again after this time, because other programs renew the tokens in them. */
const freshMillis = 60_000;

/** A bearer token from a file, read again every minute and when the server rejects it. */
export class TokenFile implements CredentialSource {
  #current: Credentials | undefined;
  #readAt = 0;
  #reading: Promise<Credentials> | undefined;
  readonly #path: string;
  readonly #others: Credentials;

  /** @param others credentials used with the token: a client certificate */
  constructor(path: string, others: Credentials = {}) {
    this.#path = path;
    this.#others = others;
  }

  get(): Credentials | Promise<Credentials> {
    if (this.#current && performance.now() - this.#readAt < freshMillis) return this.#current;
    return (this.#reading ??= this.#read().finally(() => (this.#reading = undefined)));
  }

  rejected(used: Credentials): boolean {
    if (used === this.#current) this.#current = undefined;
    return true;
  }

  async #read(): Promise<Credentials> {
    const text = await readFile(this.#path, 'utf8').catch((error: unknown) => {
      throw new Error(`cannot read the token file: ${(error as Error).message}`, {cause: error});
    });
    const token = text.trim();
    if (token === '') throw new Error(`the token file ${this.#path} is empty`);
    this.#current = {...this.#others, token};
    this.#readAt = performance.now();
    return this.#current;
  }
}
