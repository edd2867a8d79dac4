import type {JsonValue} from '../../../../sdk/index.js';
import {decodeJson, encodeJson} from '../../codec/json.js';
import {isJsonObject} from '../../json/is-json-object.js';
import type {FieldPathElements} from './field-set.js';

/**
 * One step of a path into an object, written as in `FieldsV1`:
 *
 * | form | selects |
 * | --- | --- |
 * | `f:NAME` | a member of an object |
 * | `k:{"KEY":VALUE,…}` | the item of a list whose key fields have these values; keys in alphabetical order |
 * | `v:VALUE` | the item of a set |
 * | `i:NUMBER` | the item of a list by its place |
 */
export function memberElement(name: string): string {
  return `f:${name}`;
}

/** The item of a set. */
export function valueElement(value: JsonValue): string {
  return `v:${encodeJson(value)}`;
}

/** The item of a list by the values of its key fields, which must be in alphabetical order. */
export function keyElement(fields: Iterable<readonly [name: string, value: JsonValue]>): string {
  let text = '';
  for (const [name, value] of fields) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${encodeJson(value)}`;
  return `k:{${text}}`;
}

/** A member's name, when the element selects one. */
export function memberName(element: string): string | undefined {
  return element.startsWith('f:') ? element.slice(2) : undefined;
}

/**
 * The normal form of an element that comes from outside; undefined for a kind that is not known, which is to be ignored.
 *
 * @throws Error that says what is wrong with it
 */
export function normalElement(element: string): string | undefined {
  if (element.length < 2) throw new Error('key must be 2 characters long');
  if (element[1] !== ':') throw new Error(`missing colon: ${element}`);
  switch (element[0]) {
    case 'f':
      return element;
    case 'k': {
      const keys = parse(element);
      if (!isJsonObject(keys)) throw new Error(`not an object: ${element}`);
      return keyElement(Object.entries(keys as Record<string, JsonValue>).sort(([a], [b]) => (a < b ? -1 : 1)));
    }
    case 'v':
      return valueElement(parse(element));
    case 'i':
      if (!/^i:-?[0-9]{1,15}$/.test(element)) throw new Error(`not a number: ${element}`);
      return `i:${Number(element.slice(2))}`;
    default:
      return undefined;
  }
}

function parse(element: string): JsonValue {
  return decodeJson(Buffer.from(element.slice(2))).value;
}

const rank: Readonly<Record<string, number>> = {'.': 0, f: 1, k: 2, v: 3, i: 4};

/** The order in which elements are written: `.` first, then members, keys, values and places, each by its text. */
export function compareElements(a: string, b: string): number {
  if (a[0] !== b[0]) return rank[a[0]!]! - rank[b[0]!]!;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A path as Kubernetes writes it for people: `.spec.containers[name="nginx"].image`. */
export function pathText(path: FieldPathElements): string {
  return path.map(elementText).join('');
}

function elementText(element: string): string {
  switch (element[0]) {
    case 'f':
      return `.${element.slice(2)}`;
    case 'k': {
      const keys = parse(element) as Record<string, JsonValue>;
      return `[${Object.entries(keys).map(([name, value]) => `${name}=${encodeJson(value)}`).join(',')}]`;
    }
    case 'v':
      return `[=${element.slice(2)}]`;
    default:
      return `[${element.slice(2)}]`;
  }
}
