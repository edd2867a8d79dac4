import type {FeatureGates} from '../../../sdk/contracts/feature-gates.js';
import {problem, type KernelProblem} from '../kernel-error.js';
import {nameHint} from '../nearest-name.js';
import {contradictions} from './contradictions.js';
import type {NamedContribution} from './named-contributions.js';
import type {SelectionOptions} from './selection-options.js';

/**
 * Names of the admission controllers that run: the defaults, changed by the configuration, then by options; without those whose feature gate is
 * off.
 */
export function selectAdmission(
  known: ReadonlyMap<string, NamedContribution>,
  selection: SelectionOptions,
  gates: FeatureGates,
  problems: KernelProblem[],
): Set<string> {
  const {optionName = (name: string) => name} = selection;
  const selected = new Set([...known.values()].filter((entry) => entry.pluginEnabled && entry.enabledByDefault).map((entry) => entry.name));
  const {enable = [], disable = []} = selection.configuration?.admission ?? {};
  apply(enable, disable, 'admission.enable', 'admission.disable');
  apply(
    selection.enableAdmissionPlugins ?? [],
    selection.disableAdmissionPlugins ?? [],
    optionName('enableAdmissionPlugins'),
    optionName('disableAdmissionPlugins'),
  );
  for (const name of selected) {
    const gate = known.get(name)?.featureGate;
    if (gate !== undefined && !gates.enabled(gate)) selected.delete(name);
  }
  return selected;

  function apply(on: readonly string[], off: readonly string[], onOption: string, offOption: string): void {
    problems.push(...contradictions(on, off, `${onOption} and ${offOption}`));
    for (const name of on) {
      const entry = lookUp(name, onOption);
      if (entry === undefined) continue;
      if (entry.pluginEnabled) selected.add(name);
      else problems.push(problem('PLUGIN_DISABLED', {what: `the admission plugin ${name}`, plugin: entry.plugin}, {path: onOption}));
    }
    for (const name of off) {
      if (lookUp(name, offOption) !== undefined) selected.delete(name);
    }
  }

  function lookUp(name: string, path: string): NamedContribution | undefined {
    const entry = known.get(name);
    if (entry === undefined) problems.push(problem('UNKNOWN_ADMISSION_PLUGIN', {name, hint: nameHint(name, known.keys())}, {path}));
    return entry;
  }
}
