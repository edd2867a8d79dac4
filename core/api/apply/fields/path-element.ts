import type {JsonValue} from '../../../../sdk/index.js';
import {decodeJson, encodeJson} from '../../codec/json.js';
import {isJsonObject} from '../../json/is-json-object.js';
import type {FieldPathElements} from './field-set.js';
import {InvalidFields} from './invalid-fields.js';

/** A few names occur again and again, so their elements are created once. The bound keeps names sent by clients from filling memory. */
const memberElements = new Map<string, string>();
const memberLimit = 10_000;

/**
 * One step of a path into an object, written as in `FieldsV1`:
 *
 * | form | selects |
 * | --- | --- |
 * | `f:NAME` | a member of an object |
 * | `k:{"KEY":VALUE,…}` | the list item whose key fields have these values; keys in alphabetical order |
 * | `v:VALUE` | the item of a set |
 * | `i:NUMBER` | the list item at this index |
 */
export function memberElement(name: string): string {
  let element = memberElements.get(name);
  if (element === undefined) {
    element = `f:${name}`;
    if (memberElements.size < memberLimit) memberElements.set(name, element);
  }
  return element;
}

/** The item of a set. */
export function valueElement(value: JsonValue): string {
  return `v:${scalarText(value)}`;
}

/** The list item with these values of its key fields, which must be in alphabetical order. */
export function keyElement(fields: Iterable<readonly [name: string, value: JsonValue]>): string {
  let text = '';
  for (const [name, value] of fields) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${scalarText(value)}`;
  return `k:{${text}}`;
}

function scalarText(value: JsonValue): string {
  return typeof value === 'string' ? JSON.stringify(value) : encodeJson(value);
}

/** The member's name if the element selects a member. */
export function memberName(element: string): string | undefined {
  return element.startsWith('f:') ? element.slice(2) : undefined;
}

/**
 * Normalizes an element from outside the server; undefined for an unknown kind, which must be ignored.
 *
 * @throws InvalidFields
 */
export function normalElement(element: string): string | undefined {
  if (element.length < 2) throw new InvalidFields('key must be 2 characters long');
  if (element[1] !== ':') throw new InvalidFields(`missing colon: ${element}`);
  switch (element[0]) {
    case 'f':
      return element;
    case 'k': {
      const keys = parse(element);
      if (!isJsonObject(keys)) throw new InvalidFields(`not an object: ${element}`);
      return keyElement(Object.entries(keys as Record<string, JsonValue>).sort(([a], [b]) => (a < b ? -1 : 1)));
    }
    case 'v':
      return valueElement(parse(element));
    case 'i':
      if (!/^i:-?[0-9]{1,15}$/.test(element)) throw new InvalidFields(`not a number: ${element}`);
      return `i:${Number(element.slice(2))}`;
    default:
      return undefined;
  }
}

function parse(element: string): JsonValue {
  try {
    return decodeJson(Buffer.from(element.slice(2))).value;
  } catch (error) {
    throw new InvalidFields(`not JSON: ${element}`, {cause: error});
  }
}

/** A path as Kubernetes shows it to users: `.spec.containers[name="nginx"].image`. */
export function pathText(path: FieldPathElements): string {
  return path.map(elementText).join('');
}

function elementText(element: string): string {
  switch (element[0]) {
    case 'f':
      return `.${element.slice(2)}`;
    case 'k': {
      const keys = parse(element) as Record<string, JsonValue>;
      return `[${Object.entries(keys)
        .map(([name, value]) => `${name}=${encodeJson(value)}`)
        .join(',')}]`;
    }
    case 'v':
      return `[=${element.slice(2)}]`;
    default:
      return `[${element.slice(2)}]`;
  }
}
