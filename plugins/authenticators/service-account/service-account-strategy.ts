import {
  inject,
  strategy,
  Tokens,
  type FeatureGates,
  type NamingProfile,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import type {ServiceAccount} from '../../../sdk/types/unchecked/core/v1.js';

/** ServiceAccount: an identity for programs. Only the names of the secrets it lists have a meaning. */
@strategy()
export class ServiceAccountStrategy implements ResourceStrategy<ServiceAccount> {
  /** The annotation that keeps pods of an account from all secrets but its own. */
  readonly #enforces: string;
  readonly #isDeprecated: boolean;

  constructor(@inject(Tokens.Naming) naming: NamingProfile, @inject(Tokens.FeatureGates) gates: FeatureGates) {
    this.#enforces = naming.key('orch/enforce-mountable-secrets');
    this.#isDeprecated = gates.enabled('MountableSecretsDeprecated');
  }

  prepareForCreate(object: ServiceAccount, context: StrategyContext): void {
    this.#prepare(object, undefined, context);
  }

  prepareForUpdate(object: ServiceAccount, old: ServiceAccount, context: StrategyContext): void {
    this.#prepare(object, old, context);
  }

  #prepare(object: ServiceAccount, old: ServiceAccount | undefined, {warn}: StrategyContext): void {
    keepNames(object);
    if (!this.#isDeprecated || object.metadata.annotations?.[this.#enforces] === undefined) return;
    if (old?.metadata.annotations?.[this.#enforces] !== undefined) return;
    const advice = 'prefer separate namespaces to isolate access to mounted secrets';
    warn(`metadata.annotations[${this.#enforces}]: deprecated in v1.32+; ${advice}`);
  }

  tableCells({secrets}: ServiceAccount): Record<string, string | number> {
    return {Secrets: secrets?.length ?? 0};
  }
}

function keepNames(object: ServiceAccount): void {
  if (object.secrets) object.secrets = object.secrets.map(({name}) => (name === undefined ? {} : {name}));
}
