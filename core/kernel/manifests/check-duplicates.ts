import {groupResourceText} from '../../../sdk/objects/group-version.js';
import {problem, type KernelProblem, type ProblemPlace} from '../kernel-error.js';
import {declaredClasses} from './contributed-classes.js';
import type {FoundPlugin} from './read-manifest.js';

/** Something that only one plugin may contribute. */
export interface Claim {
  readonly kind: string;
  readonly name: string;
  readonly path: string;
}

/** Names that more than one of the plugins claims. Disabled plugins may claim any name, so that one plugin can replace another. */
export function checkDuplicates(plugins: readonly FoundPlugin[]): KernelProblem[] {
  return duplicateClaims(plugins, claims, ({kind, name}, other, place) =>
    kind === 'feature gate'
      ? problem('DUPLICATE_FEATURE_GATE', {name, other}, place)
      : problem('DUPLICATE_CONTRIBUTION', {kind, name, other}, place),
  );
}

/**
 * A problem for each claim to a name that is taken.
 *
 * @param owners of the names that are taken: `KIND NAME` to the owner in words
 */
export function duplicateClaims<P extends FoundPlugin>(
  plugins: readonly P[],
  claimsOf: (plugin: P) => Iterable<Claim>,
  makeProblem: (claim: Claim, other: string, place: ProblemPlace) => KernelProblem,
  owners = new Map<string, string>(),
): KernelProblem[] {
  const problems: KernelProblem[] = [];
  for (const plugin of plugins) {
    for (const claim of claimsOf(plugin)) {
      const key = `${claim.kind} ${claim.name}`;
      const owner = owners.get(key);
      if (owner === undefined) {
        owners.set(key, `plugin ${plugin.name}`);
        continue;
      }
      const place = {plugin: plugin.name, file: plugin.file, path: claim.path};
      // The same plugin twice is as wrong as two plugins.
      const other = owner === `plugin ${plugin.name}` ? 'the same plugin' : owner;
      problems.push(makeProblem(claim, other, place));
    }
  }
  return problems;
}

function* claims({manifest}: FoundPlugin): Iterable<Claim> {
  const contributes = manifest.contributes ?? {};
  for (const [index, {group, names}] of (contributes.resources ?? []).entries()) {
    const path = `contributes.resources[${index}].names`;
    yield {kind: 'resource', name: groupResourceText({group, resource: names.plural}), path: `${path}.plural`};
    yield {kind: 'resource kind', name: group === '' ? names.kind : `${names.kind}.${group}`, path: `${path}.kind`};
  }
  for (const [index, {schemes}] of (contributes.stores ?? []).entries()) {
    for (const [position, name] of schemes.entries())
      yield {kind: 'store', name, path: `contributes.stores[${index}].schemes[${position}]`};
  }
  for (const [index, {service: name}] of (manifest.provides ?? []).entries())
    yield {kind: 'service', name, path: `provides[${index}].service`};
  for (const {mode, path} of declaredClasses(manifest))
    if (mode !== undefined) yield {kind: 'authorization mode', name: mode, path: path.replace(/class$/, 'mode')};
  for (const [index, {name}] of (contributes.admission ?? []).entries())
    yield {kind: 'admission plugin', name, path: `contributes.admission[${index}].name`};
  for (const [index, {name, aliases = []}] of (contributes.controllers ?? []).entries()) {
    yield {kind: 'controller', name, path: `contributes.controllers[${index}].name`};
    for (const [position, alias] of aliases.entries())
      yield {kind: 'controller', name: alias, path: `contributes.controllers[${index}].aliases[${position}]`};
  }
  for (const [index, {path: route, methods}] of (contributes.routes ?? []).entries()) {
    for (const method of methods) yield {kind: 'route', name: `${method} ${route}`, path: `contributes.routes[${index}].path`};
  }
  for (const name of Object.keys(manifest.featureGates ?? {})) yield {kind: 'feature gate', name, path: `featureGates.${name}`};
}
