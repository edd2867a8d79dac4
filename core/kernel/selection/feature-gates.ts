import type {FeatureGates} from '../../../sdk/contracts/feature-gates.js';
import {problem, type KernelProblem} from '../kernel-error.js';
import type {FoundPlugin} from '../manifests/read-manifest.js';
import {nameHint} from '../nearest-name.js';
import type {PlatformGate} from './selection-options.js';

/** The operator's settings of feature gates; later entries override earlier ones. */
export interface GateSetting {
  readonly values: ReadonlyMap<string, boolean>;
  /** Option or configuration member, for messages. */
  readonly path: string;
}

/** Gates that stand for all of a stage which are not set themselves. */
export const stageGates: ReadonlyMap<string, 'alpha' | 'beta'> = new Map([
  ['AllAlpha', 'alpha'],
  ['AllBeta', 'beta'],
]);

/**
 * Resolves every feature gate: the operator's setting, else that of its stage (`AllAlpha`, `AllBeta`), else the platform's, else the manifest's.
 * The operator can set those of manifests that the platform does not have, and those of the platform that are neither locked nor unknown.
 */
export function resolveFeatureGates(
  plugins: readonly FoundPlugin[],
  platform: ReadonlyMap<string, PlatformGate> = new Map(),
  settings: readonly GateSetting[],
  problems: KernelProblem[],
): FeatureGates {
  const gates = new Map<string, boolean>([...stageGates.keys()].map((name) => [name, false]));
  const stages = new Map<string, string | undefined>();
  for (const {manifest} of plugins) {
    for (const [name, declaration] of Object.entries(manifest.featureGates ?? {})) {
      gates.set(name, declaration.default);
      stages.set(name, declaration.stage);
    }
  }
  const declared = new Set(gates.keys());
  for (const [name, {enabled, setting, stage}] of platform) {
    if (stage === 'gone') declared.delete(name);
    if (setting === 'unknown' && declared.has(name)) continue;
    gates.set(name, enabled);
    stages.set(name, setting === 'free' ? stage : undefined);
  }
  const isKnown = (name: string) => declared.has(name) || (platform.get(name)?.setting ?? 'unknown') !== 'unknown';
  for (const [stageGate, stage] of stageGates) {
    const value = settings.findLast(({values}) => values.has(stageGate))?.values.get(stageGate);
    if (value !== undefined) for (const [name, own] of stages) if (own === stage) gates.set(name, value);
  }
  for (const {values, path} of settings) {
    for (const [name, value] of values) {
      if (!isKnown(name)) {
        const hint = nameHint(
          name,
          [...gates.keys()].filter((one) => isKnown(one) && !stageGates.has(one)),
        );
        problems.push(problem('UNKNOWN_FEATURE_GATE', {name, hint}, {path}));
      } else if (platform.get(name)?.setting === 'locked' && value !== gates.get(name)) {
        problems.push(problem('FEATURE_GATE_LOCKED', {name, value: String(value), locked: String(!value)}, {path}));
      } else {
        gates.set(name, value);
      }
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
