import type {JsonValue} from '../../../sdk/index.js';
import {isJsonObject} from '../json/is-json-object.js';
import type {SchemaNode} from '../schema/schema-node.js';

/** Finds the old version of a list item, for lists of type map. In other lists items cannot be correlated. */
export function correlatedItems(list: SchemaNode, old: readonly JsonValue[]): ((item: JsonValue) => JsonValue | undefined) | undefined {
  if (list.listType !== 'map') return undefined;
  const keys = list.listMapKeys;
  const textOf = (item: JsonValue) =>
    JSON.stringify(keys.map((key) => (isJsonObject(item) && Object.hasOwn(item, key) ? keyText(item[key]) : null)));
  const byKeys = new Map(old.map((item) => [textOf(item), item]));
  return (item) => byKeys.get(textOf(item));
}

/** Integers differ from strings, whatever their size. */
function keyText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value as string | number | bigint | boolean | null | undefined);
}
