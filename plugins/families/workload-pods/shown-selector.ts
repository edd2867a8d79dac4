import type {LabelSelector} from '../../../sdk/labels/index.js';

/** A selector as Go shows it, as messages of Kubernetes have it: `&LabelSelector{MatchLabels:map[string]string{app: web,},…}`, `nil` for none. */
export function shownSelector(selector: LabelSelector | undefined | null): string {
  if (!selector) return 'nil';
  const {matchLabels, matchExpressions} = selector;
  const labels = Object.entries(matchLabels ?? {})
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => `${key}: ${value},`)
    .join('');
  const expressions = (matchExpressions ?? [])
    .map(({key, operator, values}) => `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${(values ?? []).join(' ')}],},`)
    .join('');
  return `&LabelSelector{MatchLabels:map[string]string{${labels}},MatchExpressions:[]LabelSelectorRequirement{${expressions}},}`;
}
