import type {PolicyRule} from '../../shared/rbac/policy-rule.js';
import {sameValue} from '../../shared/fields/same-value.js';
import {selectorMatches} from '../../shared/labels/label-selector.js';
import type {RoleObject} from './rbac-objects.js';

/**
 * The rules that an aggregated cluster role has: those of the roles that its selectors choose, in the order of their names,
 * each rule once. Undefined for a role that is not aggregated.
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
  for (const source of sources) {
    for (const rule of source.rules ?? []) if (!rules.some((known) => sameValue(known, rule))) rules.push(rule);
  }
  return rules;
}
