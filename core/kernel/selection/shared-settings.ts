import {problem, type KernelProblem} from '../kernel-error.js';
import type {LoadedPlugin} from '../manifests/loaded-plugin.js';
import {configuredPlugins} from './plugins-configuration.js';
import type {SelectionConfiguration} from './selection-options.js';

/**
 * Fills in shared settings: a property with `sameAs: "PLUGIN.PROPERTY"` has the value of that property, or its own default if that plugin
 * is disabled. It cannot be set itself.
 */
export function shareSettings(
  plugins: readonly LoadedPlugin[],
  configuration: SelectionConfiguration,
  problems: KernelProblem[],
): LoadedPlugin[] {
  const byName = new Map(plugins.map((plugin) => [plugin.name, plugin]));
  const configured = configuredPlugins(configuration.plugins);
  return plugins.map((plugin) => {
    const config = {...plugin.config};
    for (const [property, {sameAs}] of Object.entries(plugin.manifest.config?.properties ?? {})) {
      if (sameAs === undefined || !plugin.enabled) continue;
      const [owner = '', name = ''] = sameAs.split('.');
      if (Object.hasOwn(configured.get(plugin.name)?.config ?? {}, property)) {
        const detail = `${property} is not set here but as plugins.${owner}.config.${name}`;
        problems.push(problem('CONFIG_INVALID', {detail}, {plugin: plugin.name, path: `plugins.${plugin.name}.config.${property}`}));
      }
      const other = byName.get(owner);
      if (!Object.hasOwn(other?.manifest.config?.properties ?? {}, name)) {
        const detail = `${property} is to be the same as ${sameAs}, ${other ? 'which is no setting' : `and there is no plugin ${owner}`}`;
        problems.push(
          problem(
            'CONFIG_SCHEMA_INVALID',
            {detail},
            {plugin: plugin.name, file: plugin.file, path: `config.properties.${property}.sameAs`},
          ),
        );
      }
      // The manifest's schema allows only plain words as property names.
      if (other?.enabled) config[property] = structuredClone(other.config[name]);
    }
    return {...plugin, config};
  });
}
