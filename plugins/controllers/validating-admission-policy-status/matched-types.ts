import type {ServedResource} from '../../../sdk/index.js';
import type {NamedRuleWithOperations} from '../../../sdk/types/unchecked/admissionregistration/v1.js';

/** So many types are checked at most (Kubernetes' limit, for each rule). */
const maximumTypes = 10;

/** The types that rules name, sorted by group, version and kind. Rules that name no group or version in particular, and subresources, are left out. */
export function matchedTypes(rules: readonly NamedRuleWithOperations[], served: readonly ServedResource[]): readonly ServedResource[] {
  const found = new Map<string, ServedResource>();
  for (const {apiGroups, apiVersions, resources} of rules) {
    if (!areNamed(apiGroups) || !areNamed(apiVersions)) continue;
    const names = (resources ?? []).filter((name) => !/[*/]/.test(name));
    let count = 0;
    for (const group of [...apiGroups].sort())
      for (const version of [...apiVersions].sort())
        for (const name of [...names].sort()) {
          const type = served.find((one) => one.group === group && one.version === version && one.resource === name);
          if (!type) continue;
          found.set(`${group}/${version}/${type.kind}`, type);
          count += 1;
          if (count === maximumTypes) return sorted([...found.values()]);
        }
  }
  return sorted([...found.values()]);
}

function areNamed(names: readonly string[] | null | undefined): names is readonly string[] {
  return names !== undefined && names !== null && !names.some((name) => name.includes('*'));
}

function sorted(types: readonly ServedResource[]): readonly ServedResource[] {
  const key = ({group, version, kind}: ServedResource) => [group, version, kind].join('\u0000');
  return types.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
