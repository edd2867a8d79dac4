import type {PolicyRule} from '../../families/rbac/policy-rule.js';
import {selectorMatches} from '../../../sdk/labels/index.js';
import type {RoleObject} from './rbac-objects.js';

/**
 * The rules of an aggregated cluster role: those of the roles that its selectors match, sorted by role name, without duplicates. Undefined
 * for a role that is not aggregated.
 */
export function aggregatedRules(role: RoleObject, all: Iterable<RoleObject>): PolicyRule[] | undefined {
  const selectors = role.aggregationRule?.clusterRoleSelectors;
  if (!selectors) return undefined;
  const rules: PolicyRule[] = [];
  const sources = [...all]
    .filter(
      ({metadata}) => metadata.name !== role.metadata.name && selectors.some((selector) => selectorMatches(selector, metadata.labels)),
    )
    .sort((a, b) => (a.metadata.name! < b.metadata.name! ? -1 : 1));
  const known = new Set<string>();
  for (const source of sources) {
    for (const rule of source.rules ?? []) {
      const key = ruleKey(rule);
      if (known.has(key)) continue;
      known.add(key);
      rules.push(rule);
    }
  }
  return rules;
}

/** Equal for equivalent rules: an absent part is equivalent to an empty one. */
function ruleKey({verbs, apiGroups, resources, resourceNames, nonResourceURLs}: PolicyRule): string {
  return JSON.stringify([verbs ?? [], apiGroups ?? [], resources ?? [], resourceNames ?? [], nonResourceURLs ?? []]);
}
