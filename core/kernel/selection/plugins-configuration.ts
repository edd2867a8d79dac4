/** The configuration of one plugin. */
export interface PluginConfiguration {
  readonly enabled?: boolean;
  /** Folder, `plugin.json`, module or npm package of a plugin outside of the plugin roots. */
  readonly from?: string;
  /** Its settings; validated by the `config` schema of its manifest. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** The `configVersion` of the manifest that they were written for; 1 if absent. */
  readonly configVersion?: number;
}

/** Members of `plugins` that are not plugins; `plugin.schema.json` reserves their names. */
interface Choice {
  /** Of the plugins of the roots these are enabled, with what they require, and no others; beside those of the profile, if there is one. */
  readonly only?: readonly string[] | undefined;
  /** The name of a list of plugins that takes the place of `only`. */
  readonly profile?: string | undefined;
}

/** The plugins of a configuration: which are enabled, and the configuration of each by name. */
export interface PluginsConfiguration extends Choice {
  readonly [plugin: string]: PluginConfiguration | Choice[keyof Choice];
}

const choices: ReadonlySet<string> = new Set<keyof Choice>(['only', 'profile']);

/** The plugins that a configuration names, with the entry of each. */
export function configuredPlugins(plugins: PluginsConfiguration | undefined): ReadonlyMap<string, PluginConfiguration> {
  return new Map(Object.entries(plugins ?? {}).filter(([name]) => !choices.has(name)) as [string, PluginConfiguration][]);
}
