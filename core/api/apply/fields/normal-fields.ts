import {isJsonObject} from '../../json/is-json-object.js';
import {asMember, emptySet, self, union, type FieldSet} from './field-set.js';
import {compareElements, normalElement} from './path-element.js';

/**
 * Reads a `FieldsV1` that comes from outside: elements get their normal form, those of unknown kinds are dropped.
 *
 * @throws Error that says what is wrong with it
 */
export function readFields(fields: unknown): FieldSet {
  if (fields === undefined || fields === null) return emptySet;
  if (!isJsonObject(fields)) throw new Error('fieldsV1 must be an object');
  return sortedFields(read(fields).below);
}

function read(fields: Record<string, unknown>): {below: FieldSet; isMember: boolean} {
  let below: FieldSet = emptySet;
  let isMember = false;
  for (const key of Object.keys(fields)) {
    if (key === self) {
      isMember = true;
      continue;
    }
    const element = normalElement(key);
    if (element === undefined) continue;
    const value = fields[key];
    if (!isJsonObject(value)) throw new Error(`${key} must be an object`);
    const inner = read(value);
    below = union(below, {[element]: inner.isMember ? asMember(inner.below) : inner.below});
  }
  return {below, isMember};
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
