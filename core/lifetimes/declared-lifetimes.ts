import {apiVersionOf, type ConfigProperty, type PluginManifest} from '../../sdk/index.js';
import {advanceFaults} from '../api/lifetimes/advance-faults.js';
import {elementLifetimeFaults, type CommandLineElement} from '../api/lifetimes/element-lifetime-faults.js';
import {gateLifetimeFaults, type GateWithLifetime} from '../api/lifetimes/gate-lifetime-faults.js';
import {metricLifetimeFaults} from '../api/lifetimes/metric-lifetime-faults.js';
import {uncovered, unneeded} from '../api/lifetimes/lifetime-exceptions.js';
import type {LifetimeFault} from '../api/lifetimes/lifetime-fault.js';
import {versionLifetimeFaults} from '../api/lifetimes/version-lifetime-faults.js';
import {recordedGates} from '../api/gates/gates-at-release.js';
import {promiseRelease} from '../api/lifetimes/releases.js';
import type {FlagDefinition} from '../options/flags/flag-definition.js';
import {coreFlags} from '../options/flags/server-flags.js';
import {removedElements} from './removed-elements.js';
import {declaredMetrics} from './declared-metrics.js';
import {removedMetrics} from './removed-metrics.js';
import {limitFlags} from '../options/flags/limit-flags.js';

/** What is wrong with the lifetimes that one manifest declares: of its types' versions, its flags and its feature gates. */
export function manifestLifetimeFaults(manifest: PluginManifest, all: readonly PluginManifest[]): LifetimeFault[] {
  const resources = resourcesOf([manifest]);
  return [
    ...uncovered([...versionLifetimeFaults(resources, resourcesOf(all)), ...advanceFaults(resources)]),
    ...elementLifetimeFaults(flagsOf([manifest]), []),
    ...gateLifetimeFaults(gatesOf([manifest]), []),
  ];
}

/** A command of the command line, as far as lifetimes go. */
export interface CommandWithLifetime {
  readonly words: readonly string[];
  readonly deprecated?: CommandLineElement['deprecated'];
}

/** Everything whose lifetime the server declares itself. */
export interface DeclaredLifetimes {
  /** The built-in plugins. */
  readonly manifests: readonly PluginManifest[];
  readonly commands: readonly CommandWithLifetime[];
}

/** Flags and commands of the command line: `--admission-control`, `orch plugins list`. */
export function commandLineElements({manifests, commands}: DeclaredLifetimes): CommandLineElement[] {
  const core = [...coreFlags, ...limitFlags].map(({name, deprecated}: FlagDefinition) => ({name: `--${name}`, deprecated}));
  return [...core, ...flagsOf(manifests), ...commands.map(({words, deprecated}) => ({name: `orch ${words.join(' ')}`, deprecated}))];
}

/** The platform's feature gates and those of manifests. */
export function featureGates({manifests}: Pick<DeclaredLifetimes, 'manifests'>): GateWithLifetime[] {
  return [...recordedGates(promiseRelease).present, ...gatesOf(manifests)];
}

/**
 * What is wrong with the lifetimes that the server declares. Every version of a built-in type has one; the exceptions
 * from the rules are in `core/api/lifetimes/lifetime-exceptions.ts`.
 */
export function declaredLifetimeFaults(declared: DeclaredLifetimes): LifetimeFault[] {
  const resources = resourcesOf(declared.manifests);
  const undeclared = resources.flatMap(({group, names, versions}) =>
    versions
      .filter(({lifetime}) => lifetime === undefined)
      .map(({name}): LifetimeFault => ({
        rule: 'undeclared',
        subject: `${apiVersionOf({group, version: name})} ${names.kind}`,
        text: 'the version has no lifetime',
      })),
  );
  const ofVersions = [...versionLifetimeFaults(resources), ...advanceFaults(resources)];
  return [
    ...undeclared,
    ...uncovered(ofVersions),
    ...unneeded(ofVersions),
    ...elementLifetimeFaults(commandLineElements(declared), removedElements),
    ...gateLifetimeFaults(featureGates(declared), recordedGates(promiseRelease).removed),
    ...metricLifetimeFaults(declaredMetrics, removedMetrics),
  ];
}

function resourcesOf(manifests: readonly PluginManifest[]) {
  return manifests.flatMap(({contributes}) => contributes?.resources ?? []);
}

function flagsOf(manifests: readonly PluginManifest[]): CommandLineElement[] {
  return manifests
    .flatMap(({config}) => Object.values<ConfigProperty>(config?.properties ?? {}))
    .flatMap(({flag, deprecated}) => (flag === undefined ? [] : [{name: `--${flag}`, deprecated}]));
}

function gatesOf(manifests: readonly PluginManifest[]): GateWithLifetime[] {
  return manifests.flatMap((manifest) =>
    Object.entries(manifest.featureGates ?? {}).map(([name, {stage, lifetime}]) => ({name, stage, lifetime})),
  );
}
