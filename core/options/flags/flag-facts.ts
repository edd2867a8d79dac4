import type {FlagFact} from '../../../sdk/contracts/server-facts.js';
import {configuredPlugins} from '../../kernel/selection/plugins-configuration.js';
import type {LoadedPlugin} from '../../kernel/manifests/loaded-plugin.js';
import type {ServerOptions} from '../server-options.js';
import {flagLayers, flagValues, foundIn, type Layer} from './flag-values.js';
import {pluginFlags} from './plugin-flags.js';

/** The values of all flags, and where each comes from. Parameters as for `flagValues`. */
export function flagFacts(options: ServerOptions, resolved: Layer, plugins: readonly LoadedPlugin[]): readonly FlagFact[] {
  const values = flagValues(options, resolved, plugins);
  const {given, configured} = flagLayers(options);
  const settings = configuredPlugins(options.configuration?.plugins);
  const declared = new Map(
    plugins.filter(({enabled}) => enabled).flatMap(({manifest}) => pluginFlags(manifest).map((flag) => [flag.name, flag])),
  );
  const isGiven = (name: string) =>
    options.givenFlags?.includes(name) ?? (options.flags?.[name] !== undefined || foundIn(given, name) !== undefined);
  return Object.entries(values).map(([name, value]) => {
    const flag = declared.get(name);
    const configuredValue = flag ? settings.get(flag.plugin)?.config?.[flag.property] : foundIn(configured, name);
    const source = isGiven(name) ? 'given' : configuredValue !== undefined ? 'configuration' : 'default';
    return {name, value, source, plugin: flag?.plugin};
  });
}
