import {typeInvalid, type FieldError, type JsonObject, type JsonValue} from '../../../sdk/index.js';
import {setMember} from '../json/set-member.js';
import {mismatchOf, type GoDecoder, type Mismatch} from './go-words/mismatch.js';
import {fitsIntegerFormat, jsonTypeOf} from './json-type.js';
import {normalText} from './normal-text.js';
import type {SchemaNode} from './schema-node.js';
import {wrongType} from './validation/type-faults.js';
import {maximumDepth, WalkPath} from './walk-path.js';
import {isEmptyValue, writesNullWhenEmpty, zeroOf} from './zero-value.js';

/** A report contains at most this many unknown fields and this many errors, so that hostile input cannot make it large. */
const reportLimit = 100;

/** One pass that brings an object into the form the schema requires, in place. */
export class Decoder {
  /** Invalid values in typed parts of the object. */
  readonly faults: FieldError[] = [];
  readonly #path: WalkPath;
  #isMistyped = false;
  readonly #unknown: string[];
  readonly #words: GoDecoder;
  #root: SchemaNode | undefined;
  #mismatch: Mismatch | undefined;
  #firstUnknown: {readonly index: number; readonly steps: readonly (string | number)[]} | undefined;

  /**
   * @param prefix the start of the walk, if it is not the object itself
   * @param words in which a value of the wrong type is refused
   */
  constructor(unknown: string[], prefix?: string, words: GoDecoder = 'json') {
    this.#unknown = unknown;
    this.#path = new WalkPath(prefix);
    this.#words = words;
  }

  /** What Go's decoder, which stops at one fault, says of those in typed parts. Undefined without any. */
  get refusal(): string | undefined {
    return this.#mismatch?.text;
  }

  /** The position of the unknown field among the members of its object for which Go's decoder of CBOR, which stops at one, refuses it. */
  get unknownIndex(): number | undefined {
    return this.#firstUnknown?.index;
  }

  /** Whether structural parts have values of a wrong type. Validation reports them together with all other errors. */
  get isMistyped(): boolean {
    return this.#isMistyped;
  }

  /** Drops unknown members, nulls and, in typed objects, empty values; finds values of a wrong type. */
  object(node: SchemaNode, object: JsonObject): void {
    this.#root ??= node;
    const {properties, additional, preserveUnknown} = node;
    let index = -1;
    for (const key of Object.keys(object)) {
      index += 1;
      const value = object[key];
      if (value === undefined) {
        delete object[key];
        continue;
      }
      const property = properties.get(key);
      const child = property ?? additional;
      if (!child) {
        if (preserveUnknown) continue;
        if (this.#unknown.length < reportLimit) this.#unknown.push(this.#path.text(key));
        if (typeof this.#words === 'object') this.#unknownAt(index);
        delete object[key];
        continue;
      }
      const next = value === null ? nullMember(child, property !== undefined) : this.value(child, value, key);
      if (next === undefined || (property?.presence === 'omit-empty' && isEmptyValue(property, next))) delete object[key];
      else if (next !== value) setMember(object, key, next);
    }
  }

  /** An object that has an unknown field itself is refused for it, whatever is in its members; else the first that has one. */
  #unknownAt(index: number): void {
    const steps = this.#path.steps();
    if (this.#firstUnknown !== undefined && !isWithin(this.#firstUnknown.steps, steps)) return;
    this.#firstUnknown = {index, steps};
  }

  #array(node: SchemaNode, array: JsonValue[]): void {
    const {items} = node;
    if (!items) return;
    for (let index = 0; index < array.length; index++) {
      const value = array[index] ?? null;
      if (value === null) {
        if (items.nullable || (items.type === 'any' && !node.kubernetesSemantics)) continue;
        if (node.kubernetesSemantics) array[index] = zeroOf(items);
        else if (items.default === undefined) this.#wrongType(items, value, index);
        continue;
      }
      const next = this.value(items, value, index);
      if (next !== value) array[index] = next;
    }
  }

  /** Handles one value of any type and returns its replacement. `step` leads to it from the current place. */
  value(node: SchemaNode, value: JsonValue, step?: string | number): JsonValue {
    switch (node.type) {
      case 'string':
        if (typeof value === 'string' && node.form === undefined) return value;
        return this.#text(node, value, step);
      case 'object':
        if (typeof value !== 'object' || Array.isArray(value)) this.#wrongType(node, value, step);
        else if (this.#enters(step)) {
          this.object(node, value as JsonObject);
          this.#leave(step);
        }
        return value;
      case 'array':
        if (!Array.isArray(value)) this.#wrongType(node, value, step);
        else if (this.#enters(step)) {
          this.#array(node, value);
          this.#leave(step);
        }
        return value;
      case 'integer':
        if (jsonTypeOf(value) !== 'integer') this.#wrongType(node, value, step);
        else if (node.kubernetesSemantics && !fitsIntegerFormat(value as number | bigint, node.format)) this.#outOfRange(node, value, step);
        return value;
      case 'number':
        if (typeof value !== 'number' && typeof value !== 'bigint') this.#wrongType(node, value, step);
        return value;
      case 'boolean':
        if (typeof value !== 'boolean') this.#wrongType(node, value, step);
        return value;
      case 'int-or-string':
        if (typeof value === 'string') return value;
        if (jsonTypeOf(value) !== 'integer') this.#wrongType(node, value, step);
        else if (node.kubernetesSemantics && !fitsIntegerFormat(value as number | bigint, 'int32')) this.#outOfRange(node, value, step);
        return value;
      case 'any':
        return this.#alternative(node, value, step);
    }
  }

  /** Whether the walk may go to a place below: it may be too deep. */
  #enters(step: string | number | undefined): boolean {
    if (this.#path.depth >= maximumDepth) {
      this.#fault(typeInvalid(this.#path.fieldPath(step), '', `nests deeper than ${maximumDepth} levels`));
      this.#mismatch ??= {text: `the object nests deeper than ${maximumDepth} levels`, ends: true};
      return false;
    }
    if (step !== undefined) this.#path.push(step);
    return true;
  }

  #leave(step: string | number | undefined): void {
    if (step !== undefined) this.#path.pop();
  }

  #alternative(node: SchemaNode, value: JsonValue, step: string | number | undefined): JsonValue {
    const {alternatives} = node;
    if (alternatives.length === 0) return value;
    const type = jsonTypeOf(value);
    const match = alternatives.find((entry) => entry.type === type);
    if (match) return this.#ownForm(match, value, step);
    this.#mismatched(node, value, step);
    this.#fault(wrongType(this.#path.fieldPath(step), value, alternatives.map((entry) => entry.type).join(',')));
    return value;
  }

  /** A type with several forms decodes itself in Kubernetes, and then nobody hears of unknown fields in it. */
  #ownForm(form: SchemaNode, value: JsonValue, step: string | number | undefined): JsonValue {
    const {length} = this.#unknown;
    const result = this.value(form, value, step);
    this.#unknown.length = length;
    return result;
  }

  #text(node: SchemaNode, value: JsonValue, step: string | number | undefined): JsonValue {
    const numeric = node.form === 'quantity' && typeof this.#words === 'string' && (typeof value === 'number' || typeof value === 'bigint');
    if (typeof value !== 'string' && !numeric) {
      this.#wrongType(node, value, step);
      return value;
    }
    const result = normalText(node.form, String(value as string | number | bigint));
    if (typeof result === 'string') return result;
    this.#mismatched(node, value, step);
    this.#fault(typeInvalid(this.#path.fieldPath(step), value, result.problem));
    return value;
  }

  #wrongType(node: SchemaNode, value: JsonValue, step: string | number | undefined): void {
    if (!node.kubernetesSemantics) {
      if (!passesForText(node, value)) this.#isMistyped = true;
      if (!node.preserveUnknown) this.#dropMembers(value, step);
      return;
    }
    this.#mismatched(node, value, step);
    const expected = node.type === 'int-or-string' ? 'integer,string' : node.type;
    this.#fault(wrongType(this.#path.fieldPath(step), value, expected));
  }

  /** No schema knows the members of a structural value of the wrong type: they are dropped like other unknown ones, before anything is judged. */
  #dropMembers(value: JsonValue, step: string | number | undefined): void {
    if (typeof value !== 'object' || value === null || !this.#enters(step)) return;
    if (Array.isArray(value)) for (const [index, item] of value.entries()) this.#dropMembers(item, index);
    else {
      for (const key of Object.keys(value)) {
        if (this.#unknown.length < reportLimit) this.#unknown.push(this.#path.text(key));
        delete value[key];
      }
    }
    this.#leave(step);
  }

  #outOfRange(node: SchemaNode, value: JsonValue, step: string | number | undefined): void {
    this.#mismatched(node, value, step);
    const format = node.type === 'int-or-string' ? 'int32' : (node.format ?? 'int64');
    const path = this.#path.fieldPath(step);
    this.#fault(typeInvalid(path, value, `${path.toString()} in body must be of type integer with format ${format}`));
  }

  /** Keeps the first mismatch, or the first that ends the decoding. */
  #mismatched(node: SchemaNode, value: JsonValue, step: string | number | undefined): void {
    if (this.#mismatch?.ends || this.faults.length >= reportLimit) return;
    const found = mismatchOf(this.#root ?? node, this.#path.steps(step), node, value, this.#words);
    if (this.#mismatch === undefined || found.ends) this.#mismatch = found;
  }

  #fault(fault: FieldError): void {
    if (this.faults.length < reportLimit) this.faults.push(fault);
  }
}

/** Whether one place is below another. */
function isWithin(place: readonly (string | number)[], other: readonly (string | number)[]): boolean {
  return place.length > other.length && other.every((step, index) => place[index] === step);
}

/** Kubernetes holds a list against no type where a text has a format. */
function passesForText(node: SchemaNode, value: JsonValue): boolean {
  return node.type === 'string' && Array.isArray(value) && node.format !== undefined && node.knowsFormat;
}

/** What replaces a null member; undefined if the member is removed. */
function nullMember(node: SchemaNode, isProperty: boolean): JsonValue | undefined {
  if (node.nullable) return null;
  if (isProperty) return writesNullWhenEmpty(node) ? null : undefined;
  return node.kubernetesSemantics ? zeroOf(node) : undefined;
}
