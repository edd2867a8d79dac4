import {
  FieldPath,
  inject,
  injectable,
  invalid,
  Tokens,
  type ApiObject,
  type FeatureGates,
  type FieldError,
  type NamingProfile,
  type StrategyContext,
} from '../../../sdk/index.js';

/** What names of webhook configurations, policies and bindings from files end with, and no others may. */
export function staticSuffix(naming: NamingProfile): string {
  return `.${naming.group('static.orch')}`;
}

/** Keeps names of what comes from files from objects of the API (gate `ManifestBasedAdmissionControlConfig`). */
@injectable()
export class StaticNames {
  readonly #suffix: string;
  readonly #areReserved: boolean;
  readonly #areWarnedOf: boolean;

  constructor(@inject(Tokens.Naming) naming: NamingProfile, @inject(Tokens.FeatureGates) gates: FeatureGates) {
    this.#suffix = staticSuffix(naming);
    this.#areReserved = gates.enabled('ManifestBasedAdmissionControlConfig');
    this.#areWarnedOf = gates.enabled('ReservedStaticNames');
  }

  /** Of a new object. What comes from a file is only validated, and has such a name. */
  faults({metadata}: ApiObject, context: StrategyContext): FieldError[] {
    if (!this.#isStatic(metadata.name) || context.verb === 'validate') return [];
    if (this.#areReserved) return [invalid(FieldPath.of('metadata', 'name'), metadata.name, this.#text)];
    this.warn({metadata} as ApiObject, context);
    return [];
  }

  /** Of an object that is there: the name was taken before. */
  warn({metadata}: ApiObject, context: StrategyContext): void {
    if (this.#areWarnedOf && this.#isStatic(metadata.name)) context.warn(`metadata.name: ${this.#text}`);
  }

  get #text(): string {
    return `names ending with ${JSON.stringify(this.#suffix)} are reserved for static manifest-based configurations and cannot be managed via the API`;
  }

  #isStatic(name: string | undefined): boolean {
    return name?.endsWith(this.#suffix) === true;
  }
}
