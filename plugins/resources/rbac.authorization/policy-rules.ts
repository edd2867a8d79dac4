import {FieldPath, invalid, required, tooMany, type FieldError} from '../../../sdk/index.js';
import type {PolicyRule} from '../../../sdk/types/unchecked/rbac.authorization/v1.js';

const rulesPath = FieldPath.of('rules');

/** Far above what real roles have. A bound is needed because rules are kept in memory and compared for every decision. */
const maximumRules = 10_000;
const maximumParts = {verbs: 1000, apiGroups: 1000, resources: 5000, resourceNames: 10_000, nonResourceURLs: 1000} as const;

/** Errors in rules with more parts than the server is willing to compare. */
export function excessFaults(rules: readonly PolicyRule[] | null | undefined): FieldError[] {
  if (!rules) return [];
  if (rules.length > maximumRules) return [tooMany(rulesPath, rules.length, maximumRules)];
  return rules.flatMap((rule, index) =>
    Object.entries(maximumParts).flatMap(([part, maximum]) => {
      const count = rule[part as keyof typeof maximumParts]?.length ?? 0;
      return count > maximum ? [tooMany(rulesPath.index(index).child(part), count, maximum)] : [];
    }),
  );
}

/** Errors in the rules of a role. Only cluster roles may have rules for non-resource URLs. */
export function policyRuleFaults(rules: readonly PolicyRule[] | null | undefined, scope: 'namespace' | 'cluster'): FieldError[] {
  const excess = excessFaults(rules);
  return excess.length > 0 ? excess : (rules ?? []).flatMap((rule, index) => ruleFaults(rule, scope, rulesPath.index(index)));
}

function ruleFaults(rule: PolicyRule, scope: 'namespace' | 'cluster', path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  if (isEmpty(rule.verbs)) faults.push(required(path.child('verbs'), 'verbs must contain at least one value'));
  if (!isEmpty(rule.nonResourceURLs)) {
    const urlsPath = path.child('nonResourceURLs');
    if (scope === 'namespace') faults.push(invalid(urlsPath, rule.nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs'));
    if (!isEmpty(rule.apiGroups) || !isEmpty(rule.resources) || !isEmpty(rule.resourceNames)) {
      faults.push(invalid(urlsPath, rule.nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs'));
    }
    return faults;
  }
  if (isEmpty(rule.apiGroups)) faults.push(required(path.child('apiGroups'), 'resource rules must supply at least one api group'));
  if (isEmpty(rule.resources)) faults.push(required(path.child('resources'), 'resource rules must supply at least one resource'));
  return faults;
}

function isEmpty(list: readonly string[] | null | undefined): boolean {
  return !list || list.length === 0;
}
