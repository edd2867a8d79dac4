import {duplicate, FieldPath, invalid, qualifiedNameFaults, required, type FieldError} from '../../../sdk/index.js';
import type {TopologySelectorTerm} from '../../../sdk/types/unchecked/core/v1.js';

const topologiesPath = FieldPath.of('allowedTopologies');

/** Errors in the allowed topologies of a class: keys are unique in a term, values in a key, and terms in the list. */
export function allowedTopologyFaults(terms: readonly TopologySelectorTerm[] | undefined): FieldError[] {
  // As in Kubernetes, a term without conditions is reported like a duplicate: it has no effect.
  const seen = new Set([meaningOf({})]);
  return (terms ?? []).flatMap((term, index) => {
    const path = topologiesPath.index(index).child('matchLabelExpressions');
    const faults = termFaults(term, path);
    const meaning = meaningOf(term);
    if (seen.has(meaning)) faults.push(duplicate(path, ''));
    seen.add(meaning);
    return faults;
  });
}

function termFaults({matchLabelExpressions}: TopologySelectorTerm, path: FieldPath): FieldError[] {
  const keys = new Set<string>();
  return (matchLabelExpressions ?? []).flatMap(({key = '', values}, index) => {
    const at = path.index(index);
    const faults = [
      ...valueFaults(values ?? [], at.child('values')),
      ...qualifiedNameFaults(key).map((detail) => invalid(at.child('key'), key, detail)),
    ];
    if (keys.has(key)) faults.push(duplicate(at.child('key'), key));
    keys.add(key);
    return faults;
  });
}

function valueFaults(values: readonly string[], path: FieldPath): FieldError[] {
  if (values.length === 0) return [required(path)];
  const seen = new Set<string>();
  const faults: FieldError[] = [];
  for (const [index, value] of values.entries()) {
    if (seen.has(value)) faults.push(duplicate(path.index(index), value));
    seen.add(value);
  }
  return faults;
}

/** Terms that differ only in the order of keys and values are equal. */
function meaningOf({matchLabelExpressions}: TopologySelectorTerm): string {
  const expressions = (matchLabelExpressions ?? []).map(({key, values}) => JSON.stringify([key, [...new Set(values ?? [])].sort()]));
  return JSON.stringify(expressions.sort());
}
