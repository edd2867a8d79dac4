import {createRequire} from 'node:module';
import {isAbsolute} from 'node:path';
import type satisfies from 'semver/functions/satisfies.js';
import type validRange from 'semver/ranges/valid.js';
import {KERNEL_PACKAGE, KERNEL_VERSION} from '../kernel-version.js';
import type {PluginRequirement, ServiceRequirement} from '../../../sdk/plugin/manifest.js';
import {problem, type KernelProblem, type ProblemPlace} from '../kernel-error.js';
import {packageJsonOf} from './package-json.js';
import type {FoundPlugin} from './read-manifest.js';
import {requirementsOf, type Providers} from './services.js';

const require = createRequire(import.meta.url);

/** The plugins that one may require. */
export interface RequirablePlugins {
  readonly providers: Providers;
  /** Whether it exists but is unusable, which its own problems explain. */
  isBroken(name: string): boolean;
  stateOf(name: string): {readonly enabled: boolean; readonly why: string} | undefined;
  versionOf(name: string): string | undefined;
  /** How messages call the options that enable and that add plugins. */
  readonly enableOption: string;
  readonly addOption: string;
}

/** Unmet requirements of an enabled plugin: this kernel, other plugins. */
export function checkRequirements(plugin: FoundPlugin, others: RequirablePlugins): KernelProblem[] {
  const {name} = plugin;
  const problems = kernelFaults(plugin);
  for (const [index, requirement] of requirementsOf(plugin).entries()) {
    const place = {plugin: name, file: plugin.file, path: `requires[${index}]`};
    const fault =
      rangeFault('version', requirement.version, place) ??
      (requirement.plugin === undefined ? serviceFault(requirement, name, others, place) : pluginFault(requirement, name, others, place));
    if (fault) problems.push(fault);
  }
  return problems;
}

/** Whether this kernel satisfies the manifest and, for a plugin from a package, its package.json. */
function kernelFaults({name, file, folder, source, manifest}: FoundPlugin): KernelProblem[] {
  const {kernel: range} = manifest;
  const problems: KernelProblem[] = [];
  if (!acceptsKernel(range)) {
    const place = {plugin: name, file, path: 'kernel'};
    problems.push(rangeFault('kernel', range, place) ?? problem('KERNEL_RANGE', {range, version: KERNEL_VERSION}, place));
  }
  if (source === 'root' || !isAbsolute(file)) return problems;
  const {file: packageFile, peerRange} = packageJsonOf(folder) ?? {};
  // Places (`file:…`, `workspace:…`) and tags say nothing of versions.
  if (packageFile === undefined || peerRange === undefined || !isRange(peerRange) || inRange(KERNEL_VERSION, peerRange)) return problems;
  const parameters = {package: KERNEL_PACKAGE, range: peerRange, version: KERNEL_VERSION};
  problems.push(problem('PEER_RANGE', parameters, {plugin: name, file: packageFile, path: 'peerDependencies'}));
  return problems;
}

function rangeFault(member: string, range: string | undefined, place: ProblemPlace): KernelProblem | undefined {
  if (range === undefined || isRange(range)) return undefined;
  const detail = `${member} must be a range of versions such as ^${KERNEL_VERSION}, not ${JSON.stringify(range)}`;
  return problem('MANIFEST_INVALID', {detail}, place);
}

function pluginFault(
  {plugin: required, version: range}: PluginRequirement,
  name: string,
  others: RequirablePlugins,
  place: ProblemPlace,
): KernelProblem | undefined {
  const state = others.stateOf(required);
  if (others.isBroken(required)) return undefined;
  if (!state) return problem('REQUIREMENT_MISSING', {required, option: others.addOption}, place);
  if (!state.enabled) return problem('REQUIREMENT_DISABLED', {required, why: state.why, option: others.enableOption, name}, place);
  const version = others.versionOf(required);
  if (range === undefined || version === undefined || inRange(version, range)) return undefined;
  return problem('REQUIREMENT_VERSION', {required, range, version}, place);
}

function serviceFault(
  {service, version: range}: ServiceRequirement,
  name: string,
  others: RequirablePlugins,
  place: ProblemPlace,
): KernelProblem | undefined {
  const providers = others.providers.of(service);
  const provider = providers.find((each) => others.stateOf(each.name)?.enabled);
  if (!provider) {
    const [disabled] = providers;
    if (!disabled) return problem('SERVICE_MISSING', {service, option: others.addOption}, place);
    const {why} = others.stateOf(disabled.name)!;
    return problem('SERVICE_DISABLED', {service, provider: disabled.name, why, option: others.enableOption, name}, place);
  }
  const version = provider.manifest.provides!.find((each) => each.service === service)!.version ?? provider.manifest.version;
  if (range === undefined || inRange(version, range)) return undefined;
  return problem('SERVICE_VERSION', {service, range, provider: provider.name, version}, place);
}

function acceptsKernel(range: string): boolean {
  // As in the built-in manifests, so that the library (6 ms, 3 MB) is only loaded for third-party plugins.
  if (range === `^${KERNEL_VERSION}`) return true;
  return inRange(KERNEL_VERSION, range);
}

function inRange(version: string, range: string): boolean {
  // An unparsable range is satisfied by nothing.
  return (require('semver/functions/satisfies.js') as typeof satisfies)(version, range, {includePrerelease: true});
}

function isRange(text: string): boolean {
  return (require('semver/ranges/valid.js') as typeof validRange)(text) !== null;
}
