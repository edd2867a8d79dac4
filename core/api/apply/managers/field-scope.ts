import {recursiveDifference, recursiveIntersection, setOf, type FieldSet} from '../fields/field-set.js';
import {memberElement} from '../fields/path-element.js';

/** Which fields an endpoint lets a client set, and so own. */
export interface FieldScope {
  /** Nothing but these and what is below them, where given. */
  readonly only?: FieldSet;
  /** Not these, nor what is below them. */
  readonly except?: FieldSet;
}

/** The set of dotted paths such as `metadata.labels`. */
export function pathSet(paths: readonly string[]): FieldSet {
  return setOf(...paths.map((path) => path.split('.').map(memberElement)));
}

/** The part of a set that is within a scope. */
export function withinScope(set: FieldSet, {only, except}: FieldScope): FieldSet {
  const allowed = only ? recursiveIntersection(set, only) : set;
  return except ? recursiveDifference(allowed, except) : allowed;
}
