import {cutText, messageLimits} from '../../../../sdk/errors/message-limits.js';
import type {FieldError, JsonObject, JsonValue} from '../../../../sdk/index.js';
import {jsonSize} from '../../json/json-size.js';
import type {SchemaNode} from '../schema-node.js';
import {canonicalText, inOrderOfNames} from './canonical-text.js';

/** Up to this many keys of a list are looked up in every item; above that, the keys that the item has. */
const fewKeys = 16;

/** A list item equal to an earlier one. */
export interface DuplicateItem {
  readonly index: number;
  /** The item of a set, or the keys of a map's item (members in the order of their names). */
  readonly value: JsonValue;
}

/** How many more characters of lists and objects may be compared. Nested lists are compared once for each level. */
export interface ComparisonBudget {
  left: number;
}

/**
 * Duplicates in a list of type set or map, each at its second occurrence. Items of maps are compared by their keys; an absent key counts
 * with its default.
 *
 * @returns undefined if the budget is exceeded
 */
export function listDuplicates(
  {listType, listMapKeys, items}: Pick<SchemaNode, 'listType' | 'listMapKeys' | 'items'>,
  list: readonly JsonValue[],
  budget: ComparisonBudget,
): DuplicateItem[] | undefined {
  if (listType === 'atomic' || list.length < 2) return [];
  const identify = listType === 'set' ? (item: JsonValue) => item : keysOf(listMapKeys, items);
  const seen = new Map<string, number>();
  const found: DuplicateItem[] = [];
  for (let index = 0; index < list.length; index++) {
    const value = identify(list[index]!);
    const text = identityText(value, budget);
    if (text === undefined) return undefined;
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    if (times === 2) found.push({index, value: inOrderOfNames(value)});
  }
  return found;
}

/** The position of the first item of a list of type map that is no object, and so has no keys; undefined without any. Nulls may be there. */
export function nonObjectIn({listType}: Pick<SchemaNode, 'listType'>, list: readonly JsonValue[]): number | undefined {
  if (listType !== 'map') return undefined;
  const index = list.findIndex((item) => item !== null && (typeof item !== 'object' || Array.isArray(item)));
  return index < 0 ? undefined : index;
}

/** A string that only equal values share. */
function identityText(value: JsonValue, budget: ComparisonBudget): string | undefined {
  // A quote distinguishes strings from all other values.
  if (typeof value === 'string') return `"${value}`;
  if (typeof value !== 'object' || value === null) return String(value);
  budget.left -= jsonSize(value, budget.left);
  return budget.left < 0 ? undefined : canonicalText(value);
}

/** Finds the keys of an item and their values. */
function keysOf(keys: readonly string[], items: SchemaNode | undefined): (item: JsonValue) => JsonObject {
  const defaults = new Map<string, JsonValue>();
  for (const key of keys) {
    const value = items?.properties.get(key)?.default as JsonValue | undefined;
    if (value !== undefined) defaults.set(key, value);
  }
  const known = new Set(keys);
  const candidates = (item: JsonObject) =>
    keys.length <= fewKeys ? keys : [...Object.keys(item).filter((name) => known.has(name) && !defaults.has(name)), ...defaults.keys()];
  return (item) => {
    const picked: JsonObject = Object.create(null) as JsonObject;
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return picked;
    for (const key of candidates(item)) {
      const value = Object.hasOwn(item, key) ? item[key] : undefined;
      const chosen = value === undefined ? defaults.get(key) : value;
      if (chosen !== undefined) picked[key] = chosen;
    }
    return picked;
  };
}

/** What a list of type map has for an item that has no keys; undefined without any. */
export function keylessItemFault(node: SchemaNode, list: readonly JsonValue[], fieldOf: (index: number) => string): FieldError | undefined {
  const index = nonObjectIn(node, list);
  if (index === undefined) return undefined;
  const body = `Invalid value: ${node.behaviour.words.shown(list[index])}: must be an object for an array of list-type map`;
  return {reason: 'FieldValueInvalid', field: fieldOf(index), body: cutText(body, messageLimits.fault)};
}

/** That an item is equal to an earlier one. */
export function duplicateFault({behaviour}: SchemaNode, {index, value}: DuplicateItem, fieldOf: (index: number) => string): FieldError {
  return {reason: 'FieldValueDuplicate', field: fieldOf(index), body: `Duplicate value: ${behaviour.words.shown(value)}`};
}
