import {duplicate, FieldPath, forbiddenField, invalid, qualifiedNameFaults, required, type FieldError} from '../../../sdk/index.js';
import {validateLabelSelector} from '../../../sdk/labels/index.js';
import {invalidFor, validateOneOf, validateOptionalOneOf} from '../../../sdk/validation/index.js';
import type {TopologySpreadConstraint} from '../../../sdk/types/unchecked/core/v1.js';
import {validateLabelKeys} from './label-keys.js';
import type {PodRules} from './pod-rules.js';

/** Errors in a pod's topology spread constraints. */
export function validateTopologySpread(
  constraints: readonly TopologySpreadConstraint[] | undefined,
  path: FieldPath,
  rules: PodRules,
): FieldError[] {
  const pairs = new Set<string>();
  return (constraints ?? []).flatMap((constraint, index) => {
    const at = path.index(index);
    const pair = `{${constraint.topologyKey ?? ''}, ${constraint.whenUnsatisfiable ?? ''}}`;
    const faults = validateConstraint(constraint, at, rules);
    if (pairs.has(pair)) faults.push(duplicate(at.child('{topologyKey, whenUnsatisfiable}'), pair));
    pairs.add(pair);
    return faults;
  });
}

function validateConstraint(constraint: TopologySpreadConstraint, path: FieldPath, rules: PodRules): FieldError[] {
  const {maxSkew = 0, topologyKey, whenUnsatisfiable, minDomains, labelSelector, nodeAffinityPolicy, nodeTaintsPolicy} = constraint;
  const faults: FieldError[] = [];
  if (maxSkew <= 0) faults.push(invalid(path.child('maxSkew'), maxSkew, 'must be greater than zero'));
  if (!topologyKey) faults.push(required(path.child('topologyKey'), 'can not be empty'));
  faults.push(...validateOneOf(whenUnsatisfiable, ['DoNotSchedule', 'ScheduleAnyway'], path.child('whenUnsatisfiable')));
  if (typeof minDomains === 'number') {
    const at = path.child('minDomains');
    if (minDomains <= 0) faults.push(invalid(at, minDomains, 'must be greater than zero'));
    if (whenUnsatisfiable !== 'DoNotSchedule') {
      faults.push(invalid(at, minDomains, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable ?? ''}`));
    }
  }
  return [
    ...faults,
    ...validateOptionalOneOf(nodeAffinityPolicy, ['Honor', 'Ignore'], path.child('nodeAffinityPolicy')),
    ...validateOptionalOneOf(nodeTaintsPolicy, ['Honor', 'Ignore'], path.child('nodeTaintsPolicy')),
    ...(isMerged(rules) ? validateLabelKeys(constraint, path) : validateMatchLabelKeys(constraint, path.child('matchLabelKeys'), rules)),
    ...validateLabelSelector(labelSelector, path.child('labelSelector'), {allowInvalidValues: rules.allowInvalidSelectorValues === true}),
  ];
}

/** Whether selectors have what label keys say. Stored constraints may be older than that. */
function isMerged({gates, stored}: PodRules): boolean {
  const isInvalid = stored?.topologySpreadConstraints?.some((constraint) => validateLabelKeys(constraint, FieldPath.root).length > 0);
  return gates.enabled('MatchLabelKeysInPodTopologySpreadSelectorMerge') && !isInvalid;
}

function validateMatchLabelKeys(
  {matchLabelKeys, labelSelector}: TopologySpreadConstraint,
  path: FieldPath,
  {gates}: PodRules,
): FieldError[] {
  if (!labelSelector && matchLabelKeys?.length && gates.enabled('SpreadKeysNeedSelectors'))
    return [
      forbiddenField(path, 'must not be specified when labelSelector is not set'),
      ...matchLabelKeys.flatMap((key, index) => invalidFor(path.index(index), key, qualifiedNameFaults(key))),
    ];
  const selected = new Set([
    ...Object.keys(labelSelector?.matchLabels ?? {}),
    ...(labelSelector?.matchExpressions ?? []).map(({key}) => key ?? ''),
  ]);
  return (matchLabelKeys ?? []).flatMap((key, index) => {
    const faults = invalidFor(path.index(index), key, qualifiedNameFaults(key));
    if (selected.has(key)) faults.push(invalid(path.index(index), key, 'exists in both matchLabelKeys and labelSelector'));
    return faults;
  });
}
