import type {NamingProfile} from '../../../sdk/contracts/naming.js';
import type {KernelProblem} from '../kernel-error.js';
import type {LoadedPlugin} from '../loaded-plugin.js';
import type {CatalogueOptions, PluginCatalogue} from '../manifests/plugin-catalogue.js';
import type {FoundPlugin} from '../manifests/read-manifest.js';
import type {GivenSetting} from './plugin-settings.js';

/** The configuration of one plugin. */
export interface PluginConfiguration {
  readonly enabled?: boolean;
  /** Folder, `plugin.json` or npm package of a plugin outside of the plugin roots. */
  readonly from?: string;
  /** Its settings; validated by the `config` schema of its manifest. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** What a configuration says about plugins. Options override it. */
export interface SelectionConfiguration {
  /** Of the plugins of the roots these are enabled, with what they require, and no others. */
  readonly onlyPlugins?: readonly string[];
  readonly plugins?: Readonly<Record<string, PluginConfiguration>>;
  readonly admission?: {readonly enable?: readonly string[]; readonly disable?: readonly string[]};
  readonly controllers?: readonly string[];
  readonly featureGates?: Readonly<Record<string, boolean>>;
}

/** Named switches: as an object, or as texts `NAME=true`. */
export type Switches = Readonly<Record<string, boolean>> | readonly string[];

/** What decides which plugins there are and what they do. */
export interface SelectionOptions extends CatalogueOptions {
  /** Manifests that were read already, so that they are not read again. */
  readonly catalogue?: PluginCatalogue | undefined;
  readonly configuration?: SelectionConfiguration | undefined;
  /** Of the plugins of the roots these are enabled, with what they require, and no others. */
  readonly onlyPlugins?: readonly string[];
  readonly enablePlugins?: readonly string[];
  readonly disablePlugins?: readonly string[];
  readonly enableAdmissionPlugins?: readonly string[];
  readonly disableAdmissionPlugins?: readonly string[];
  /** Controllers to run, in Kubernetes' syntax: `*`, `NAME`, `-NAME`. */
  readonly controllers?: readonly string[];
  readonly featureGates?: Switches;
  /** Supplies defaults of feature gates. */
  readonly naming?: Pick<NamingProfile, 'featureGates'>;
  /** Settings of a plugin that override its configuration. */
  readonly settings?: (plugin: FoundPlugin) => readonly GivenSetting[];
  /** Further checks of the selected plugins, whose problems are reported together with the kernel's own. */
  readonly check?: (plugins: readonly LoadedPlugin[]) => readonly KernelProblem[];
  /** How messages call an option, by its name here (`enablePlugins`); that name by default. */
  readonly optionName?: (name: string) => string;
}
