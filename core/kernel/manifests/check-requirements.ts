import {createRequire} from 'node:module';
import type satisfies from 'semver/functions/satisfies.js';
import type validRange from 'semver/ranges/valid.js';
import {KERNEL_VERSION} from '../kernel-version.js';
import type {ServiceRequirement} from '../../../sdk/plugin/manifest.js';
import {problem, type KernelProblem, type ProblemPlace} from '../kernel-error.js';
import type {FoundPlugin} from './read-manifest.js';
import {requirementsOf, type Providers} from './services.js';

/** What is known of the plugins that one may require. */
export interface RequirablePlugins {
  readonly providers: Providers;
  /** Whether its own problems tell why it is not there. */
  isBroken(name: string): boolean;
  stateOf(name: string): {readonly enabled: boolean; readonly why: string} | undefined;
  /** How messages call the options that enable and that add plugins. */
  readonly enableOption: string;
  readonly addOption: string;
}

/** Unmet requirements of an enabled plugin: this kernel, other plugins. */
export function checkRequirements(plugin: FoundPlugin, others: RequirablePlugins): KernelProblem[] {
  const {name, file, manifest} = plugin;
  const problems: KernelProblem[] = [];
  if (!isRange(manifest.kernel)) {
    const detail = `kernel must be a range of versions such as ^${KERNEL_VERSION}, not ${JSON.stringify(manifest.kernel)}`;
    problems.push(problem('MANIFEST_INVALID', {detail}, {plugin: name, file, path: 'kernel'}));
  } else if (!acceptsKernel(manifest.kernel)) {
    problems.push(problem('KERNEL_RANGE', {range: manifest.kernel, version: KERNEL_VERSION}, {plugin: name, file, path: 'kernel'}));
  }
  for (const [index, requirement] of requirementsOf(plugin).entries()) {
    const place = {plugin: name, file, path: `requires[${index}]`};
    const fault =
      requirement.plugin === undefined
        ? serviceFault(requirement, name, others, place)
        : pluginFault(requirement.plugin, name, others, place);
    if (fault) problems.push(fault);
  }
  return problems;
}

function pluginFault(required: string, name: string, others: RequirablePlugins, place: ProblemPlace): KernelProblem | undefined {
  const state = others.stateOf(required);
  if (state?.enabled || others.isBroken(required)) return undefined;
  return state
    ? problem('REQUIREMENT_DISABLED', {required, why: state.why, option: others.enableOption, name}, place)
    : problem('REQUIREMENT_MISSING', {required, option: others.addOption}, place);
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

function isRange(range: string): boolean {
  if (range === `^${KERNEL_VERSION}`) return true;
  return (createRequire(import.meta.url)('semver/ranges/valid.js') as typeof validRange)(range) !== null;
}

function acceptsKernel(range: string): boolean {
  // What the built-in manifests say, so that the library (6 ms, 3 MB) is loaded for other people's plugins only.
  if (range === `^${KERNEL_VERSION}`) return true;
  return inRange(KERNEL_VERSION, range);
}

function inRange(version: string, range: string): boolean {
  const library = createRequire(import.meta.url)('semver/functions/satisfies.js') as typeof satisfies;
  // An unparsable range is satisfied by nothing.
  return library(version, range, {includePrerelease: true});
}
