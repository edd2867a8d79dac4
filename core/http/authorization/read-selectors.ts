import type {FieldSelectorTerm, LabelSelectorTerm, ReadSelectors} from '../../../sdk/index.js';
import {parseFieldSelector} from '../../api/selectors/field-selector.js';
import {parseLabelSelector, type LabelRequirement} from '../../api/selectors/label-selector.js';

const operators = {
  '=': 'In',
  '==': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
} as const;

/** Selectors in the form that authorizers get. Of labels, `>` and `<` have no such form and are left out: without them the question is only broader. */
export function readSelectors(fieldSelector: string, labelSelector: string): ReadSelectors {
  const fields = fieldSelector === '' ? [] : attempt(() => fieldTerms(fieldSelector));
  const labels = labelSelector === '' ? [] : attempt(() => labelTerms(labelSelector));
  return {
    ...(fields?.length ? {fieldSelector: fields} : {}),
    ...(labels?.length ? {labelSelector: labels} : {}),
    unreadable: [...(fields ? [] : (['fieldSelector'] as const)), ...(labels ? [] : (['labelSelector'] as const))],
  };
}

function fieldTerms(text: string): FieldSelectorTerm[] {
  return parseFieldSelector(text).requirements.map(({field, operator, value}) => ({
    key: field,
    operator: operator === '=' ? 'In' : 'NotIn',
    values: [value],
  }));
}

function labelTerms(text: string): LabelSelectorTerm[] {
  return parseLabelSelector(text).requirements.flatMap(labelTerm);
}

function labelTerm({key, operator, values}: LabelRequirement): LabelSelectorTerm[] {
  return operator === 'gt' || operator === 'lt' ? [] : [{key, operator: operators[operator], values}];
}

/** A selector that is none is refused where the objects are read; here it narrows nothing. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
