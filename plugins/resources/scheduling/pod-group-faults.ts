import {
  dnsLabelFaults,
  dnsSubdomainFaults,
  duplicate,
  invalid,
  notSupported,
  qualifiedNameFaults,
  required,
  tooMany,
  type FieldError,
  type FieldPath,
} from '../../../sdk/index.js';
import {invalidFor, isGiven, sameValue} from '../../../sdk/validation/index.js';
import type {
  PodGroupResourceClaim,
  PodGroupSchedulingConstraints,
  PodGroupSchedulingPolicy,
  PodGroupTemplate,
} from '../../../sdk/types/unchecked/scheduling/v1alpha2.js';

const maximumClaims = 4;
const maximumTopologies = 1;
const maximumPriority = 1_000_000_000;

/** Errors in what pods of a group ask for together: of a group itself, and of a template for groups. */
export function groupFaults(group: Omit<PodGroupTemplate, 'name'>, path: FieldPath): FieldError[] {
  const {schedulingPolicy, schedulingConstraints, resourceClaims, disruptionMode, priorityClassName, priority} = group;
  return [
    ...policyFaults(schedulingPolicy ?? {}, path.child('schedulingPolicy')),
    ...constraintFaults(schedulingConstraints ?? {}, path.child('schedulingConstraints')),
    ...claimFaults(resourceClaims ?? [], path.child('resourceClaims')),
    ...(isGiven(disruptionMode) && !['Pod', 'PodGroup'].includes(disruptionMode)
      ? [notSupported(path.child('disruptionMode'), disruptionMode, ['Pod', 'PodGroup'])]
      : []),
    ...(priorityClassName ? invalidFor(path.child('priorityClassName'), priorityClassName, dnsSubdomainFaults(priorityClassName)) : []),
    ...(isGiven(priority) && priority > maximumPriority
      ? [invalid(path.child('priority'), priority, `must be less than or equal to ${maximumPriority}`)]
      : []),
  ];
}

function policyFaults({basic, gang}: PodGroupSchedulingPolicy, path: FieldPath): FieldError[] {
  const faults = unionFaults({basic, gang}, path);
  if (!gang) return faults;
  const {minCount = 0} = gang;
  const at = path.child('gang', 'minCount');
  if (minCount === 0) return [...faults, required(at)];
  return minCount < 1 ? [...faults, invalid(at, minCount, 'must be greater than or equal to 1')] : faults;
}

function constraintFaults({topology}: PodGroupSchedulingConstraints, path: FieldPath): FieldError[] {
  const all = topology ?? [];
  const at = path.child('topology');
  if (all.length > maximumTopologies) return [tooMany(at, all.length, maximumTopologies)];
  return all.flatMap(({key = ''}, index) => {
    const keyPath = at.index(index).child('key');
    return key === '' ? [required(keyPath)] : invalidFor(keyPath, key, qualifiedNameFaults(key));
  });
}

function claimFaults(claims: readonly PodGroupResourceClaim[], path: FieldPath): FieldError[] {
  if (claims.length > maximumClaims) return [tooMany(path, claims.length, maximumClaims)];
  return [
    ...repeatedNames(claims, path),
    ...claims.flatMap(({name, resourceClaimName, resourceClaimTemplateName}, index) => {
      const at = path.index(index);
      return [
        ...unionFaults({resourceClaimName, resourceClaimTemplateName}, at),
        ...shortNameFaults(name, at.child('name')),
        ...(isGiven(resourceClaimName)
          ? invalidFor(at.child('resourceClaimName'), resourceClaimName, dnsSubdomainFaults(resourceClaimName))
          : []),
        ...(isGiven(resourceClaimTemplateName)
          ? invalidFor(at.child('resourceClaimTemplateName'), resourceClaimTemplateName, dnsSubdomainFaults(resourceClaimTemplateName))
          : []),
      ];
    }),
  ];
}

/** Exactly one of the members is set. */
export function unionFaults(members: Readonly<Record<string, unknown>>, path: FieldPath): FieldError[] {
  const all = Object.keys(members).map((name) => `\`${name}\``);
  const given = Object.keys(members).filter((name) => isGiven(members[name]));
  if (given.length === 1) return [];
  if (given.length === 0) return [invalid(path, '', `must specify one of: ${all.join(', ')}`)];
  return [invalid(path, `{${given.join(', ')}}`, `must specify exactly one of: ${all.join(', ')}`)];
}

export function shortNameFaults(name: string | undefined, path: FieldPath): FieldError[] {
  return name ? invalidFor(path, name, dnsLabelFaults(name)) : [required(path)];
}

/** Items of a list whose names are keys. */
export function repeatedNames(items: readonly {readonly name?: string}[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    const {name = ''} = item;
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [duplicate(path.index(index), item)];
  });
}

/** Errors for members that differ although they are immutable, as generated rules report them: without a value. */
export function immutableFaults<T extends object>(
  now: T,
  before: T,
  members: readonly (keyof T & string)[],
  path: FieldPath,
): FieldError[] {
  return members
    .filter((member) => !sameValue(now[member], before[member]))
    .map((member) => invalid(path.child(member), null, 'field is immutable'));
}
