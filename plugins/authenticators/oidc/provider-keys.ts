import type {CryptoKey, FlattenedJWSInput, JSONWebKeySet, JWSHeaderParameters} from 'jose';
import {placeOf, type HttpsClient} from '../../../sdk/https/index.js';
import type {JwtSettings} from './jwt-settings.js';

/** Limits of a request to the provider. */
const timeoutMillis = 10_000;
const maximumBytes = 1024 * 1024;
/** Every token that names none of them is held against all. */
const maximumKeys = 1000;
/** Characters of what a provider says that are quoted in an error. */
const quoted = 200;
/** Minimum milliseconds between requests to the provider, also after a failure. */
const pauseMillis = 10_000;

type ProviderSettings = Pick<JwtSettings, 'issuer' | 'discoveryUrl' | 'ca'>;
type KeyFinder = (header?: JWSHeaderParameters, token?: FlattenedJWSInput) => Promise<CryptoKey>;

/**
 * The provider's signing keys, located through its discovery document. They are fetched periodically, and when a token needs an unknown
 * key; tokens are verified without the provider. Keys that it no longer publishes are not trusted after the next fetch.
 */
export class ProviderKeys {
  #known: KeyFinder | undefined;
  #fetching: Promise<void> | undefined;
  #nextFetch = 0;
  #failure: unknown;
  #timer: NodeJS.Timeout | undefined;

  #generation = 0;
  #text = '';

  readonly #client: HttpsClient;
  readonly #settings: ProviderSettings;

  readonly #fetched: (keySet: string) => void;

  /**
   * @param client is closed by its owner
   * @param fetched called with the text of each key set that was fetched
   */
  constructor(settings: ProviderSettings, client: HttpsClient, fetched: (keySet: string) => void = () => undefined) {
    this.#settings = settings;
    this.#client = client;
    this.#fetched = fetched;
  }

  /** Changes with the keys: earlier verifications must then be repeated. */
  get generation(): number {
    return this.#generation;
  }

  /** The key that signed a token. Rejects if there is none or the provider cannot be reached. */
  readonly find = async (header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> => {
    const {errors} = await import('jose');
    if (this.#known) {
      try {
        return await this.#known(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      }
    }
    await this.#refresh();
    if (!this.#known) throw this.#failure;
    return this.#known(header, token);
  };

  /** Fetches the keys now and then periodically, until `close`. @param onFailure called for every failed fetch */
  keepFresh(periodMillis: number, onFailure: (error: unknown) => void): void {
    const fetch = () => void this.#fetchOnce().catch(onFailure);
    fetch();
    this.#timer = setInterval(fetch, periodMillis).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Fetches the keys unless that was tried a moment ago. Rejects with the error while no keys are known. */
  async #refresh(): Promise<void> {
    if (!this.#fetching && Date.now() < this.#nextFetch) return;
    try {
      await this.#fetchOnce();
    } catch (error) {
      if (!this.#known) throw error;
    }
  }

  /** Concurrent callers share a fetch. */
  #fetchOnce(): Promise<void> {
    return (this.#fetching ??= this.#fetch()
      .catch((error: unknown) => {
        this.#failure = error;
        throw error;
      })
      .finally(() => {
        this.#fetching = undefined;
        this.#nextFetch = Date.now() + pauseMillis;
      }));
  }

  async #fetch(): Promise<void> {
    const {issuer, discoveryUrl} = this.#settings;
    const configuration = (await this.#get(discoveryUrl ?? `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)) as {
      issuer?: unknown;
      jwks_uri?: unknown;
    };
    if (configuration.issuer !== issuer)
      throw new Error(`the provider calls itself ${shown(configuration.issuer)}, not ${JSON.stringify(issuer)}`);
    if (typeof configuration.jwks_uri !== 'string') throw new Error('the discovery document of the provider names no keys');
    const keys = (await this.#get(configuration.jwks_uri)) as JSONWebKeySet;
    if (Array.isArray(keys.keys) && keys.keys.length > maximumKeys) throw new Error(`the provider has more than ${maximumKeys} keys`);
    const {createLocalJWKSet} = await import('jose');
    const text = JSON.stringify(keys);
    this.#fetched(text);
    if (text === this.#text) return;
    this.#known = createLocalJWKSet(keys) as KeyFinder;
    this.#text = text;
    this.#generation += 1;
  }

  /** Rejects with the URL and the problem. */
  async #get(url: string): Promise<unknown> {
    if (!URL.canParse(url) || new URL(url).protocol !== 'https:') throw new Error(`${shown(url)} is not an https URL`);
    try {
      return await this.#client.send({
        tls: {caBundle: this.#settings.ca?.join('\n')},
        ...placeOf(url),
        headers: {host: new URL(url).host},
        maximumBytes,
        signal: AbortSignal.timeout(timeoutMillis),
      });
    } catch (error) {
      throw new Error(`${url.slice(0, quoted)}: ${(error as Error).message}`, {cause: error});
    }
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, quoted)) : typeof value;
}
