import {createHash} from 'node:crypto';
import type {JWTPayload} from 'jose';
import {unauthorized, type Logger, type UserInfo} from '../../../sdk/index.js';
import {HttpsClient} from '../../../sdk/https/index.js';
import {DistributedClaims} from './distributed-claims.js';
import type {JwtFigures} from './jwt-figures.js';
import type {JwtSettings} from './jwt-settings.js';
import {ProviderKeys} from './provider-keys.js';
import {userOf} from './token-user.js';

/** Users that are remembered by their token; the oldest are forgotten. */
const rememberedTokens = 2000;
/** How long: as in Kubernetes. Distributed claims may change meanwhile. */
const rememberedMillis = 10_000;

interface Known {
  readonly user: Promise<UserInfo>;
  /** Milliseconds since 1970. */
  until: number;
}

/** Authenticates by the tokens of one issuer. */
export class JwtIssuer {
  /** By the hash of the token, so that memory contains no tokens. */
  readonly #known = new Map<string, Known>();
  #generation = 0;
  readonly #client = new HttpsClient();
  readonly #keys: ProviderKeys;
  readonly #distributed: DistributedClaims;
  readonly #settings: JwtSettings;
  readonly #figures: JwtFigures;
  readonly #logger: Logger;

  constructor(settings: JwtSettings, figures: JwtFigures, logger: Logger) {
    this.#settings = settings;
    this.#figures = figures;
    this.#logger = logger;
    this.#keys = new ProviderKeys(settings, this.#client, (keySet) => figures.fetched(settings.issuer, keySet));
    this.#distributed = new DistributedClaims(settings, this.#keys, this.#client, (issuer, error) => this.#logFailure(issuer, error));
  }

  hasSettings(settings: JwtSettings): boolean {
    return textOf(settings) === textOf(this.#settings);
  }

  /** Starts fetching the keys. The issuer need not be available yet. */
  start(): void {
    this.#keys.keepFresh(this.#settings.keyRefreshMillis, (error) => {
      this.#figures.notFetched(this.#settings.issuer);
      this.#logFailure(this.#settings.issuer, error);
    });
  }

  close(): void {
    this.#keys.close();
    this.#distributed.close();
    this.#client.close();
  }

  /** Whom a token of this issuer stands for. Rejects with 401, whose cause is the reason. */
  async identify(token: string): Promise<UserInfo> {
    try {
      return await this.#remembered(token);
    } catch (error) {
      throw unauthorized(undefined, {cause: error});
    }
  }

  /** Concurrent requests with one token share the work. Refusals are not remembered. */
  #remembered(token: string): Promise<UserInfo> {
    if (this.#generation !== this.#keys.generation) {
      this.#known.clear();
      this.#generation = this.#keys.generation;
    }
    const hash = createHash('sha256').update(token).digest('base64');
    const known = this.#known.get(hash);
    if (known && known.until > Date.now()) return known.user;
    this.#known.delete(hash);
    const entry: Known = {user: this.#user(token, (until) => (entry.until = until)), until: Date.now() + rememberedMillis};
    if (this.#known.size >= rememberedTokens) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(hash, entry);
    entry.user.catch(() => {
      if (this.#known.get(hash) === entry) this.#known.delete(hash);
    });
    return entry.user;
  }

  async #user(token: string, remember: (until: number) => void): Promise<UserInfo> {
    const started = performance.now();
    const count = (result: 'success' | 'failure') =>
      this.#figures.authenticated(this.#settings.issuer, result, (performance.now() - started) / 1000);
    try {
      const claims = await this.#verified(token);
      const user = userOf(await this.#distributed.resolve(claims), this.#settings);
      remember(Math.min(Date.now() + rememberedMillis, claims.exp! * 1000));
      count('success');
      return user;
    } catch (error) {
      count('failure');
      throw error;
    }
  }

  async #verified(token: string): Promise<JWTPayload> {
    const {issuer, audiences, algorithms} = this.#settings;
    const {jwtVerify} = await import('jose');
    const {payload} = await jwtVerify(token, this.#keys.find, {
      issuer,
      audience: [...audiences],
      algorithms: [...algorithms],
      requiredClaims: ['exp'],
    });
    return payload;
  }

  #logFailure(issuer: string, error: unknown): void {
    this.#logger.warn(
      {issuer, err: error},
      'the keys of the OpenID Connect provider cannot be fetched; known keys remain in use; retrying',
    );
  }
}

/** Equal for equal settings. Expressions appear with their text. */
function textOf(settings: JwtSettings): string {
  return JSON.stringify({...settings, scopes: undefined});
}
