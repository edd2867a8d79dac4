import type {AdmissionOptions, ResourceDefinition} from '../../sdk/index.js';
import {nearestName} from '../kernel/nearest-name.js';
import type {KernelProblem, ProblemPlace} from '../kernel/kernel-error.js';
import {serverProblem} from '../configuration/error-catalogue.js';

/** An admission controller of a plugin and what its decorator says. */
export interface AdmissionTarget {
  readonly name: string;
  readonly options: AdmissionOptions;
  readonly place: ProblemPlace;
}

const resourceForm = /^(?<plural>[a-z0-9-]+)(?:\/(?<subresource>[a-z0-9-]+))?(?:\.(?<group>[a-z0-9-]+(?:\.[a-z0-9-]+)*))?$/;

/**
 * Resources of admission controllers for which they would never be called.
 *
 * @param definitions the types of all plugins; a group that none of them has may be that of a custom resource, which is no fault
 * @returns the faults, and the resources that are only served once somebody defines them
 */
export function admissionProblems(
  targets: readonly AdmissionTarget[],
  definitions: readonly ResourceDefinition[],
): {readonly problems: KernelProblem[]; readonly later: readonly string[]} {
  const known = knownResources(definitions);
  const groups = new Set(definitions.map(({group}) => group));
  const problems: KernelProblem[] = [];
  const later: string[] = [];
  for (const {name, options, place} of targets) {
    const report = (detail: string) =>
      problems.push(serverProblem('CONTRIBUTION_INVALID', {detail: `the admission ${name} ${detail}`}, place));
    for (const resource of options.resources ?? []) {
      const form = resourceForm.exec(resource)?.groups;
      if (!form) {
        const [type, subresource] = resource.split('/', 2) as [string, string?];
        const [plural, ...group] = type.split('.');
        const hint = subresource === undefined || group.length === 0 ? '' : `; did you mean ${plural}/${subresource}.${group.join('.')}?`;
        report(`names ${JSON.stringify(resource)}, which is not of the form PLURAL.GROUP or PLURAL/SUBRESOURCE.GROUP${hint}`);
        continue;
      }
      const group = form['group'] ?? '';
      if (known.has(resource)) continue;
      if (!groups.has(group)) {
        later.push(resource);
        continue;
      }
      const meant = nearestName(resource, known);
      report(`names ${resource}, which no plugin serves${meant === undefined ? '' : `; did you mean ${meant}?`}`);
    }
  }
  return {problems, later};
}

function knownResources(definitions: readonly ResourceDefinition[]): Set<string> {
  const known = new Set<string>();
  for (const {group, names, versions} of definitions) {
    const suffix = group === '' ? '' : `.${group}`;
    known.add(`${names.plural}${suffix}`);
    for (const {subresources} of versions)
      for (const name of Object.keys(subresources ?? {})) known.add(`${names.plural}/${name}${suffix}`);
  }
  return known;
}
