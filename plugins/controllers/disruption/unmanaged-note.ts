import type {PodDisruptionBudget} from '../../../sdk/types/unchecked/policy/v1.js';

/** What an event says of a budget that selects pods that nobody controls. The selector is written as Go shows it. */
export function unmanagedNote({spec}: PodDisruptionBudget): string {
  const {matchLabels, matchExpressions} = spec?.selector ?? {};
  const labels = Object.entries(matchLabels ?? {})
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => `${key}: ${value},`)
    .join('');
  const expressions = (matchExpressions ?? [])
    .map(({key, operator, values}) => `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${(values ?? []).join(' ')}],},`)
    .join('');
  const selector = `&LabelSelector{MatchLabels:map[string]string{${labels}},MatchExpressions:[]LabelSelectorRequirement{${expressions}},}`;
  return (
    `Pods selected by this PodDisruptionBudget (selector: ${selector}) were found to be unmanaged. As a result, the status of the PDB cannot be ` +
    'calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.'
  );
}
