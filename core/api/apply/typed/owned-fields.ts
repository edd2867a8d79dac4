import type {JsonObject, JsonValue} from '../../../../sdk/index.js';
import {asMember, emptySet, type FieldSet} from '../fields/field-set.js';
import {memberElement} from '../fields/path-element.js';
import {itemsByElement} from './list-elements.js';
import type {MergeSchema} from './merge-schema.js';

/**
 * The fields that an object mentions, which its applier owns. Scalars, atomic lists and atomic objects are one field each. Items of sets
 * and maps and keys of maps are fields in addition to their content; structures and lists are not. Members without a schema are left out.
 */
export function ownedFields(schema: MergeSchema, object: JsonObject): FieldSet {
  return below(schema, object) ?? emptySet;
}

/** The fields at and below a place; undefined if there are none. */
function below(schema: MergeSchema, value: JsonValue): FieldSet | undefined {
  switch (schema.shape(value)) {
    case 'leaf':
      return emptySet;
    case 'list':
      return items(schema, (value ?? []) as JsonValue[]);
    case 'object':
      return members(schema, (value ?? {}) as JsonObject);
  }
}

function items(schema: MergeSchema, list: readonly JsonValue[]): FieldSet | undefined {
  if (list.length === 0) return undefined;
  const result: Record<string, FieldSet> = {};
  for (const [element, same] of itemsByElement(schema, list)) {
    // Duplicates cannot be told apart, so they are owned as one.
    result[element] = same.length === 1 ? asMember(below(schema.items, same[0]!)) : emptySet;
  }
  return result;
}

function members(schema: MergeSchema, object: JsonObject): FieldSet | undefined {
  let result: Record<string, FieldSet> | undefined;
  for (const name in object) {
    const value = object[name];
    if (value === undefined) continue;
    const member = schema.member(name);
    if (!member) continue;
    const fields = below(member, value);
    const counts = isEmpty(value) || !schema.declares(name);
    if (!counts && fields === undefined) continue;
    (result ??= {})[memberElement(name)] = counts ? asMember(fields) : fields!;
  }
  return result;
}

/** A null or an empty object is a field: there is nothing else in it to own. */
function isEmpty(value: JsonValue): boolean {
  if (value === null) return true;
  if (typeof value !== 'object' || Array.isArray(value)) return false;
  for (const _name in value) return false;
  return true;
}
