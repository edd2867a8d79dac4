import type {JsonObject, JsonValue} from '../../../sdk/index.js';
import type {ListType, SchemaNode} from './schema-node.js';

/** An item of a list that says the same as an earlier one. */
export interface DuplicateItem {
  readonly index: number;
  /** The item of a set; the keys of the item of a map. */
  readonly value: JsonValue;
}

/**
 * Items that a list of type set or map must not have twice. In a map items are compared by their keys; a key that is absent
 * counts with its default.
 */
export function listDuplicates(type: ListType, keys: readonly string[], list: readonly JsonValue[], items?: SchemaNode): DuplicateItem[] {
  if (type === 'atomic' || list.length < 2) return [];
  const seen = new Set<string>();
  const found: DuplicateItem[] = [];
  for (const [index, item] of list.entries()) {
    const value = type === 'set' ? item : keysOf(item, keys, items);
    const text = canonicalText(value);
    if (seen.has(text)) found.push({index, value});
    else seen.add(text);
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

/** Text that two values share when and only when they are equal: members sorted, `1` and `1n` alike. */
function canonicalText(value: JsonValue): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member === 'bigint') return Number.isSafeInteger(Number(member)) ? Number(member) : {int: member.toString()};
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
