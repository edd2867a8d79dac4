import {problem, type KernelProblem} from '../kernel-error.js';
import type {PluginCatalogue} from '../manifests/plugin-catalogue.js';
import {nameList} from '../nearest-name.js';
import {contradictions} from './contradictions.js';
import type {SelectionOptions} from './selection-options.js';

/**
 * Names of the enabled plugins. Options override the configuration, the configuration overrides the manifest. A plugin
 * named by `plugins` or `from` is enabled whatever its manifest's default.
 */
export function enablePlugins({plugins, broken}: PluginCatalogue, selection: SelectionOptions, problems: KernelProblem[]): Set<string> {
  const {enablePlugins: enable = [], disablePlugins: disable = [], optionName = (name: string) => name} = selection;
  const [enableOption, disableOption] = [optionName('enablePlugins'), optionName('disablePlugins')];
  const configured = new Map(Object.entries(selection.configuration?.plugins ?? {}));
  const names = new Set(plugins.map((plugin) => plugin.name));
  const unknown = (name: string, path: string) => {
    if (!names.has(name) && !broken.has(name)) problems.push(problem('UNKNOWN_PLUGIN', {name, known: nameList(names)}, {path}));
  };
  for (const name of enable) unknown(name, enableOption);
  for (const name of disable) unknown(name, disableOption);
  for (const name of configured.keys()) unknown(name, `plugins.${name}`);
  problems.push(...contradictions(enable, disable, `${enableOption} and ${disableOption}`));

  const enabled = plugins.filter(({name, source, manifest}) => {
    if (disable.includes(name)) return false;
    if (enable.includes(name)) return true;
    return configured.get(name)?.enabled ?? (source !== 'root' || manifest.enabledByDefault !== false);
  });
  return new Set(enabled.map((plugin) => plugin.name));
}
