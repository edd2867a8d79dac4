import {FieldPath, invalid, required, type FieldError} from '../../../sdk/index.js';
import type {PolicyRule} from './rbac-types.js';

const rulesPath = FieldPath.of('rules');

/** Faults of the rules of a role. Only rules of cluster roles may be about paths that are no resources. */
export function policyRuleFaults(rules: readonly PolicyRule[] | null | undefined, scope: 'namespace' | 'cluster'): FieldError[] {
  return (rules ?? []).flatMap((rule, index) => ruleFaults(rule, scope, rulesPath.index(index)));
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
