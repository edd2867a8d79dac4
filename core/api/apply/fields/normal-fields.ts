import {copyMembers} from '../../json/copy-members.js';
import {isJsonObject} from '../../json/is-json-object.js';
import {asMember, emptySet, self, unionOf, type FieldSet} from './field-set.js';
import {InvalidFields} from './invalid-fields.js';
import {normalElement} from './path-element.js';

/**
 * Reads a `FieldsV1` from outside the server. Elements are normalized; those of unknown kinds are dropped.
 *
 * @throws InvalidFields
 */
export function readFields(fields: unknown): FieldSet {
  if (fields === undefined || fields === null) return emptySet;
  if (!isJsonObject(fields)) throw new InvalidFields('fieldsV1 must be an object');
  return sortedFields(read(fields).below);
}

function read(fields: Record<string, unknown>): {below: FieldSet; isMember: boolean} {
  const below: Record<string, FieldSet> = {};
  // Several texts can have the same normal form.
  let again: Map<string, FieldSet[]> | undefined;
  let isMember = false;
  for (const key of Object.keys(fields)) {
    if (key === self) {
      isMember = true;
      continue;
    }
    const element = normalElement(key);
    if (element === undefined) continue;
    const value = fields[key];
    if (!isJsonObject(value)) throw new InvalidFields(`${key} must be an object`);
    const inner = read(value);
    const subtree = inner.isMember ? asMember(inner.below) : inner.below;
    const known = below[element];
    if (known === undefined) {
      below[element] = subtree;
      continue;
    }
    again ??= new Map();
    const subtrees = again.get(element);
    if (subtrees) subtrees.push(subtree);
    else again.set(element, [known, subtree]);
  }
  for (const [element, subtrees] of again ?? []) below[element] = unionOf(subtrees.map((subtree) => ({[element]: subtree})))[element]!;
  return {below, isMember};
}

/** The same set with its elements sorted by their text, as they are written. Returns the set itself if it is sorted already. */
export function sortedFields(set: FieldSet): FieldSet {
  let result: Record<string, FieldSet> | undefined;
  let inOrder = true;
  let last = '';
  for (const element in set) {
    if (element < last) inOrder = false;
    last = element;
    const subtree = set[element]!;
    const sorted = subtree === emptySet ? subtree : sortedFields(subtree);
    if (sorted !== subtree) (result ??= copyMembers<Record<string, FieldSet>>(set))[element] = sorted;
  }
  return inOrder ? (result ?? set) : reordered(result ?? set);
}

function reordered(set: FieldSet): FieldSet {
  const result: Record<string, FieldSet> = {};
  for (const element of sortedNames(Object.keys(set))) result[element] = set[element]!;
  return result;
}

/** Up to so many names are sorted by insertion: `sort` copies them twice, for any number. */
const fewNames = 12;

function sortedNames(names: string[]): string[] {
  if (names.length > fewNames) return names.sort();
  for (let index = 1; index < names.length; index += 1) {
    const name = names[index]!;
    let place = index;
    for (; place > 0 && names[place - 1]! > name; place -= 1) names[place] = names[place - 1]!;
    names[place] = name;
  }
  return names;
}
