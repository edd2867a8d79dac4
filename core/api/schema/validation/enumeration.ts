import type {JsonValue} from '../../../../sdk/index.js';
import {encodeJson} from '../../codec/json.js';
import {jsonSize} from '../../json/json-size.js';
import {canonicalText} from './canonical-text.js';

/** The list of allowed values in a message is truncated after about this many characters. */
const longestList = 4000;

/**
 * The values that `enum` allows, as Kubernetes compares them: a number that Go can convert to one of them is one, and null is none, whatever is listed
 * (`k8s.io/kube-openapi/pkg/validation/validate.Enum`). Look-ups take the same time however many there are.
 */
export class Enumeration {
  readonly #scalars = new Set<unknown>();
  readonly #compounds = new Set<string>();
  /** A list or object with more characters than this is none of the values; 0 if all values are scalars. */
  #compoundLimit = 0;
  readonly #values: readonly JsonValue[];

  constructor(values: readonly JsonValue[]) {
    this.#values = values;
    for (const value of values) {
      if (typeof value !== 'object' || value === null) {
        this.#scalars.add(scalarKey(value));
        continue;
      }
      const text = canonicalText(value);
      this.#compounds.add(text);
      this.#compoundLimit = Math.max(this.#compoundLimit, 2 * text.length + 16);
    }
  }

  has(value: JsonValue): boolean {
    if (value === null) return false;
    if (typeof value !== 'object') return this.#scalars.has(scalarKey(value)) || this.#hasConverted(value);
    return jsonSize(value, this.#compoundLimit) <= this.#compoundLimit && this.#compounds.has(canonicalText(value));
  }

  /** A fraction is cut off, and an integer is the character with that code. */
  #hasConverted(value: JsonValue): boolean {
    if (typeof value !== 'number' && typeof value !== 'bigint') return false;
    if (typeof value === 'number' && !Number.isInteger(value)) return this.#scalars.has(Math.trunc(value));
    return this.#scalars.has(characterOf(value));
  }

  /** The values for a message, in the order of the schema: `"a", "b"`. */
  get text(): string {
    let list = '';
    for (const value of this.#values) {
      if (list.length > longestList) return `${list}, …`;
      const text = JSON.stringify(typeof value === 'string' ? value : encodeJson(value));
      list += list === '' ? text : `, ${text}`;
    }
    return list;
  }
}

/** The key that equal scalars share: an integer may be a number or a bigint. */
function scalarKey(value: JsonValue): unknown {
  return typeof value === 'bigint' && BigInt(Number(value)) === value ? Number(value) : value;
}

const lastCode = 0x10ffff;

/** The character with a code, or the one that stands for none. */
function characterOf(code: number | bigint): string {
  const isCharacter = code >= 0 && code <= lastCode && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(Number(code)) : '\ufffd';
}
