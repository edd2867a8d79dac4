import type {JsonObject, JsonValue} from '../../../../sdk/index.js';
import {getMember} from '../../json/get-member.js';
import {isJsonObject} from '../../json/is-json-object.js';
import type {FieldPathElements} from '../fields/field-set.js';
import {memberElement, pathText} from '../fields/path-element.js';
import {itemElement} from './list-elements.js';
import type {MergeSchema} from './merge-schema.js';

/** At most this many errors are reported. */
const faultLimit = 20;

/**
 * Reasons why an applied configuration cannot be merged: fields that are not in the schema, items that cannot be told apart, and items
 * without a key. One message per error, with the path as Kubernetes writes it.
 */
export function configurationFaults(schema: MergeSchema, config: JsonObject): string[] {
  const faults: string[] = [];
  check(schema, config, [], faults);
  return faults;
}

function check(schema: MergeSchema, value: JsonValue | undefined, path: FieldPathElements, faults: string[]): void {
  if (typeof value !== 'object' || value === null || faults.length >= faultLimit) return;
  if (Array.isArray(value)) {
    if (schema.isGranularList) checkItems(schema, value, path, faults);
    else if (!schema.isUnknown) for (const [index, item] of value.entries()) check(schema.items, item, [...path, `i:${index}`], faults);
    return;
  }
  for (const name in value) {
    const member = schema.member(name);
    const at = [...path, memberElement(name)];
    if (member) check(member, value[name], at, faults);
    else if (schema.objects !== 'none' && faults.length < faultLimit) faults.push(`${pathText(at)}: field not declared in schema`);
  }
}

function checkItems(schema: MergeSchema, list: readonly JsonValue[], path: FieldPathElements, faults: string[]): void {
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    if (faults.length >= faultLimit) return;
    const problem = itemProblem(schema, item);
    if (problem !== undefined) {
      faults.push(`${pathText(path)}: element ${index}: ${problem}`);
      continue;
    }
    const element = itemElement(schema, item);
    if (seen.has(element)) faults.push(`${pathText(path)}: duplicate entries for key ${pathText([element])}`);
    seen.add(element);
    check(schema.items, item, [...path, element], faults);
  }
}

function itemProblem(schema: MergeSchema, item: JsonValue): string | undefined {
  if (schema.lists === 'set') {
    return typeof item === 'object' ? 'associative list without keys may only have scalar elements' : undefined;
  }
  if (!isJsonObject(item)) return 'associative list with keys may not have non-map elements';
  const hasKey = schema.keys.some((name) => (getMember(item, name) ?? schema.keyDefault(name)) !== undefined);
  return hasKey
    ? undefined
    : `associative list with keys has an element that omits all key fields ${JSON.stringify(schema.keys)} (and doesn't have default values for any key fields)`;
}
