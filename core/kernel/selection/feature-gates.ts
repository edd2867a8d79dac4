import type {FeatureGates} from '../../../sdk/contracts/feature-gates.js';
import type {NamingProfile} from '../../../sdk/contracts/naming.js';
import {problem, type KernelProblem} from '../kernel-error.js';
import type {FoundPlugin} from '../manifests/read-manifest.js';
import {nameHint} from '../nearest-name.js';

/** The operator's settings of feature gates; later entries override earlier ones. */
export interface GateSetting {
  readonly values: ReadonlyMap<string, boolean>;
  /** Option or configuration member, for messages. */
  readonly path: string;
}

/**
 * Resolves every feature gate: the operator's setting, else the naming profile's, else the manifest's.
 * The known gates are those of all manifests and of the profile.
 */
export function resolveFeatureGates(
  plugins: readonly FoundPlugin[],
  profile: Pick<NamingProfile, 'featureGates'> | undefined,
  settings: readonly GateSetting[],
  problems: KernelProblem[],
): FeatureGates {
  const gates = new Map<string, boolean>();
  for (const {manifest} of plugins) {
    for (const [name, declaration] of Object.entries(manifest.featureGates ?? {})) gates.set(name, declaration.default);
  }
  for (const [name, value] of Object.entries(profile?.featureGates ?? {})) gates.set(name, value);
  for (const {values, path} of settings) {
    for (const [name, value] of values) {
      if (gates.has(name)) gates.set(name, value);
      else problems.push(problem('UNKNOWN_FEATURE_GATE', {name, hint: nameHint(name, gates.keys())}, {path}));
    }
  }
  return new ResolvedFeatureGates(gates);
}

class ResolvedFeatureGates implements FeatureGates {
  readonly #gates: ReadonlyMap<string, boolean>;

  constructor(gates: ReadonlyMap<string, boolean>) {
    this.#gates = gates;
  }

  enabled(name: string): boolean {
    const value = this.#gates.get(name);
    if (value === undefined) throw new Error(`the feature gate ${name} is declared by no manifest and no naming profile`);
    return value;
  }
}
