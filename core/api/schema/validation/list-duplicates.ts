import type {JsonObject, JsonValue} from '../../../../sdk/index.js';
import type {ListType, SchemaNode} from '../schema-node.js';
import {canonicalText} from './canonical-text.js';

/** An item of a list that says the same as an earlier one. */
export interface DuplicateItem {
  readonly index: number;
  /** The item of a set; the keys of the item of a map. */
  readonly value: JsonValue;
}

/**
 * Items that a list of type set or map must not have twice, each at its second place. In a map items are compared by their keys; a
 * key that is absent counts with its default.
 */
export function listDuplicates(type: ListType, keys: readonly string[], list: readonly JsonValue[], items?: SchemaNode): DuplicateItem[] {
  if (type === 'atomic' || list.length < 2) return [];
  const seen = new Map<string, number>();
  const found: DuplicateItem[] = [];
  for (const [index, item] of list.entries()) {
    const value = type === 'set' ? item : keysOf(item, keys, items);
    const text = canonicalText(value);
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    if (times === 2) found.push({index, value});
  }
  return found;
}

function keysOf(item: JsonValue, keys: readonly string[], items: SchemaNode | undefined): JsonObject {
  const picked: JsonObject = Object.create(null) as JsonObject;
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return picked;
  for (const key of keys) {
    const value = Object.hasOwn(item, key) ? item[key] : undefined;
    const chosen = value === undefined ? (items?.properties.get(key)?.default as JsonValue | undefined) : value;
    if (chosen !== undefined) picked[key] = chosen;
  }
  return picked;
}
