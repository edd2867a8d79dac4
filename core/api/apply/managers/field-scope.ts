import {anyElement, recursiveDifference, recursiveIntersection, setOf, type FieldSet} from '../fields/field-set.js';
import {memberElement} from '../fields/path-element.js';

/** The fields that an endpoint lets a client set and therefore own. */
export interface FieldScope {
  /** If set: only these fields and what is below them. */
  readonly only?: FieldSet;
  /** Not these fields, nor what is below them. */
  readonly except?: FieldSet;
}

/** The set of dotted paths such as `metadata.labels`, for the scope of an endpoint; `*` stands for every item of a list. */
export function pathSet(paths: readonly string[]): FieldSet {
  return setOf(...paths.map((path) => path.split('.').map((step) => (step === '*' ? anyElement : memberElement(step)))));
}

/** The fields of a set that are within a scope. */
export function withinScope(set: FieldSet, {only, except}: FieldScope): FieldSet {
  const allowed = only ? recursiveIntersection(set, only) : set;
  return except ? recursiveDifference(allowed, except) : allowed;
}
