import type {FeatureGates} from '../../../sdk/contracts/feature-gates.js';
import type {NamingProfile} from '../../../sdk/contracts/naming.js';
import {configurationProblems} from '../configuration.js';
import {KernelError, type KernelProblem} from '../kernel-error.js';
import type {LoadedPlugin} from '../loaded-plugin.js';
import {checkDuplicates} from '../manifests/check-duplicates.js';
import {checkRequirements} from '../manifests/check-requirements.js';
import {PluginCatalogue} from '../manifests/plugin-catalogue.js';
import type {ServerOptions} from '../server-options.js';
import {checkFlags} from './check-flags.js';
import {enablePlugins} from './enable-plugins.js';
import {settleFeatureGates} from './feature-gates.js';
import {namedContributions} from './named-contributions.js';
import {pluginSettings} from './plugin-settings.js';
import {selectAdmission} from './select-admission.js';
import {selectControllers} from './select-controllers.js';
import {shareSettings} from './shared-settings.js';
import {readSwitches} from './switches.js';

/** The part of `ServerOptions` that decides what plugins there are and what they do. */
export type SelectionOptions = Pick<
  ServerOptions,
  | 'catalogue'
  | 'configuration'
  | 'controllers'
  | 'cwd'
  | 'disableAdmissionPlugins'
  | 'disablePlugins'
  | 'enableAdmissionPlugins'
  | 'enablePlugins'
  | 'featureGates'
  | 'flags'
  | 'pluginRoots'
  | 'plugins'
  | 'runtimeConfig'
> & {
  readonly naming?: Pick<NamingProfile, 'featureGates'>;
  /** Flags of the server's that plugins may not declare, besides `coreFlags`. */
  readonly reservedFlags?: readonly string[];
};

/** What was settled. */
export interface Selected {
  /** All plugins, in dependency order. */
  readonly plugins: readonly LoadedPlugin[];
  /** Names of the admission controllers that run. */
  readonly admission: ReadonlySet<string>;
  /** Names of the controllers that run. */
  readonly controllers: ReadonlySet<string>;
  readonly featureGates: FeatureGates;
  readonly runtimeConfig: ReadonlyMap<string, boolean>;
}

/**
 * Reads all manifests and applies what the operator says, without importing code. Problems are collected over everything. Only a configuration
 * that is not valid ends the work at once.
 *
 * @throws KernelError for such a configuration
 */
export async function select(options: SelectionOptions): Promise<{selected: Selected; problems: KernelProblem[]}> {
  const {configuration} = options;
  KernelError.throwIfAny(configurationProblems(configuration ?? {}));
  const catalogue = options.catalogue ?? PluginCatalogue.read(options);
  const found = catalogue.plugins;
  const problems = [...catalogue.problems];

  const enabled = enablePlugins(catalogue, options, problems);
  const known = new Set(found.map((plugin) => plugin.name));
  // What requires a plugin whose manifest is faulty is told by that plugin's own problems.
  const usable = new Set([...enabled, ...catalogue.broken]);
  const participants = found.filter((plugin) => enabled.has(plugin.name));
  for (const plugin of participants) problems.push(...checkRequirements(plugin, known, usable));
  problems.push(...checkDuplicates(participants, options.reservedFlags));

  const flags = new Map(Object.entries(options.flags ?? {}));
  const settled: LoadedPlugin[] = [];
  for (const plugin of found) {
    const takesPart = enabled.has(plugin.name);
    const config = takesPart ? await pluginSettings(plugin, {configuration, flags}, problems) : {};
    settled.push({...plugin, enabled: takesPart, config});
  }
  const plugins = shareSettings(settled, configuration, problems);
  problems.push(...checkFlags(plugins, flags));

  const gate = {code: 'FEATURE_GATE_INVALID', option: '--feature-gates', bare: false} as const;
  const runtime = {code: 'RUNTIME_CONFIG_INVALID', option: '--runtime-config', bare: true} as const;
  const selected: Selected = {
    plugins,
    admission: selectAdmission(namedContributions(plugins, 'admission'), options, problems),
    controllers: selectControllers(
      namedContributions(plugins, 'controllers'),
      options.controllers ?? configuration?.controllers ?? ['*'],
      options.controllers === undefined ? 'controllers' : '--controllers',
      problems,
    ),
    featureGates: settleFeatureGates(
      found,
      options.naming,
      [
        {values: new Map(Object.entries(configuration?.featureGates ?? {})), path: 'featureGates'},
        {values: readSwitches(options.featureGates, gate, problems), path: '--feature-gates'},
      ],
      problems,
    ),
    runtimeConfig: new Map([
      ...Object.entries(configuration?.runtimeConfig ?? {}),
      ...readSwitches(options.runtimeConfig, runtime, problems),
    ]),
  };
  return {selected, problems};
}
