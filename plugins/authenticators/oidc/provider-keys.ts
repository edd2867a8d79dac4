import type {CryptoKey, FlattenedJWSInput, JSONWebKeySet, JWSHeaderParameters} from 'jose';
import {HttpsClient, placeOf} from '../../../sdk/https/index.js';
import type {OidcSettings} from './oidc-settings.js';

/** Limits of a request to the provider. */
const timeoutMillis = 10_000;
const maximumBytes = 1024 * 1024;
/** The provider is not asked again for keys, or after a failure, within this time. */
const pauseMillis = 10_000;

type KeyFinder = (header?: JWSHeaderParameters, token?: FlattenedJWSInput) => Promise<CryptoKey>;

/**
 * The provider's signing keys, found by its discovery document. They are fetched from time to time and when a token needs one that is not
 * known; tokens are checked without the provider. Those that it does not publish any more are not trusted from the next fetch on.
 */
export class ProviderKeys {
  #known: KeyFinder | undefined;
  #fetching: Promise<void> | undefined;
  #nextFetch = 0;
  #failure: unknown;
  #timer: NodeJS.Timeout | undefined;

  readonly #client = new HttpsClient();
  readonly #settings: Pick<OidcSettings, 'issuer' | 'ca'>;

  constructor(settings: Pick<OidcSettings, 'issuer' | 'ca'>) {
    this.#settings = settings;
  }

  /** The key that a token is signed with. Rejects when there is none or the provider cannot be asked. */
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

  /** Fetches the keys now and then again and again, until `close`. @param onFailure told of every fetch that fails */
  keepFresh(periodMillis: number, onFailure: (error: unknown) => void): void {
    const fetch = () => void this.#fetchOnce().catch(onFailure);
    fetch();
    this.#timer = setInterval(fetch, periodMillis).unref();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#client.close();
  }

  /** Fetches the keys, unless that was just tried. Rejects with what is in the way while no keys are known. */
  async #refresh(): Promise<void> {
    if (!this.#fetching && Date.now() < this.#nextFetch) return;
    try {
      await this.#fetchOnce();
    } catch (error) {
      if (!this.#known) throw error;
    }
  }

  /** All who ask while a fetch is under way share it. */
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
    const {issuer} = this.#settings;
    const configuration = (await this.#get(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)) as {
      issuer?: unknown;
      jwks_uri?: unknown;
    };
    if (configuration.issuer !== issuer)
      throw new Error(`the provider calls itself ${JSON.stringify(configuration.issuer)}, not ${JSON.stringify(issuer)}`);
    if (typeof configuration.jwks_uri !== 'string') throw new Error('the discovery document of the provider names no keys');
    const keys = (await this.#get(configuration.jwks_uri)) as JSONWebKeySet;
    const {createLocalJWKSet} = await import('jose');
    this.#known = createLocalJWKSet(keys) as KeyFinder;
  }

  /** Rejects with the URL and what is wrong. */
  async #get(url: string): Promise<unknown> {
    if (!URL.canParse(url) || new URL(url).protocol !== 'https:') throw new Error(`${JSON.stringify(url)} is not an https URL`);
    try {
      return await this.#client.send({
        tls: {caBundle: this.#settings.ca?.join('\n')},
        ...placeOf(url),
        headers: {host: new URL(url).host},
        maximumBytes,
        signal: AbortSignal.timeout(timeoutMillis),
      });
    } catch (error) {
      throw new Error(`${url}: ${(error as Error).message}`, {cause: error});
    }
  }
}
