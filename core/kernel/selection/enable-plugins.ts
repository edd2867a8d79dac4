import {problem, type KernelProblem} from '../kernel-error.js';
import type {PluginCatalogue} from '../manifests/plugin-catalogue.js';
import type {FoundPlugin} from '../manifests/read-manifest.js';
import {nameList} from '../nearest-name.js';
import {contradictions} from './contradictions.js';
import {PluginNames} from './plugin-names.js';
import type {SelectionOptions} from './selection-options.js';

/**
 * Names of the enabled plugins. Options override the configuration, the configuration overrides the manifest. A plugin
 * named by `plugins` or `from` is enabled whatever its manifest's default. With `onlyPlugins`, of the plugins of the roots those are
 * enabled by default and what they require. The options and `onlyPlugins` may have patterns (`store-*`); a name says more than a pattern.
 */
export function enablePlugins({plugins, broken}: PluginCatalogue, selection: SelectionOptions, problems: KernelProblem[]): Set<string> {
  const {optionName = (name: string) => name} = selection;
  const [enableOption, disableOption, onlyOption] = ['enablePlugins', 'disablePlugins', 'onlyPlugins'].map(optionName) as [
    string,
    string,
    string,
  ];
  const configured = new Map(Object.entries(selection.configuration?.plugins ?? {}));
  const names = new Set(plugins.map((plugin) => plugin.name));
  // What is wrong with a broken one is told by its own problems.
  const known = new Set([...names, ...broken]);
  const enable = new PluginNames(selection.enablePlugins ?? [], known, enableOption, problems);
  const disable = new PluginNames(selection.disablePlugins ?? [], known, disableOption, problems);
  const given = selection.onlyPlugins ?? selection.configuration?.onlyPlugins;
  const only =
    given && withRequirements(new PluginNames(given, known, selection.onlyPlugins ? onlyOption : 'onlyPlugins', problems).all, plugins);
  for (const name of configured.keys()) {
    if (!known.has(name)) problems.push(problem('UNKNOWN_PLUGIN', {name, known: nameList(names)}, {path: `plugins.${name}`}));
  }
  for (const level of ['named', 'matched'] as const)
    problems.push(...contradictions([...enable[level]], [...disable[level]], `${enableOption} and ${disableOption}`));

  const enabled = plugins.filter(({name, source, manifest}) => {
    for (const level of ['named', 'matched'] as const) {
      if (disable[level].has(name)) return false;
      if (enable[level].has(name)) return true;
    }
    const byDefault = source !== 'root' || (only ? only.has(name) : manifest.enabledByDefault !== false);
    return configured.get(name)?.enabled ?? byDefault;
  });
  return new Set(enabled.map((plugin) => plugin.name));
}

/** The plugins of these names, what they require, what that requires, and so on. */
function withRequirements(names: readonly string[], plugins: readonly FoundPlugin[]): ReadonlySet<string> {
  const byName = new Map(plugins.map((plugin) => [plugin.name, plugin]));
  const found = new Set<string>();
  const pending = [...names];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    pending.push(...(byName.get(name)?.manifest.requires ?? []));
  }
  return found;
}
