import {duplicate, FieldPath, invalid, qualifiedNameFaults, required, type FieldError} from '../../../sdk/index.js';
import type {TopologySelectorTerm} from './storage-types.js';

const topologiesPath = FieldPath.of('allowedTopologies');

/** Faults of the places in which volumes of a class may be: keys once in a term, values once for a key, no term twice. */
export function allowedTopologyFaults(terms: readonly TopologySelectorTerm[] | undefined): FieldError[] {
  // A term without conditions is at fault as if it stood there twice, as in Kubernetes: it would say nothing.
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

/** Terms that differ only in the order of keys and values say the same. */
function meaningOf({matchLabelExpressions}: TopologySelectorTerm): string {
  const expressions = (matchLabelExpressions ?? []).map(({key, values}) => JSON.stringify([key, [...new Set(values ?? [])].sort()]));
  return JSON.stringify(expressions.sort());
}
