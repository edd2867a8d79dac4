import {createRequire} from 'node:module';
import type satisfies from 'semver/functions/satisfies.js';
import {KERNEL_VERSION} from '../kernel-version.js';
import {problem, type KernelProblem} from '../kernel-error.js';
import type {FoundPlugin} from './read-manifest.js';

/** What is known of the plugins that one may require. */
export interface RequirablePlugins {
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
  if (!acceptsKernel(manifest.kernel)) {
    problems.push(problem('KERNEL_RANGE', {range: manifest.kernel, version: KERNEL_VERSION}, {plugin: name, file, path: 'kernel'}));
  }
  for (const [index, required] of (manifest.requires ?? []).entries()) {
    const state = others.stateOf(required);
    if (state?.enabled || others.isBroken(required)) continue;
    const place = {plugin: name, file, path: `requires[${index}]`};
    problems.push(
      state
        ? problem('REQUIREMENT_DISABLED', {required, why: state.why, option: others.enableOption, name}, place)
        : problem('REQUIREMENT_MISSING', {required, option: others.addOption}, place),
    );
  }
  return problems;
}

function acceptsKernel(range: string): boolean {
  // What the built-in manifests say, so that the library (6 ms, 3 MB) is loaded for other people's plugins only.
  if (range === `^${KERNEL_VERSION}`) return true;
  const library = createRequire(import.meta.url)('semver/functions/satisfies.js') as typeof satisfies;
  // An unparsable range is satisfied by nothing.
  return library(KERNEL_VERSION, range, {includePrerelease: true});
}
