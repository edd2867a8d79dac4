import {problem, type KernelProblem} from '../kernel-error.js';
import type {LoadedPlugin} from '../loaded-plugin.js';
import {pluginFlags} from '../plugin-flags.js';

/** Flags that were given but that no enabled plugin declares. */
export function checkFlags(
  plugins: readonly Pick<LoadedPlugin, 'manifest' | 'name' | 'enabled'>[],
  flags: ReadonlyMap<string, unknown>,
): KernelProblem[] {
  const problems: KernelProblem[] = [];
  for (const [flag, value] of flags) {
    if (value === undefined) continue;
    const owners = plugins.filter((plugin) => pluginFlags(plugin.manifest).some(({name}) => name === flag));
    if (owners.length === 0) problems.push(problem('UNKNOWN_FLAG', {flag}));
    else if (!owners.some((owner) => owner.enabled)) {
      problems.push(problem('PLUGIN_DISABLED', {what: `the flag --${flag}`, plugin: owners[0]!.name}, {path: `--${flag}`}));
    }
  }
  return problems;
}
