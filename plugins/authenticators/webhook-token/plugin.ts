import {createHash} from 'node:crypto';
import {resolve} from 'node:path';
import {
  authenticator,
  durationMillis,
  inject,
  StatusError,
  Tokens,
  tooManyRequests,
  unauthorized,
  type AuthenticatedUser,
  type AuthenticationRequest,
  type Authenticator,
  type Logger,
  type NamingProfile,
} from '../../../sdk/index.js';
import {bearerToken} from '../../../sdk/authentication/index.js';
import {RemoteReviewer} from '../../families/remote-service/remote-reviewer.js';
import {readAnswer, type Verdict} from './review-answer.js';

/** Minimum milliseconds between log entries about rejected tokens. */
const quietMillis = 10_000;
/** Maximum cached verdicts; the oldest are evicted. */
const rememberedVerdicts = 10_000;
/** Longest verdict that is cached, in characters of its JSON: that of a user with hundreds of groups. */
const longestRemembered = 16 * 1024;

/**
 * Asks a remote service about bearer tokens (docs/semantics/access.md#token-webhook), after all authenticators of this server. Its verdicts
 * are cached for a while. If the service fails, nobody is authenticated: the response is 401. If too many of its responses are outstanding,
 * further tokens are rejected with 429; cached verdicts still apply.
 */
@authenticator({order: 600})
export class WebhookToken implements Authenticator {
  readonly #version: string;
  readonly #apiVersion: string;
  readonly #verdicts = new Map<string, {readonly verdict: Promise<Verdict>; readonly until: number}>();
  readonly #reviewsInFlight: number;
  #underWay = 0;
  #quietUntil = 0;
  #lifetime = 0;
  #reviewer: RemoteReviewer | undefined;
  readonly #config: Readonly<Record<string, unknown>>;
  readonly #logger: Logger;

  constructor(
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
  ) {
    this.#config = config;
    this.#logger = logger;
    this.#version = config['version'] as string;
    this.#apiVersion = `${naming.group('authentication.orch')}/${this.#version}`;
    this.#reviewsInFlight = config['reviewsInFlight'] as number;
  }

  /** Rejects with a one-sentence message if the configuration file or the cache time is invalid. */
  async start(): Promise<void> {
    const file = this.#config['configFile'] as string | undefined;
    if (file === undefined) return;
    const lifetime = durationMillis(this.#config['cacheTtl'] as string);
    if (lifetime === undefined)
      throw new Error(
        `--authentication-token-webhook-cache-ttl must be a duration such as 2m, not ${JSON.stringify(this.#config['cacheTtl'])}`,
      );
    this.#lifetime = lifetime;
    this.#reviewer = await RemoteReviewer.open(resolve(file), this.#reviewsInFlight);
  }

  async stop(): Promise<void> {
    this.#reviewer?.close();
  }

  authenticate(request: AuthenticationRequest): AuthenticatedUser | undefined | Promise<AuthenticatedUser | undefined> {
    if (!this.#reviewer) return undefined;
    const token = bearerToken(request);
    return token === undefined ? undefined : this.#identify(token, request.audiences, this.#reviewer);
  }

  async #identify(token: string, audiences: readonly string[], reviewer: RemoteReviewer): Promise<AuthenticatedUser> {
    let verdict: Verdict;
    try {
      verdict = await this.#verdict(token, audiences, reviewer);
    } catch (error) {
      if (StatusError.is(error)) throw error;
      throw unauthorized(undefined, {cause: error});
    }
    if ('user' in verdict) return verdict.user;
    throw unauthorized(verdict.refused);
  }

  /** Concurrent requests with one token for the same audiences share a call. Failures of the service are not cached. */
  #verdict(token: string, audiences: readonly string[], reviewer: RemoteReviewer): Promise<Verdict> {
    const key = createHash('sha256')
      .update(JSON.stringify([token, ...audiences]))
      .digest('base64');
    const now = performance.now();
    const known = this.#verdicts.get(key);
    if (known && known.until > now) return known.verdict;
    if (this.#underWay >= this.#reviewsInFlight) {
      this.#logLimit(now);
      return Promise.reject(tooManyRequests('too many tokens are being reviewed, please try again later', 1));
    }
    const verdict = this.#ask(token, audiences, reviewer);
    const entry = {verdict, until: now + this.#lifetime};
    this.#verdicts.delete(key);
    if (this.#verdicts.size >= rememberedVerdicts) this.#verdicts.delete(this.#verdicts.keys().next().value!);
    this.#verdicts.set(key, entry);
    const forget = () => {
      if (this.#verdicts.get(key) === entry) this.#verdicts.delete(key);
    };
    verdict.then((found) => JSON.stringify(found).length > longestRemembered && forget(), forget);
    return verdict;
  }

  #logLimit(now: number): void {
    if (now < this.#quietUntil) return;
    this.#quietUntil = now + quietMillis;
    this.#logger.warn(
      {limit: 'reviewsInFlight', underWay: this.#underWay},
      'too many requests to the remote service are outstanding; tokens are rejected',
    );
  }

  async #ask(token: string, audiences: readonly string[], reviewer: RemoteReviewer): Promise<Verdict> {
    const review = {
      apiVersion: this.#apiVersion,
      kind: 'TokenReview',
      metadata: {creationTimestamp: null},
      spec: {token, ...(audiences.length > 0 ? {audiences} : {})},
      status: {user: {}},
    };
    this.#underWay += 1;
    try {
      return readAnswer(await reviewer.post(review), this.#apiVersion, audiences);
    } finally {
      this.#underWay -= 1;
    }
  }
}
