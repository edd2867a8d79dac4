import type {FeatureGates} from '../../../sdk/contracts/feature-gates.js';
import {problem, type KernelProblem} from '../kernel-error.js';
import type {LoadedPlugin} from '../manifests/loaded-plugin.js';
import {checkDuplicates} from '../manifests/check-duplicates.js';
import {checkRequirements} from '../manifests/check-requirements.js';
import {lifetimeProblems} from './object-lifetime.js';
import {PluginCatalogue} from './plugin-catalogue.js';
import {Providers} from '../manifests/services.js';
import {selectAuthorizationModes, type AuthorizationModes} from './authorization-modes.js';
import {enablePlugins} from './enable-plugins.js';
import {resolveFeatureGates} from './feature-gates.js';
import {namedContributions} from './named-contributions.js';
import {pluginSettings} from './plugin-settings.js';
import {configuredPlugins} from './plugins-configuration.js';
import {selectAdmission} from './select-admission.js';
import {selectControllers} from './select-controllers.js';
import type {SelectionOptions, Switches} from './selection-options.js';
import {settingsVersionFault} from './settings-version.js';
import {shareSettings} from './shared-settings.js';
import {readSwitches} from './switches.js';

/** The result of the selection. */
export interface Selected {
  /** All plugins, in dependency order. */
  readonly plugins: readonly LoadedPlugin[];
  /** Names of the admission controllers that run. */
  readonly admission: ReadonlySet<string>;
  readonly authorizationModes: AuthorizationModes;
  /** Names of the controllers that run. */
  readonly controllers: ReadonlySet<string>;
  readonly featureGates: FeatureGates;
}

/** Reads all manifests and applies the options, without importing the code of plugins that have one. Problems are collected over everything. */
export async function select(options: SelectionOptions): Promise<{selected: Selected; problems: KernelProblem[]}> {
  const {configuration = {}, optionName = (name) => name} = options;
  const catalogue = options.catalogue ?? (await PluginCatalogue.read(options));
  const found = catalogue.plugins;
  const problems = [...catalogue.problems];

  const states = enablePlugins(catalogue, options, problems);
  // A plugin that requires a broken one needs no problem of its own for that.
  const isBroken = (name: string) => catalogue.broken.has(name);
  const participants = found.filter((plugin) => states.get(plugin.name)!.enabled);
  const others = {
    providers: new Providers(found),
    isBroken,
    stateOf: (name: string) => states.get(name),
    versionOf: (name: string) => catalogue.get(name)?.manifest.version,
    enableOption: optionName('enablePlugins'),
    addOption: optionName('plugins'),
  };
  for (const plugin of participants) problems.push(...checkRequirements(plugin, others));
  problems.push(...checkDuplicates(participants));

  const configured = configuredPlugins(configuration.plugins);
  const givenTo = new Map(found.map((plugin) => [plugin.name, options.settings?.(plugin) ?? []]));
  const settled: LoadedPlugin[] = [];
  const cwd = options.cwd ?? process.cwd();
  for (const plugin of found) {
    const {enabled: takesPart, why} = states.get(plugin.name)!;
    const given = givenTo.get(plugin.name)!;
    const entry = configured.get(plugin.name) ?? {};
    const outdated = takesPart ? settingsVersionFault(plugin, entry, options.migrationHint) : undefined;
    // Settings for another version would only bring further complaints.
    const takesSettings = takesPart && outdated === undefined;
    if (outdated) problems.push(outdated);
    const config = takesSettings ? await pluginSettings(plugin, entry.config ?? {}, given, cwd, problems) : {};
    settled.push({...plugin, enabled: takesPart, why, config});
  }
  const plugins = shareSettings(settled, configuration, problems);
  for (const plugin of plugins) if (plugin.enabled) problems.push(...lifetimeProblems(plugin, givenTo.get(plugin.name)!));
  problems.push(...(options.check?.(plugins) ?? []));

  const gates = optionName('featureGates');
  const featureGates = resolveFeatureGates(
    found,
    options.platformGates,
    [
      {values: new Map(Object.entries(configuration.featureGates ?? {})), path: 'featureGates'},
      {values: readGates(options.featureGates, gates, problems), path: gates},
    ],
    problems,
  );
  const selected: Selected = {
    plugins,
    admission: selectAdmission(namedContributions(plugins, 'admission'), options, featureGates, problems),
    authorizationModes: selectAuthorizationModes(
      namedContributions(plugins, 'authorizers'),
      options.authorizationMode ?? configuration.authorizationMode,
      options.authorizationMode === undefined ? 'authorizationMode' : optionName('authorizationMode'),
      problems,
    ),
    controllers: selectControllers(
      namedContributions(plugins, 'controllers'),
      options.controllers ?? configuration.controllers ?? ['*'],
      options.controllerSets ?? [],
      options.controllers === undefined ? 'controllers' : optionName('controllers'),
      featureGates,
      problems,
    ),
    featureGates,
  };
  return {selected, problems: options.configurationFile === undefined ? problems : problems.map(inFile(options.configurationFile))};
}

/** Names the configuration file in problems of its contents. */
function inFile(file: string): (fault: KernelProblem) => KernelProblem {
  return (fault) =>
    fault.file === undefined && /^(plugins|admission|authorizationMode|controllers|featureGates)\b/.test(fault.path ?? '')
      ? {...fault, file}
      : fault;
}

function readGates(switches: Switches | undefined, path: string, problems: KernelProblem[]): Map<string, boolean> {
  return readSwitches(switches, false, (text) => problems.push(problem('FEATURE_GATE_INVALID', {text}, {path})));
}
