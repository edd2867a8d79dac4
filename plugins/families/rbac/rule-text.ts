import type {PolicyRule} from './policy-rule.js';

/** Maximum number of verbs shown for a rule, and characters of one value. */
const shownValues = 20;
const shownLetters = 100;

/** A rule in the form of Kubernetes' messages; long parts are truncated. */
export function ruleText({apiGroups, resources, nonResourceURLs, resourceNames, verbs}: PolicyRule): string {
  const parts = {APIGroups: apiGroups, Resources: resources, NonResourceURLs: nonResourceURLs, ResourceNames: resourceNames, Verbs: verbs};
  const texts = Object.entries(parts).flatMap(([label, values]) => (values?.length ? [`${label}:[${valuesText(values)}]`] : []));
  return `{${texts.join(', ')}}`;
}

function valuesText(values: readonly string[]): string {
  const shown = values
    .slice(0, shownValues)
    .map((value) => JSON.stringify(value.length > shownLetters ? `${value.slice(0, shownLetters)}…` : value));
  return shown.length < values.length ? `${shown.join(' ')} and ${values.length - shown.length} more` : shown.join(' ');
}
