import {required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {validateLabelSelector} from '../../../sdk/labels/index.js';
import {validateOneOf} from '../../../sdk/validation/index.js';
import type {MatchResources} from '../../../sdk/types/unchecked/admissionregistration/v1alpha1.js';
import {namedRuleFaults} from './rule-faults.js';

const matchPolicies = ['Exact', 'Equivalent'];

/** Errors in the match resources of a policy or binding. */
export function matchResourcesFaults(match: MatchResources, path: FieldPath): FieldError[] {
  const faults = validateOneOf(match.matchPolicy, matchPolicies, path.child('matchPolicy'));
  for (const member of ['namespaceSelector', 'objectSelector'] as const) {
    const at = path.child(member);
    faults.push(...(match[member] ? validateLabelSelector(match[member], at) : [required(at)]));
  }
  for (const member of ['resourceRules', 'excludeResourceRules'] as const) {
    faults.push(...(match[member] ?? []).flatMap((rule, index) => namedRuleFaults(rule, path.child(member).index(index))));
  }
  return faults;
}
