import type {LoadedPlugin} from '../loaded-plugin.js';

/** A contribution that operators turn on and off by its name. */
export interface NamedContribution {
  readonly name: string;
  readonly plugin: string;
  readonly pluginEnabled: boolean;
  readonly enabledByDefault: boolean;
  /** Feature gate without which it does not run. */
  readonly featureGate: string | undefined;
}

interface Switchable {
  readonly name: string;
  readonly enabledByDefault?: boolean;
  readonly featureGate?: string;
}

/** The admission controllers or the controllers of all plugins. If two have the same name, the enabled one counts. */
export function namedContributions(plugins: readonly LoadedPlugin[], member: 'admission' | 'controllers'): Map<string, NamedContribution> {
  const found = new Map<string, NamedContribution>();
  for (const plugin of plugins) {
    const contributions: readonly Switchable[] = plugin.manifest.contributes?.[member] ?? [];
    for (const {name, enabledByDefault = true, featureGate} of contributions) {
      if (found.get(name)?.pluginEnabled === true) continue;
      found.set(name, {name, plugin: plugin.name, pluginEnabled: plugin.enabled, enabledByDefault, featureGate});
    }
  }
  return found;
}
