import {createHash} from 'node:crypto';
import {resolve} from 'node:path';
import {
  authorizer,
  durationMillis,
  inject,
  Tokens,
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  type JsonObject,
  type Logger,
  type NamingProfile,
  type UserRules,
} from '../../../sdk/index.js';
import {unknownRules} from '../../families/authorization/answers.js';
import {RemoteReviewer} from '../../families/remote-service/remote-reviewer.js';

/** The settings of the plugin. */
interface Settings {
  /** The client configuration file for the service. */
  readonly configFile?: string;
  readonly version: 'v1' | 'v1beta1';
  /** Durations such as `5m`. */
  readonly cacheAuthorizedTtl: string;
  readonly cacheUnauthorizedTtl: string;
  /** Maximum concurrent requests to the service. */
  readonly reviewsInFlight: number;
}

interface Remembered {
  readonly decision: AuthorizationDecision;
  /** In terms of `performance.now`. */
  readonly until: number;
}

/** Maximum cached decisions; the oldest are evicted. */
const rememberedDecisions = 8192;
/** Questions with more bytes chosen by the caller are not cached, so that callers cannot fill memory. */
const longestRemembered = 10_000;
/** Minimum milliseconds between log entries about failures of the service. */
const quietMillis = 10_000;

const failed: AuthorizationDecision = Object.freeze({
  decision: 'no-opinion',
  reason: 'Webhook: the remote service returned no usable response',
});
const busy: AuthorizationDecision = Object.freeze({decision: 'no-opinion', reason: 'Webhook: too many reviews are under way'});
const rules = unknownRules('webhook');

/**
 * Asks a remote service with SubjectAccessReviews (docs/semantics/access.md#permissions). Equal concurrent questions share a call, and
 * answers are cached for a while. If the service fails, this authorizer has no opinion: it never allows anything then.
 */
@authorizer()
export class WebhookAuthorizer implements Authorizer {
  readonly #apiVersion: string;
  readonly #known = new Map<string, Remembered>();
  readonly #asking = new Map<string, Promise<AuthorizationDecision>>();
  readonly #authorizedMillis: number;
  readonly #unauthorizedMillis: number;
  readonly #settings: Settings;
  readonly #logger: Logger;
  #underWay = 0;
  #quietUntil = 0;
  #reviewer: RemoteReviewer | undefined;

  /** @throws Error with a one-sentence message for settings that cannot work */
  constructor(
    @inject(Tokens.Config) settings: Settings,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
  ) {
    if (settings.configFile === undefined) throw new Error('the authorization mode Webhook needs --authorization-webhook-config-file');
    this.#settings = settings;
    this.#logger = logger;
    this.#apiVersion = `${naming.group('authorization.orch')}/${settings.version}`;
    this.#authorizedMillis = duration('authorization-webhook-cache-authorized-ttl', settings.cacheAuthorizedTtl);
    this.#unauthorizedMillis = duration('authorization-webhook-cache-unauthorized-ttl', settings.cacheUnauthorizedTtl);
  }

  async start(): Promise<void> {
    this.#reviewer = await RemoteReviewer.open(resolve(this.#settings.configFile!), this.#settings.reviewsInFlight);
  }

  async stop(): Promise<void> {
    this.#reviewer?.close();
  }

  authorize(attributes: AuthorizationAttributes): AuthorizationDecision | Promise<AuthorizationDecision> {
    if (!this.#reviewer) return failed;
    const spec = this.#spec(attributes);
    const text = JSON.stringify(spec);
    const key = createHash('sha256').update(text).digest('base64');
    const known = this.#known.get(key);
    if (known && known.until > performance.now()) return known.decision;
    const asking = this.#asking.get(key);
    if (asking) return asking;
    if (this.#underWay >= this.#settings.reviewsInFlight) {
      this.#logFailure('too many requests to the authorization service are outstanding; it is not asked');
      return busy;
    }
    const decision = this.#ask(spec, text.length <= longestRemembered ? key : undefined).finally(() => this.#asking.delete(key));
    this.#asking.set(key, decision);
    return decision;
  }

  rulesFor(): UserRules {
    return rules;
  }

  async #ask(spec: object, key: string | undefined): Promise<AuthorizationDecision> {
    this.#underWay += 1;
    try {
      const review = {
        apiVersion: this.#apiVersion,
        kind: 'SubjectAccessReview',
        metadata: {creationTimestamp: null},
        spec,
        status: {allowed: false},
      };
      const decision = readAnswer(await this.#reviewer!.post(review), this.#apiVersion);
      if (key !== undefined) this.#remember(key, decision);
      return decision;
    } catch (error) {
      this.#logFailure('the authorization service returned no usable response', error);
      return failed;
    } finally {
      this.#underWay -= 1;
    }
  }

  #remember(key: string, decision: AuthorizationDecision): void {
    const lifetime = decision.decision === 'allow' ? this.#authorizedMillis : this.#unauthorizedMillis;
    if (lifetime <= 0) return;
    this.#known.delete(key);
    if (this.#known.size >= rememberedDecisions) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(key, {decision, until: performance.now() + lifetime});
  }

  #spec({user, isResourceRequest, path, verb, namespace, group, version, resource, subresource, name}: AuthorizationAttributes): object {
    const {username, groups, uid, extra} = user;
    return {
      ...(isResourceRequest
        ? {resourceAttributes: filled({namespace, verb, group, version, resource, subresource, name})}
        : {nonResourceAttributes: filled({path, verb})}),
      user: username,
      // The older version uses the singular.
      ...(groups.length > 0 ? {[this.#settings.version === 'v1' ? 'groups' : 'group']: groups} : {}),
      ...(extra && Object.keys(extra).length > 0 ? {extra} : {}),
      ...(uid ? {uid} : {}),
    };
  }

  #logFailure(message: string, error?: unknown): void {
    const now = performance.now();
    if (now < this.#quietUntil) return;
    this.#quietUntil = now + quietMillis;
    this.#logger.warn(error === undefined ? {} : {err: error}, message);
  }
}

/** @throws Error if it does not answer this question */
function readAnswer(body: JsonObject, apiVersion: string): AuthorizationDecision {
  const {apiVersion: given, status} = body as {
    apiVersion?: unknown;
    status?: {allowed?: unknown; denied?: unknown; reason?: unknown} | null;
  };
  if (given !== apiVersion) throw new Error(`the answer is not in the version ${apiVersion}`);
  const {allowed, denied, reason} = status ?? {};
  if (allowed === true && denied === true) throw new Error('the answer both allows and denies');
  const because = typeof reason === 'string' && reason !== '' ? {reason: reason.slice(0, 1000)} : {};
  return {decision: allowed === true ? 'allow' : denied === true ? 'deny' : 'no-opinion', ...because};
}

function filled(attributes: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== ''));
}

function duration(flag: string, text: string): number {
  const millis = durationMillis(text);
  if (millis === undefined) throw new Error(`--${flag} must be a duration such as 5m, not ${JSON.stringify(text)}`);
  return millis;
}
