import type {KernelProblem} from '../kernel-error.js';
import type {LoadedPlugin} from '../manifests/loaded-plugin.js';
import type {CatalogueOptions, PluginCatalogue} from './plugin-catalogue.js';
import type {FoundPlugin} from '../manifests/read-manifest.js';
import type {GivenSetting} from './plugin-settings.js';
import type {PluginsConfiguration} from './plugins-configuration.js';

/** What a configuration says about plugins. Options override it. */
export interface SelectionConfiguration {
  readonly plugins?: PluginsConfiguration;
  readonly admission?: {readonly enable?: readonly string[]; readonly disable?: readonly string[]};
  readonly authorizationMode?: readonly string[];
  readonly controllers?: readonly string[];
  readonly featureGates?: Readonly<Record<string, boolean>>;
}

/** A choice among the plugins of the roots, under a name. */
export interface PluginProfile {
  readonly name: string;
  /** Names and patterns of the plugins that take part, with what they require, and no others; those that are on by default if absent. */
  readonly plugins?: readonly string[];
}

/** Named switches: as an object, or as texts `NAME=true`. */
export type Switches = Readonly<Record<string, boolean>> | readonly string[];

/** A feature gate of the platform. */
export interface PlatformGate {
  /** Whether it is on unless the operator sets it. */
  readonly enabled: boolean;
  /** `locked`: it cannot be set to anything else. `unknown`: operators cannot set it, and code may ask for it. */
  readonly setting: 'free' | 'locked' | 'unknown';
  /** What `AllAlpha` and `AllBeta` go by. `gone`: nobody can set it any more, whatever manifests say. */
  readonly stage?: 'alpha' | 'beta' | 'stable' | 'deprecated' | 'gone';
}

/** Options that decide which plugins there are and what they do. */
export interface SelectionOptions extends CatalogueOptions {
  /** Manifests that were read already, so that they are not read again. */
  readonly catalogue?: PluginCatalogue | undefined;
  readonly configuration?: SelectionConfiguration | undefined;
  /** The file that it was read from, for messages. */
  readonly configurationFile?: string | undefined;
  /** How the operator migrates the settings of a plugin, for messages. */
  readonly migrationHint?: (plugin: string) => string;
  /** Of the plugins of the roots these are enabled, with what they require, and no others; beside those of the profile, if there is one. */
  readonly onlyPlugins?: readonly string[] | undefined;
  /** One of `profiles`. Together with `onlyPlugins` it replaces both in the configuration. */
  readonly pluginProfile?: string | undefined;
  /** The values of `pluginProfile` and of `plugins.profile` in the configuration. */
  readonly profiles?: readonly PluginProfile[];
  readonly enablePlugins?: readonly string[];
  readonly disablePlugins?: readonly string[];
  readonly enableAdmissionPlugins?: readonly string[];
  readonly disableAdmissionPlugins?: readonly string[];
  /** Modes of the authorizers that decide, in this order; those that are on by default, if absent. Authorizers without a mode are asked besides. */
  readonly authorizationMode?: readonly string[] | undefined;
  /** Controllers to run, in Kubernetes' syntax: `*`, `NAME`, `-NAME`. */
  readonly controllers?: readonly string[];
  /** Sets of controllers (`set` in manifests) that count as on by default. */
  readonly controllerSets?: readonly string[];
  readonly featureGates?: Switches;
  /** The feature gates that no manifest declares, by name. */
  readonly platformGates?: ReadonlyMap<string, PlatformGate> | undefined;
  /** Settings of a plugin that override its configuration. */
  readonly settings?: (plugin: FoundPlugin) => readonly GivenSetting[];
  /** Further checks of the selected plugins, whose problems are reported together with the kernel's own. */
  readonly check?: (plugins: readonly LoadedPlugin[]) => readonly KernelProblem[];
  /** How messages call an option, by its name here (`enablePlugins`); that name by default. */
  readonly optionName?: (name: string) => string;
}
