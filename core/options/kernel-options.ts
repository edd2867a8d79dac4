import type {NamingProfile} from '../../sdk/index.js';
import {KernelError, type KernelProblem} from '../kernel/kernel-error.js';
import type {SelectionOptions} from '../kernel/selection/selection-options.js';
import {readSwitches} from '../kernel/selection/switches.js';
import {platformGates} from '../api/gates/platform-gates.js';
import {builtinPlugins} from './builtin-plugins.js';
import {clusterSelection} from './cluster-options.js';
import {configurationProblems} from './configuration.js';
import {serverProblem} from '../configuration/error-catalogue.js';
import {checkFlags} from './flags/check-flags.js';
import {flagSettings} from './flags/plugin-flags.js';
import {pluginProfiles} from './plugin-profiles.js';
import {resolveRelease} from './resolve-release.js';
import type {ServerOptions} from './server-options.js';

/** The options of a server as far as they concern its kernel: which plugins there are and what they do. */
export type PluginOptions = Pick<
  ServerOptions,
  | 'authorizationMode'
  | 'catalogue'
  | 'cluster'
  | 'configuration'
  | 'configurationFile'
  | 'controllers'
  | 'cwd'
  | 'disableAdmissionPlugins'
  | 'disablePlugins'
  | 'enableAdmissionPlugins'
  | 'enableConsole'
  | 'enablePlugins'
  | 'featureGates'
  | 'flags'
  | 'onlyPlugins'
  | 'optionName'
  | 'pluginProfile'
  | 'pluginRoots'
  | 'plugins'
  | 'release'
  | 'runtimeConfig'
> & {readonly naming?: Pick<NamingProfile, 'name' | 'featureGates'>};

/**
 * What the kernel is given: it knows neither flags nor versions that are served, so these are checked and translated here.
 *
 * @throws KernelError for a configuration that is not valid
 */
export function kernelOptions(options: PluginOptions): SelectionOptions & {readonly runtimeConfig: ReadonlyMap<string, boolean>} {
  const {configuration = {}, flags = {}, runtimeConfig, naming, release, cluster, enableConsole, ...selection} = options;
  if (options.configuration !== undefined) KernelError.throwIfAny(configurationProblems(configuration));
  const ofCluster = clusterSelection(cluster ?? configuration.cluster, flags);
  const given = ofCluster.flags;
  const asked = [...ofCluster.plugins, ...((enableConsole ?? configuration.enableConsole) === true ? ['console', 'inspection'] : [])];
  const problems: KernelProblem[] = [];
  const switches = readSwitches(runtimeConfig, true, (text) =>
    problems.push(serverProblem('RUNTIME_CONFIG_INVALID', {text}, {path: options.optionName?.('runtimeConfig') ?? 'runtimeConfig'})),
  );
  return {
    ...selection,
    configuration,
    platformGates: naming && platformGates(resolveRelease(release ?? configuration.release, naming.name), naming.featureGates),
    controllerSets: ofCluster.controllerSets,
    ...(asked.length > 0 ? {enablePlugins: [...(options.enablePlugins ?? []), ...asked]} : {}),
    profiles: pluginProfiles,
    pluginRoots: options.pluginRoots ?? [builtinPlugins],
    settings: (plugin) => flagSettings(plugin, given),
    check: (plugins) => [...checkFlags(plugins, given), ...problems],
    migrationHint: (plugin) => `orch plugins upgrade ${plugin} does so`,
    runtimeConfig: new Map([...Object.entries(configuration.runtimeConfig ?? {}), ...switches]),
  };
}

/** Options as the flags of the command line: `enablePlugins` is `--enable-plugins`, `plugins` is `--plugin`. */
export function optionName(name: string): string {
  return name === 'plugins' ? '--plugin' : `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
