import type {FeatureGates} from '../../../sdk/contracts/feature-gates.js';
import {problem, type KernelProblem} from '../kernel-error.js';
import {nameHint} from '../nearest-name.js';
import type {NamedContribution} from './named-contributions.js';

/** Stands for the controllers without an account: those of Kubernetes' apiserver, beside which its controller manager does the rest. */
export const withoutAccountWord = 'apiserver';

/**
 * Names of the controllers that run, in Kubernetes' syntax: the first entry that names a controller (`NAME` or `-NAME`) decides;
 * otherwise `*` runs those that are on by default or in one of the `sets`, and `apiserver` those of them without an account; without these nothing else runs, which `-*` alone says
 * too. Those whose feature gate is off do not run, however they are named.
 */
export function selectControllers(
  known: ReadonlyMap<string, NamedContribution>,
  list: readonly string[],
  sets: readonly string[],
  path: string,
  gates: FeatureGates,
  problems: KernelProblem[],
): Set<string> {
  const byAnyName = new Map([...known.values()].flatMap((each) => [each.name, ...each.aliases].map((name) => [name, each] as const)));
  for (const entry of list) {
    const name = entry.replace(/^-/, '');
    if (name === '*' || entry === withoutAccountWord) continue;
    const found = byAnyName.get(name);
    if (found === undefined) problems.push(problem('UNKNOWN_CONTROLLER', {name, hint: nameHint(name, byAnyName.keys())}, {path}));
    else if (!found.pluginEnabled && entry === name) {
      problems.push(problem('PLUGIN_DISABLED', {what: `the controller ${name}`, plugin: found.plugin}, {path}));
    }
  }
  const all = list.includes('*');
  const accountless = list.includes(withoutAccountWord);
  const runs = ({name, aliases, pluginEnabled, enabledByDefault, isAccountless, featureGate, set = ''}: NamedContribution): boolean => {
    if (!pluginEnabled || (featureGate !== undefined && !gates.enabled(featureGate))) return false;
    const names = [name, ...aliases];
    const decision = list.find((entry) => names.includes(entry.replace(/^-/, '')));
    if (decision !== undefined) return !decision.startsWith('-');
    return (enabledByDefault || sets.includes(set)) && (all || (accountless && isAccountless));
  };
  return new Set([...known.values()].filter(runs).map((entry) => entry.name));
}
