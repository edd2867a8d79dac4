import type {JsonObject, JsonValue} from '../../../../sdk/index.js';
import {isJsonObject} from '../../json/is-json-object.js';
import type {SchemaNode} from '../../schema/schema-node.js';
import {goSyntax, goText, goTypeName} from '../../schema/go-words/go-value.js';
import {memberElement, pathText} from '../fields/path-element.js';

/** At most this many errors are reported. */
const faultLimit = 20;

/**
 * Values of other types than the schema has in a configuration that an expression has made, in the words of Kubernetes' merge. A null is of none of them: expressions have a null of
 * their own, which is not that of JSON. Fields that the schema does not have are left to others.
 */
export function typeFaults(node: SchemaNode, config: JsonObject): string[] {
  const faults: string[] = [];
  check(node, config, '', faults);
  return faults;
}

function check(node: SchemaNode, value: JsonValue | undefined, path: string, faults: string[]): void {
  if (value === undefined || faults.length >= faultLimit) return;
  const problem = problemOf(node, value);
  if (problem !== undefined) {
    faults.push(`${path}: ${problem}`);
    return;
  }
  if (Array.isArray(value)) {
    // Items with keys are named by them, and looked at by who knows the keys.
    if (node.items) for (const [index, item] of value.entries()) check(node.items, item, `${path}[${index}]`, faults);
  } else if (isJsonObject(value)) {
    for (const [name, one] of Object.entries(value)) {
      const member = node.member(name);
      if (member) check(member, one, path + pathText([memberElement(name)]), faults);
    }
  }
}

function problemOf(node: SchemaNode, value: JsonValue): string | undefined {
  const isScalar = typeof value !== 'object';
  switch (node.type) {
    case 'object':
      return isJsonObject(value) ? undefined : `expected map, got &{${goText(value)}}`;
    case 'array':
      return Array.isArray(value) ? undefined : `expected list, got &{${goText(value)}}`;
    case 'integer':
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint'
        ? undefined
        : `expected numeric (int or float), got ${goTypeName(value)}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got &{${goText(value)}}`;
    case 'string':
      if (takesAnyScalar(node)) return isScalar ? undefined : `expected any scalar, got &{${goText(value)}}`;
      return typeof value === 'string' ? undefined : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case 'int-or-string':
      return isScalar ? undefined : `expected any scalar, got &{${goText(value)}}`;
    default:
      return value === null ? `expected map, got &{${goText(value)}}` : undefined;
  }
}

/** Texts that can be written as numbers too, and those with a format, have no type of their own there. */
function takesAnyScalar({form, format}: SchemaNode): boolean {
  return form === undefined ? format !== undefined && format !== 'byte' : form !== 'bytes';
}
