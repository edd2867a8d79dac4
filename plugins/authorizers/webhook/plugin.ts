import {resolve} from 'node:path';
import {
  authorizer,
  durationMillis,
  inject,
  Tokens,
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  type AuthorizerFactory,
  type ConfiguredAuthorizer,
  type Expressions,
  type FeatureGates,
  type FieldError,
  type FieldPath,
  type JsonObject,
  type Logger,
  type Metrics,
  type NamingProfile,
  type UserRules,
} from '../../../sdk/index.js';
import {unknownRules} from '../../families/authorization/answers.js';
import {conditionScope, MatchConditions} from './match-conditions.js';
import {RemoteDecisions} from './remote-decisions.js';
import {WebhookFigures} from './webhook-figures.js';
import {webhookFaults, webhookSettings, type WebhookSettings} from './webhook-settings.js';

/** The settings of the plugin. */
interface Settings {
  /** The client configuration file for the service. */
  readonly configFile?: string;
  readonly version: 'v1' | 'v1beta1';
  /** Durations such as `5m`. */
  readonly cacheAuthorizedTtl: string;
  readonly cacheUnauthorizedTtl: string;
  /** Maximum concurrent requests to a service. */
  readonly reviewsInFlight: number;
}

/** The name of the service that flags name. */
const nameOfFlags = 'default';
const timeoutMillis = 30_000;
const rules = unknownRules('webhook');

/**
 * Asks a remote service with SubjectAccessReviews (docs/semantics/access.md#permissions): the one of the `--authorization-webhook-*` flags, or those that
 * `--authorization-config` names.
 */
@authorizer()
export class WebhookAuthorizer implements Authorizer, AuthorizerFactory {
  readonly #settings: Settings;
  readonly #naming: NamingProfile;
  readonly #expressions: Expressions;
  readonly #gates: FeatureGates;
  readonly #figures: WebhookFigures;
  readonly #logger: Logger;
  readonly #lifetimes: Pick<WebhookSettings, 'authorizedMillis' | 'unauthorizedMillis'>;
  /** Whether a file says which services are asked. */
  #isFactory = false;
  #own: RemoteDecisions | undefined;

  /** @throws Error with a one-sentence message for settings that cannot work */
  constructor(
    @inject(Tokens.Config) settings: Settings,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Expressions) expressions: Expressions,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Logger) logger: Logger,
  ) {
    this.#settings = settings;
    this.#naming = naming;
    this.#expressions = expressions;
    this.#gates = gates;
    this.#figures = new WebhookFigures(metrics);
    this.#logger = logger;
    this.#lifetimes = {
      authorizedMillis: duration('authorization-webhook-cache-authorized-ttl', settings.cacheAuthorizedTtl),
      unauthorizedMillis: duration('authorization-webhook-cache-unauthorized-ttl', settings.cacheUnauthorizedTtl),
    };
  }

  get factory(): AuthorizerFactory {
    this.#isFactory = true;
    return this;
  }

  async start(): Promise<void> {
    const {configFile, version} = this.#settings;
    if (this.#isFactory) return;
    if (configFile === undefined) throw new Error('the authorization mode Webhook needs --authorization-webhook-config-file');
    const settings = {
      ...this.#lifetimes,
      file: resolve(configFile),
      version,
      timeoutMillis,
      onError: 'no-opinion',
      matchConditions: [],
    } as const;
    this.#own = await this.#open(nameOfFlags, settings, undefined);
  }

  async stop(): Promise<void> {
    this.#own?.close();
  }

  authorize(attributes: AuthorizationAttributes): AuthorizationDecision | Promise<AuthorizationDecision> {
    return this.#own?.authorize(attributes) ?? {decision: 'no-opinion', error: 'Webhook: the remote service is not known yet'};
  }

  rulesFor(): UserRules {
    return rules;
  }

  async faults(settings: JsonObject, path: FieldPath): Promise<readonly FieldError[]> {
    return webhookFaults(settings, path, await conditionScope(this.#expressions, this.#gates));
  }

  async make(name: string, settings: JsonObject): Promise<ConfiguredAuthorizer> {
    const read = webhookSettings(settings);
    const {matchConditions: texts} = read;
    const conditions = texts.length > 0 ? new MatchConditions(await conditionScope(this.#expressions, this.#gates), texts) : undefined;
    return this.#open(name, read, conditions);
  }

  #open(name: string, settings: WebhookSettings, conditions: MatchConditions | undefined): Promise<RemoteDecisions> {
    return RemoteDecisions.open(settings, {
      name,
      apiVersion: `${this.#naming.group('authorization.orch')}/${settings.version}`,
      conditions,
      figures: this.#figures,
      inFlight: this.#settings.reviewsInFlight,
      logger: this.#logger,
    });
  }
}

function duration(flag: string, text: string): number {
  const millis = durationMillis(text);
  if (millis === undefined) throw new Error(`--${flag} must be a duration such as 5m, not ${JSON.stringify(text)}`);
  return millis;
}
