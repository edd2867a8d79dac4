import {isEmptySelector, type LabelSelector, type LabelSelectorRequirement} from './label-selector.js';

/** Labels on one line, for Table cells: sorted `key=value` pairs, or `<none>`. */
export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const texts = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return texts.length === 0 ? '<none>' : texts.sort().join(',');
}

/** A selector in the syntax of label queries, sorted by key; `<none>` if it is empty, `<error>` if it is invalid. */
export function selectorText(selector: LabelSelector | undefined | null): string {
  if (isEmptySelector(selector)) return '<none>';
  const entries = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => ({key, text: `${key}=${value}`}));
  for (const requirement of selector?.matchExpressions ?? []) {
    const text = requirementText(requirement);
    if (text === undefined) return '<error>';
    entries.push({key: requirement.key ?? '', text});
  }
  return entries
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({text}) => text)
    .join(',');
}

function requirementText({key = '', operator, values = []}: LabelSelectorRequirement): string | undefined {
  switch (operator) {
    case 'In':
      return `${key} in (${[...values].sort().join(',')})`;
    case 'NotIn':
      return `${key} notin (${[...values].sort().join(',')})`;
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return undefined;
  }
}
