import type {JsonObject, JsonValue} from '../../../../sdk/index.js';
import {setMember} from '../../json/set-member.js';
import {isEmptySet, isMember, type FieldSet} from '../fields/field-set.js';
import {memberElement} from '../fields/path-element.js';
import {itemElement} from './list-elements.js';
import type {MergeSchema} from './merge-schema.js';

/**
 * An object without the fields of a set. A structure's field with nothing left in it becomes null, which decoding drops if null has no
 * meaning there; a key or an item, which can be owned by itself, stays as an empty value. Shares parts with the original.
 */
export function removeFields(schema: MergeSchema, object: JsonObject, fields: FieldSet): JsonObject {
  return isEmptySet(fields) ? object : ((remove(schema, object, fields) ?? {}) as JsonObject);
}

function remove(schema: MergeSchema, value: JsonValue, fields: FieldSet): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  const shape = schema.shape(value);
  // Something inside a value with a single owner is removed together with that value.
  if (shape === 'leaf') return null;
  return shape === 'list' ? removeItems(schema, value as JsonValue[], fields) : removeMembers(schema, value as JsonObject, fields);
}

function removeItems(schema: MergeSchema, list: readonly JsonValue[], fields: FieldSet): JsonValue {
  const result: JsonValue[] = [];
  for (const item of list) {
    const below = fields[itemElement(schema, item)];
    if (below === undefined) result.push(item);
    else if (!isMember(below)) result.push(remove(schema.items, item, below) ?? emptyLike(item));
  }
  return result.length === 0 ? null : result;
}

function removeMembers(schema: MergeSchema, object: JsonObject, fields: FieldSet): JsonValue {
  const result: JsonObject = {};
  let count = 0;
  for (const name in object) {
    const value = object[name];
    if (value === undefined) continue;
    const below = fields[memberElement(name)];
    if (below !== undefined && isMember(below)) continue;
    const member = schema.member(name);
    count += 1;
    if (below === undefined || !member) setMember(result, name, value);
    else setMember(result, name, remove(member, value, below) ?? (schema.declares(name) ? null : emptyLike(value)));
  }
  return count === 0 ? null : result;
}

function emptyLike(value: JsonValue): JsonValue {
  return Array.isArray(value) ? [] : {};
}
