import {duplicate, invalid, notSupported, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {pathSegmentFaults, validateOptionalOneOf} from '../../../sdk/validation/index.js';
import type {NamedRuleWithOperations} from '../../../sdk/types/unchecked/admissionregistration/v1alpha1.js';
import type {RuleWithOperations} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {resourcePatternFaults} from './resource-pattern-faults.js';

const operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT', '*'];
const scopes = ['Cluster', 'Namespaced', '*'];

/** Errors in a rule that selects requests. */
export function ruleFaults(rule: RuleWithOperations, path: FieldPath): FieldError[] {
  const versionsPath = path.child('apiVersions');
  return [
    ...wildcardFaults(rule.operations, path.child('operations'), 'operations'),
    ...(rule.operations ?? []).flatMap((operation, index) =>
      operations.includes(operation) ? [] : [notSupported(path.child('operations').index(index), operation, operations)],
    ),
    ...wildcardFaults(rule.apiGroups, path.child('apiGroups'), 'API groups'),
    ...wildcardFaults(rule.apiVersions, versionsPath, 'API versions'),
    ...(rule.apiVersions ?? []).flatMap((version, index) => (version === '' ? [required(versionsPath.index(index))] : [])),
    ...resourcePatternFaults(rule.resources ?? [], path.child('resources')),
    ...validateOptionalOneOf(rule.scope, scopes, path.child('scope')),
  ];
}

/** Like `ruleFaults`, for a rule that may name single objects, each once. */
export function namedRuleFaults(rule: NamedRuleWithOperations, path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  const faults = (rule.resourceNames ?? []).flatMap((name, index) => {
    const at = path.child('resourceNames').index(index);
    const found = pathSegmentFaults(name).map((detail) => invalid(at, name, `invalid name: ${detail}`));
    if (seen.has(name)) found.push(duplicate(at, name));
    seen.add(name);
    return found;
  });
  return [...faults, ...ruleFaults(rule, path)];
}

/** The list must not be empty, and `*` must be its only item. */
function wildcardFaults(list: readonly string[] | undefined, path: FieldPath, noun: string): FieldError[] {
  if (!list || list.length === 0) return [required(path)];
  return list.length > 1 && list.includes('*') ? [invalid(path, list, `if '*' is present, must not specify other ${noun}`)] : [];
}
