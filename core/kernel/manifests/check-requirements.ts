import {createRequire} from 'node:module';
import type satisfies from 'semver/functions/satisfies.js';
import {KERNEL_VERSION} from '../kernel-version.js';
import {problem, type KernelProblem} from '../kernel-error.js';
import type {FoundPlugin} from './read-manifest.js';

/** Unmet requirements of an enabled plugin: this kernel, other plugins. */
export function checkRequirements(plugin: FoundPlugin, known: ReadonlySet<string>, usable: ReadonlySet<string>): KernelProblem[] {
  const {name, file, manifest} = plugin;
  const problems: KernelProblem[] = [];
  if (!acceptsKernel(manifest.kernel)) {
    problems.push(problem('KERNEL_RANGE', {range: manifest.kernel, version: KERNEL_VERSION}, {plugin: name, file, path: 'kernel'}));
  }
  for (const [index, required] of (manifest.requires ?? []).entries()) {
    if (usable.has(required)) continue;
    const code = known.has(required) ? 'REQUIREMENT_DISABLED' : 'REQUIREMENT_MISSING';
    problems.push(problem(code, {required}, {plugin: name, file, path: `requires[${index}]`}));
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
