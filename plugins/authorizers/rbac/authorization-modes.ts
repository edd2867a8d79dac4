import {
  authorizer,
  inject,
  Tokens,
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  type DeclaredAccount,
  type FeatureGates,
  type Logger,
  type NamingProfile,
  type ResourceClient,
  type UserInfo,
  type UserRules,
} from '../../../sdk/index.js';
import {everyRule, noRule} from '../../families/rbac/user-rules.js';
import {allow, noOpinion, type Mode} from './modes/mode.js';
import {RbacMode} from './modes/rbac-mode.js';

const nothing: AuthorizationDecision = Object.freeze({decision: 'no-opinion', reason: 'Everything is forbidden.'});

const alwaysAllow: Mode = {authorize: () => allow, rulesFor: () => everyRule};
const alwaysDeny: Mode = {authorize: () => nothing, rulesFor: () => noRule};

/** Settings with a meaning in one mode only. */
const settingsOfModes = [
  {setting: 'authorizationPolicyFile', flag: 'authorization-policy-file', mode: 'ABAC'},
  {setting: 'authorizationWebhookConfigFile', flag: 'authorization-webhook-config-file', mode: 'Webhook'},
] as const;

/**
 * The authorizers named by `--authorization-mode`, in that order. The first one that allows or denies decides
 * (docs/semantics/access.md#permissions).
 */
@authorizer({order: 500})
export class AuthorizationModes implements Authorizer {
  readonly #config: Readonly<Record<string, unknown>>;
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;
  readonly #gates: FeatureGates;
  readonly #accounts: readonly DeclaredAccount[];
  readonly #logger: Logger;
  #modes: readonly Mode[] = [];

  /** @throws Error with a one-sentence message for settings that do not match the modes */
  constructor(
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.DeclaredAccounts) accounts: readonly DeclaredAccount[],
    @inject(Tokens.Logger) logger: Logger,
  ) {
    this.#config = config;
    this.#accounts = accounts;
    this.#resources = resources;
    this.#naming = naming;
    this.#gates = gates;
    this.#logger = logger;
    const names = config['authorizationMode'] as readonly string[];
    for (const {setting, flag, mode} of settingsOfModes) {
      const given = config[setting] !== undefined;
      if (given && !names.includes(mode)) throw new Error(`--${flag} has no effect without the authorization mode ${mode}`);
      if (!given && names.includes(mode)) throw new Error(`the authorization mode ${mode} needs --${flag}`);
    }
  }

  authorize(attributes: AuthorizationAttributes): AuthorizationDecision | Promise<AuthorizationDecision> {
    let reasons: string[] | undefined;
    for (const [position, mode] of this.#modes.entries()) {
      const answer = mode.authorize(attributes);
      if (answer instanceof Promise) return this.#continue(attributes, answer, position, reasons ?? []);
      if (answer.decision !== 'no-opinion') return answer;
      if (answer.reason) (reasons ??= []).push(answer.reason);
    }
    return reasons ? {decision: 'no-opinion', reason: reasons.join(', ')} : noOpinion;
  }

  rulesFor(user: UserInfo, namespace: string): UserRules {
    const all = this.#modes.map((mode) => mode.rulesFor(user, namespace));
    if (all.length === 1) return all[0]!;
    const every = all.find((rules) => rules === everyRule);
    if (every) return every;
    const errors = all.flatMap(({error}) => (error ? [error] : []));
    return {
      resourceRules: all.flatMap(({resourceRules}) => resourceRules),
      nonResourceRules: all.flatMap(({nonResourceRules}) => nonResourceRules),
      incomplete: all.some(({incomplete}) => incomplete),
      ...(errors.length > 0 ? {error: errors.join(', ')} : {}),
    };
  }

  /** Rejects with a one-sentence message if a mode cannot work. Nothing is allowed before it resolves. */
  async start(signal: AbortSignal): Promise<void> {
    const modes = await Promise.all((this.#config['authorizationMode'] as readonly string[]).map((name) => this.#make(name)));
    this.#modes = modes;
    await Promise.all(modes.map(async (mode) => mode.start?.(signal)));
  }

  async bootstrap(): Promise<void> {
    await Promise.all(this.#modes.map(async (mode) => mode.bootstrap?.()));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#modes.map(async (mode) => mode.stop?.()));
  }

  async #continue(
    attributes: AuthorizationAttributes,
    pending: Promise<AuthorizationDecision>,
    position: number,
    reasons: string[],
  ): Promise<AuthorizationDecision> {
    for (let index = position; index < this.#modes.length; index += 1) {
      const answer = await (index === position ? pending : this.#modes[index]!.authorize(attributes));
      if (answer.decision !== 'no-opinion') return answer;
      if (answer.reason) reasons.push(answer.reason);
    }
    return reasons.length > 0 ? {decision: 'no-opinion', reason: reasons.join(', ')} : noOpinion;
  }

  /** Modes are loaded only if named, because most servers have one. */
  async #make(name: string): Promise<Mode> {
    switch (name) {
      case 'RBAC':
        return new RbacMode({
          resources: this.#resources,
          naming: this.#naming,
          gates: this.#gates,
          accounts: this.#accounts,
          logger: this.#logger,
        });
      case 'ABAC': {
        const {AbacMode} = await import('./modes/abac/abac-mode.js');
        return new AbacMode(this.#config['authorizationPolicyFile'] as string, this.#naming);
      }
      case 'Node': {
        const {NodeMode} = await import('./modes/node/node-mode.js');
        return new NodeMode(this.#resources, this.#naming, this.#logger);
      }
      case 'Webhook': {
        const {WebhookMode} = await import('./modes/webhook/webhook-mode.js');
        const options = {
          configFile: this.#config['authorizationWebhookConfigFile'] as string,
          version: this.#config['authorizationWebhookVersion'] as 'v1' | 'v1beta1',
          authorizedTtl: this.#config['authorizationWebhookCacheAuthorizedTtl'] as string,
          unauthorizedTtl: this.#config['authorizationWebhookCacheUnauthorizedTtl'] as string,
          reviewsInFlight: this.#config['reviewsInFlight'] as number,
        };
        return new WebhookMode(options, this.#naming, this.#logger);
      }
      case 'AlwaysAllow':
        return alwaysAllow;
      default:
        return alwaysDeny;
    }
  }
}
