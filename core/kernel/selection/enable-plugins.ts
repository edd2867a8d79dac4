import {problem, type KernelProblem} from '../kernel-error.js';
import type {PluginCatalogue} from './plugin-catalogue.js';
import type {FoundPlugin} from '../manifests/read-manifest.js';
import {declaredClasses} from '../manifests/contributed-classes.js';
import {Providers, requirementsOf} from '../manifests/services.js';
import {nameHint} from '../nearest-name.js';
import {contradictions} from './contradictions.js';
import {PluginNames} from './plugin-names.js';
import {configuredPlugins} from './plugins-configuration.js';
import type {SelectionOptions} from './selection-options.js';

/** Whether a plugin is enabled. */
export interface PluginState {
  readonly enabled: boolean;
  /** The reason: an option, `configuration`, `profile NAME`, `required by NAME`, `default`. */
  readonly why: string;
  /** Whether the operator asked for it: such a plugin stays disabled even if others require it. */
  readonly isAsked: boolean;
}

/**
 * Decides which plugins are enabled. Options override the configuration, which overrides the manifest. A plugin named by `plugins` or `from` is
 * enabled even if its manifest's default is off. With `onlyPlugins`, or a profile that lists plugins, only the listed plugins of the roots are enabled by
 * default. The options may have patterns (`store-*`); a name takes precedence over a pattern. The requirements of an enabled plugin are enabled
 * with it, and so is the plugin of a named authorization mode, unless the operator has disabled it.
 */
export function enablePlugins(
  {plugins, broken}: PluginCatalogue,
  selection: SelectionOptions,
  problems: KernelProblem[],
): Map<string, PluginState> {
  const {optionName = (name: string) => name} = selection;
  const [enableOption, disableOption] = ['enablePlugins', 'disablePlugins'].map(optionName) as [string, string];
  const configured = configuredPlugins(selection.configuration?.plugins);
  const names = new Set(plugins.map((plugin) => plugin.name));
  // A broken plugin has problems of its own.
  const known = new Set([...names, ...broken]);
  const enable = new PluginNames(selection.enablePlugins ?? [], known, enableOption, problems);
  const disable = new PluginNames(selection.disablePlugins ?? [], known, disableOption, problems);
  const byDefault = defaults(selection, known, problems);
  for (const name of configured.keys()) {
    if (!known.has(name)) problems.push(problem('UNKNOWN_PLUGIN', {name, hint: nameHint(name, names)}, {path: `plugins.${name}`}));
  }
  for (const level of ['named', 'matched'] as const)
    problems.push(...contradictions([...enable[level]], [...disable[level]], `${enableOption} and ${disableOption}`));

  const decide = (plugin: FoundPlugin): PluginState => {
    const {name, source} = plugin;
    for (const level of ['named', 'matched'] as const) {
      if (disable[level].has(name)) return {enabled: false, why: disableOption, isAsked: true};
      if (enable[level].has(name)) return {enabled: true, why: enableOption, isAsked: true};
    }
    const enabled = configured.get(name)?.enabled;
    if (enabled !== undefined) return {enabled, why: 'configuration', isAsked: true};
    if (source === 'root') return {...byDefault(plugin), isAsked: false};
    return {enabled: true, why: source === 'configuration' ? 'configuration' : optionName('plugins'), isAsked: true};
  };
  const states = new Map(plugins.map((plugin) => [plugin.name, decide(plugin)]));
  enableModes(plugins, states, selection);
  enableRequired(plugins, states);
  return states;
}

type Default = (plugin: FoundPlugin) => Omit<PluginState, 'isAsked'>;

/** The defaults of plugins of the roots. Options replace `only` and `profile` of the configuration. */
function defaults(selection: SelectionOptions, known: ReadonlySet<string>, problems: KernelProblem[]): Default {
  const {optionName = (name: string) => name, configuration, profiles = []} = selection;
  const isOption = (selection.onlyPlugins ?? selection.pluginProfile) !== undefined;
  const {only, profile: profileName} = isOption
    ? {only: selection.onlyPlugins, profile: selection.pluginProfile}
    : {only: configuration?.plugins?.only, profile: configuration?.plugins?.profile};
  const [onlyPlace, profilePlace] = isOption
    ? [optionName('onlyPlugins'), optionName('pluginProfile')]
    : ['plugins.only', 'plugins.profile'];
  const profile = profiles.find(({name}) => name === profileName);
  if (profileName !== undefined && !profile) {
    const all = profiles.map(({name}) => name);
    problems.push(problem('UNKNOWN_PROFILE', {name: profileName, hint: nameHint(profileName, all)}, {path: profilePlace}));
  }
  const ofProfile = profile?.plugins && new Set(new PluginNames(profile.plugins, known, profilePlace, problems).all);
  const ofOnly = only && new Set(new PluginNames(only, known, onlyPlace, problems).all);
  if (!ofProfile && (!ofOnly || profile)) return ({manifest}) => ({enabled: manifest.enabledByDefault !== false, why: 'default'});
  return ({name}) => {
    if (ofProfile?.has(name)) return {enabled: true, why: `profile ${profile!.name}`};
    if (ofOnly?.has(name)) return {enabled: true, why: onlyPlace};
    return {enabled: false, why: ofProfile ? `profile ${profile!.name}` : onlyPlace};
  };
}

/** Enables the plugins whose authorization modes are named. */
function enableModes(plugins: readonly FoundPlugin[], states: Map<string, PluginState>, selection: SelectionOptions): void {
  const {authorizationMode, configuration, optionName = (name: string) => name} = selection;
  const why = authorizationMode === undefined ? 'configuration' : optionName('authorizationMode');
  for (const mode of authorizationMode ?? configuration?.authorizationMode ?? []) {
    const owners = plugins.filter(({manifest}) => declaredClasses(manifest).some((declared) => declared.mode === mode));
    enableOneOf(
      owners.map(({name}) => name),
      states,
      why,
    );
  }
}

/** Enables one of the plugins, unless one is enabled already; never one that the operator has disabled. @returns its name */
function enableOneOf(names: readonly string[], states: Map<string, PluginState>, why: string): string | undefined {
  if (names.some((name) => states.get(name)?.enabled)) return undefined;
  const chosen = names.find((name) => states.get(name)?.isAsked === false);
  if (chosen !== undefined) states.set(chosen, {enabled: true, why, isAsked: false});
  return chosen;
}

/** Enables the requirements of the enabled plugins, transitively. */
function enableRequired(plugins: readonly FoundPlugin[], states: Map<string, PluginState>): void {
  const byName = new Map(plugins.map((plugin) => [plugin.name, plugin]));
  const providers = new Providers(plugins);
  const pending = plugins.filter(({name}) => states.get(name)!.enabled);
  for (let plugin = pending.pop(); plugin !== undefined; plugin = pending.pop()) {
    for (const requirement of requirementsOf(plugin)) {
      const required = enableOneOf(providers.namesFor(requirement), states, `required by ${plugin.name}`);
      if (required !== undefined) pending.push(byName.get(required)!);
    }
  }
}
