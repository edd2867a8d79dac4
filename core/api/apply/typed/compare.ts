import type {JsonObject, JsonValue} from '../../../../sdk/index.js';
import {equalJson} from '../../../../sdk/values/equal-json.js';
import {emptySet, self, type FieldSet} from '../fields/field-set.js';
import {memberElement, valueElement} from '../fields/path-element.js';
import {itemsByElement} from './list-elements.js';
import type {MergeSchema} from './merge-schema.js';

/** The fields in which two objects differ. Each field is in at most one of the sets. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Differences at and below a place. An undefined set is empty. */
interface Difference {
  readonly added?: FieldSet;
  readonly modified?: FieldSet;
  readonly removed?: FieldSet;
}

interface Draft {
  added?: Record<string, FieldSet>;
  modified?: Record<string, FieldSet>;
  removed?: Record<string, FieldSet>;
}

const modifiedHere: Difference = {modified: emptySet};
const addedHere: Difference = {added: emptySet};
const removedHere: Difference = {removed: emptySet};

/** Compares two states of an object; undefined if no field differs. Members without a schema are ignored. */
export function compareObjects(schema: MergeSchema, before: JsonObject, after: JsonObject): Comparison | undefined {
  const difference = members(schema, before, after);
  if (!difference) return undefined;
  const {added = emptySet, modified = emptySet, removed = emptySet} = difference;
  return {added, modified, removed};
}

function compare(schema: MergeSchema, before: JsonValue, after: JsonValue): Difference | undefined {
  if (before === after) return undefined;
  if (typeof before !== 'object' && typeof after !== 'object') return equalJson(before, after) ? undefined : modifiedHere;
  // Null takes the shape of the value it is compared with.
  const shape = schema.shape(after ?? before);
  if (before !== null && after !== null && schema.shape(before) !== shape) return reshaped(schema, before, after);
  if (shape === 'leaf') return equalJson(before, after) ? undefined : modifiedHere;
  if (isEmpty(before) && isEmpty(after)) return before === null || after === null ? modifiedHere : undefined;
  if (shape === 'list')
    return equalJson(before, after) ? undefined : items(schema, (before ?? []) as JsonValue[], (after ?? []) as JsonValue[]);
  return members(schema, (before ?? {}) as JsonObject, (after ?? {}) as JsonObject);
}

/** A value whose shape changed: the place is modified, and the fields below it are added or removed. */
function reshaped(schema: MergeSchema, before: JsonValue, after: JsonValue): Difference {
  const added = belowOf(all(schema, after));
  const removed = belowOf(all(schema, before));
  return {modified: emptySet, ...(added ? {added} : {}), ...(removed ? {removed} : {})};
}

function members(schema: MergeSchema, before: JsonObject, after: JsonObject): Difference | undefined {
  let draft: Draft | undefined;
  for (const name in after) {
    const value = after[name];
    if (value === undefined) continue;
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    if (old === value) continue;
    const member = schema.member(name);
    if (!member) continue;
    const difference = old === undefined ? {added: all(member, value)} : compare(member, old, value);
    if (difference) draft = record(draft, memberElement(name), difference);
  }
  for (const name in before) {
    const value = before[name];
    if (value === undefined || (Object.hasOwn(after, name) && after[name] !== undefined)) continue;
    const member = schema.member(name);
    if (member) draft = record(draft, memberElement(name), {removed: all(member, value)});
  }
  return draft;
}

function items(schema: MergeSchema, before: readonly JsonValue[], after: readonly JsonValue[]): Difference | undefined {
  const old = itemsByElement(schema, before);
  const wanted = itemsByElement(schema, after);
  let draft: Draft | undefined;
  for (const [element, now] of wanted) {
    const difference = compareItems(schema.items, old.get(element), now);
    if (difference) draft = record(draft, element, difference);
  }
  for (const [element, same] of old) {
    if (!wanted.has(element)) draft = record(draft, element, compareItems(schema.items, same, undefined));
  }
  return draft;
}

/** Compares the items of two lists for one element. Items that occur more than once cannot be distinguished and count as one leaf. */
function compareItems(
  schema: MergeSchema,
  before: readonly JsonValue[] | undefined,
  after: readonly JsonValue[] | undefined,
): Difference | undefined {
  const [old] = before ?? [];
  const [now] = after ?? [];
  const wasMany = before !== undefined && before.length > 1;
  const isMany = after !== undefined && after.length > 1;
  if (wasMany && isMany) return equalJson(before, after) ? undefined : modifiedHere;
  if (wasMany) return now === undefined ? removedHere : {...removedHere, added: all(schema, now)};
  if (isMany) return old === undefined ? addedHere : {...addedHere, removed: all(schema, old)};
  if (old === undefined) return {added: all(schema, now!)};
  return now === undefined ? {removed: all(schema, old)} : compare(schema, old, now);
}

/** The place of a value and all fields below it. */
function all(schema: MergeSchema, value: JsonValue): FieldSet {
  if (typeof value !== 'object' || value === null || schema.shape(value) === 'leaf') return emptySet;
  let result: Record<string, FieldSet> | undefined;
  if (Array.isArray(value) && schema.lists === 'set' && value.every(isScalar)) {
    // The same whether an item occurs once or more often.
    for (const item of value) (result ??= {[self]: emptySet})[valueElement(item)] = emptySet;
  } else if (Array.isArray(value)) {
    for (const [element, same] of itemsByElement(schema, value)) {
      (result ??= {[self]: emptySet})[element] = same.length === 1 ? all(schema.items, same[0]!) : emptySet;
    }
  } else {
    for (const name in value) {
      const member = value[name] === undefined ? undefined : schema.member(name);
      if (member) (result ??= {[self]: emptySet})[memberElement(name)] = all(member, value[name]!);
    }
  }
  return result ?? emptySet;
}

function belowOf(fields: FieldSet): FieldSet | undefined {
  const {[self]: _self, ...below} = fields;
  return _self === undefined ? undefined : below;
}

function record(draft: Draft | undefined, element: string, {added, modified, removed}: Difference = {}): Draft {
  const result = draft ?? {};
  if (added) (result.added ??= {})[element] = added;
  if (modified) (result.modified ??= {})[element] = modified;
  if (removed) (result.removed ??= {})[element] = removed;
  return result;
}

function isScalar(value: JsonValue): boolean {
  return typeof value !== 'object' || value === null;
}

function isEmpty(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value !== 'object' || value === null) return value === null;
  for (const _member in value) return false;
  return true;
}
