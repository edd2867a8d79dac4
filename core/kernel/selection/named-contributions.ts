import type {LoadedPlugin} from '../manifests/loaded-plugin.js';

/** A contribution that operators turn on and off by its name. */
export interface NamedContribution {
  readonly name: string;
  readonly plugin: string;
  readonly pluginEnabled: boolean;
  readonly enabledByDefault: boolean;
  /** Of a controller: further names. */
  readonly aliases: readonly string[];
  /** Of a controller: the set that an option turns on as a whole. */
  readonly set: string | undefined;
  /** Of a controller: whether it acts under no account, as what Kubernetes has in its apiserver and not in its controller manager. */
  readonly isAccountless: boolean;
  /** Feature gate without which it does not run. */
  readonly featureGate: string | undefined;
}

interface Switchable {
  readonly name: string;
  readonly enabledByDefault?: boolean;
  readonly featureGate?: string;
  readonly serviceAccount?: string | false;
  readonly aliases?: readonly string[];
  readonly set?: string;
}

/** The contributions of a kind of all plugins that have a name of that sort. If two have the same name, the enabled one counts. */
export function namedContributions(
  plugins: readonly LoadedPlugin[],
  member: 'admission' | 'authorizers' | 'controllers',
): Map<string, NamedContribution> {
  const found = new Map<string, NamedContribution>();
  for (const plugin of plugins) {
    const contributions = plugin.manifest.contributes?.[member] ?? [];
    const switchable = contributions.flatMap((entry): Switchable[] => {
      if (typeof entry === 'string') return [];
      return 'mode' in entry ? [{...entry, name: entry.mode}] : [entry];
    });
    for (const {name, enabledByDefault = true, featureGate, serviceAccount, aliases = [], set} of switchable) {
      if (found.get(name)?.pluginEnabled === true) continue;
      const isAccountless = serviceAccount === false;
      const base = {name, plugin: plugin.name, pluginEnabled: plugin.enabled, enabledByDefault};
      found.set(name, {...base, isAccountless, featureGate, aliases, set});
    }
  }
  return found;
}
