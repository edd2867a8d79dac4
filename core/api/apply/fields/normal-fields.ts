import {isJsonObject} from '../../json/is-json-object.js';
import {emptySet, isEmptySet, self, union, type FieldSet} from './field-set.js';
import {compareElements, normalElement} from './path-element.js';

/**
 * Reads a `FieldsV1` that comes from outside: elements get their normal form, those of unknown kinds are dropped.
 *
 * @throws Error that says what is wrong with it
 */
export function readFields(fields: unknown): FieldSet {
  if (fields === undefined || fields === null) return emptySet;
  if (!isJsonObject(fields)) throw new Error('fieldsV1 must be an object');
  return read(fields, true) ?? emptySet;
}

/** Undefined where a place neither belongs to the set nor has fields below it. */
function read(fields: Record<string, unknown>, root: boolean): FieldSet | undefined {
  let result: FieldSet = emptySet;
  let isMember = false;
  for (const key of Object.keys(fields)) {
    if (key === self) {
      isMember = true;
      continue;
    }
    const element = normalElement(key);
    if (element === undefined) continue;
    const below = fields[key];
    if (!isJsonObject(below)) throw new Error(`${key} must be an object`);
    const subtree = read(below, false);
    if (subtree !== undefined) result = union(result, {[element]: subtree});
  }
  if (root) return sortedFields(result);
  if (isEmptySet(result)) return emptySet;
  return isMember ? {[self]: emptySet, ...result} : result;
}

/** The same set with its elements in the order in which they are written. Itself when they are in order. */
export function sortedFields(set: FieldSet): FieldSet {
  let sorted = true;
  let changed = false;
  let last: string | undefined;
  const elements: string[] = [];
  const subtrees = new Map<string, FieldSet>();
  for (const element in set) {
    if (last !== undefined && compareElements(last, element) > 0) sorted = false;
    last = element;
    const subtree = sortedFields(set[element]!);
    changed ||= subtree !== set[element];
    elements.push(element);
    subtrees.set(element, subtree);
  }
  if (sorted && !changed) return set;
  const result: Record<string, FieldSet> = {};
  for (const element of sorted ? elements : elements.sort(compareElements)) result[element] = subtrees.get(element)!;
  return result;
}
