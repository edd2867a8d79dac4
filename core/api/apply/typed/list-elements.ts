import type {JsonValue} from '../../../../sdk/index.js';
import {getMember} from '../../json/get-member.js';
import {isJsonObject} from '../../json/is-json-object.js';
import {keyElement, valueElement} from '../fields/path-element.js';
import type {MergeSchema} from './merge-schema.js';

/** The path element of an item of a set or of a list of type map. A missing key counts with its default if it has one. */
export function itemElement(schema: MergeSchema, item: JsonValue): string {
  if (schema.lists !== 'map' || !isJsonObject(item)) return valueElement(item);
  const fields: [string, JsonValue][] = [];
  for (const name of schema.keys) {
    const value = getMember(item, name) ?? schema.keyDefault(name);
    if (value !== undefined && value !== null) fields.push([name, value]);
  }
  return keyElement(fields);
}

/** The items of a list by element, in order of appearance. Several items with the same element are duplicates. */
export function itemsByElement(schema: MergeSchema, list: readonly JsonValue[]): Map<string, JsonValue[]> {
  const items = new Map<string, JsonValue[]>();
  for (const item of list) {
    const element = itemElement(schema, item);
    const known = items.get(element);
    if (known) known.push(item);
    else items.set(element, [item]);
  }
  return items;
}
