import {createHash} from 'node:crypto';
import type {
  AuthorizationAttributes,
  AuthorizationDecision,
  ConfiguredAuthorizer,
  JsonObject,
  Logger,
  UserRules,
} from '../../../sdk/index.js';
import {noOpinion, unknownRules} from '../../families/authorization/answers.js';
import {RemoteReviewer} from '../../families/remote-service/remote-reviewer.js';
import type {MatchConditions} from './match-conditions.js';
import {conditionRequest, readAnswer, reviewSpec} from './subject-review.js';
import type {CallResult, WebhookFigures} from './webhook-figures.js';
import type {WebhookSettings} from './webhook-settings.js';

interface Remembered {
  readonly decision: AuthorizationDecision;
  /** In terms of `performance.now`. */
  readonly until: number;
}

/** What one service is asked with. */
export interface RemoteDecisionsOptions {
  /** By which metrics and the log know the service. */
  readonly name: string;
  /** Group and version of the reviews. */
  readonly apiVersion: string;
  readonly conditions: MatchConditions | undefined;
  readonly figures: WebhookFigures;
  /** Maximum concurrent calls. */
  readonly inFlight: number;
  readonly logger: Logger;
}

/** Maximum cached decisions; the oldest are evicted. */
const rememberedDecisions = 8192;
/** Questions with more bytes chosen by the caller are not cached, so that callers cannot fill memory. */
const longestRemembered = 10_000;
/** Minimum milliseconds between log entries about failures of the service. */
const quietMillis = 10_000;
const failedText = 'Webhook: the remote service returned no usable response';
const busyText = 'Webhook: too many reviews are under way';
const rules = unknownRules('webhook');

/**
 * Asks one remote service with SubjectAccessReviews. Equal concurrent questions share a call, and answers are cached for a while. If the service fails, the policy decides: no
 * opinion or a denial, never a permission.
 */
export class RemoteDecisions implements ConfiguredAuthorizer {
  readonly #known = new Map<string, Remembered>();
  readonly #asking = new Map<string, Promise<AuthorizationDecision>>();
  readonly #settings: WebhookSettings;
  readonly #options: RemoteDecisionsOptions;
  readonly #reviewer: RemoteReviewer;
  #underWay = 0;
  #quietUntil = 0;
  #isClosed = false;

  private constructor(settings: WebhookSettings, options: RemoteDecisionsOptions, reviewer: RemoteReviewer) {
    this.#settings = settings;
    this.#options = options;
    this.#reviewer = reviewer;
  }

  /** @throws Error with a one-sentence message if the file of the service cannot be used */
  static async open(settings: WebhookSettings, options: RemoteDecisionsOptions): Promise<RemoteDecisions> {
    return new RemoteDecisions(settings, options, await RemoteReviewer.open(settings.file, options.inFlight));
  }

  /** Calls that are under way are still answered. */
  close(): void {
    this.#isClosed = true;
    if (this.#underWay === 0) this.#reviewer.close();
  }

  authorize(attributes: AuthorizationAttributes): AuthorizationDecision | Promise<AuthorizationDecision> {
    const excluded = this.#excluded(attributes);
    if (excluded) return excluded;
    const spec = reviewSpec(attributes, this.#settings.version === 'v1' ? 'groups' : 'group');
    const text = JSON.stringify(spec);
    const key = createHash('sha256').update(text).digest('base64');
    const known = this.#known.get(key);
    if (known && known.until > performance.now()) return known.decision;
    const asking = this.#asking.get(key);
    if (asking) return asking;
    if (this.#underWay >= this.#options.inFlight) {
      this.#logFailure('too many requests to the authorization service are outstanding; it is not asked');
      return this.#failed(busyText);
    }
    const decision = this.#ask(spec, text.length <= longestRemembered ? key : undefined).finally(() => this.#asking.delete(key));
    this.#asking.set(key, decision);
    return decision;
  }

  rulesFor(): UserRules {
    return rules;
  }

  /** What counts without asking the service, because conditions exclude the request or cannot be evaluated. */
  #excluded(attributes: AuthorizationAttributes): AuthorizationDecision | undefined {
    const {conditions, figures, name} = this.#options;
    if (!conditions || conditions.isEmpty) return undefined;
    const started = performance.now();
    const result = conditions.evaluate(conditionRequest(attributes));
    const outcome = 'error' in result ? 'error' : result.matches ? 'matches' : 'excluded';
    figures.evaluated(name, outcome, (performance.now() - started) / 1000);
    if ('error' in result) return {decision: this.#settings.onError, error: result.error};
    return result.matches ? undefined : noOpinion;
  }

  async #ask(spec: JsonObject, key: string | undefined): Promise<AuthorizationDecision> {
    const {apiVersion, figures, name} = this.#options;
    this.#underWay += 1;
    const started = performance.now();
    let result: CallResult = 'success';
    const limit = AbortSignal.timeout(this.#settings.timeoutMillis);
    try {
      const review = {apiVersion, kind: 'SubjectAccessReview', metadata: {creationTimestamp: null}, spec, status: {allowed: false}};
      const decision = readAnswer(await this.#reviewer.post(review, limit), apiVersion);
      if (key !== undefined) this.#remember(key, decision);
      return decision;
    } catch (error) {
      result = limit.aborted ? 'timeout' : 'error';
      if (this.#settings.onError === 'no-opinion') figures.failedOpen(name, result);
      this.#logFailure('the authorization service returned no usable response', error);
      return this.#failed(failedText);
    } finally {
      figures.called(name, result, (performance.now() - started) / 1000);
      this.#underWay -= 1;
      if (this.#isClosed && this.#underWay === 0) this.#reviewer.close();
    }
  }

  #failed(error: string): AuthorizationDecision {
    return {decision: this.#settings.onError, error};
  }

  #remember(key: string, decision: AuthorizationDecision): void {
    const {authorizedMillis, unauthorizedMillis} = this.#settings;
    const lifetime = decision.decision === 'allow' ? authorizedMillis : unauthorizedMillis;
    if (lifetime <= 0) return;
    this.#known.delete(key);
    if (this.#known.size >= rememberedDecisions) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(key, {decision, until: performance.now() + lifetime});
  }

  #logFailure(message: string, error?: unknown): void {
    const now = performance.now();
    if (now < this.#quietUntil) return;
    this.#quietUntil = now + quietMillis;
    const {name, logger} = this.#options;
    logger.warn(error === undefined ? {webhook: name} : {webhook: name, err: error}, message);
  }
}
