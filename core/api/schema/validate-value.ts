import {
  duplicate,
  invalid,
  notSupported,
  required,
  typeInvalid,
  tooMany,
  type FieldError,
  type FieldPath,
  type JsonObject,
  type JsonValue,
} from '../../../sdk/index.js';
import {encodeJson} from '../codec/json.js';
import {equalJson} from '../json/equal-json.js';
import {wrongType} from './decode-value.js';
import {listDuplicates} from './list-duplicates.js';
import {fitsIntegerFormat, jsonTypeOf} from './json-type.js';
import {RegexpTooExpensive} from './regexp.js';
import type {SchemaNode} from './schema-node.js';
import {isOfFormat} from './formats/string-formats.js';
import {valueRulesOf, type ValueRules} from './value-rules.js';
import {maximumDepth, WalkPath} from './walk-path.js';

/** What all patterns may take on the texts of one object: a second at worst, and well below it where expressions are harmless. */
const patternWorkLimit = 100_000_000;
/** No object's report is longer: hostile input must not make it large. */
const reportLimit = 1000;

/** One pass that checks the value rules of a schema. Nothing is changed. Texts are those of Kubernetes. */
export class Validator {
  faults: FieldError[] = [];
  readonly #path: WalkPath;
  #patternWork = 0;

  /** @param prefix where the walk begins, when that is not the object itself */
  constructor(prefix?: string) {
    this.#path = new WalkPath(prefix);
  }

  value(node: SchemaNode, value: JsonValue | undefined, step?: string | number): void {
    const rules = valueRulesOf(node);
    if (rules.empty || value === undefined) return;
    if (value === null && node.nullable) return;
    if (!isOfType(node, value)) {
      this.#report(wrongType(this.#at(step), value, node.type === 'int-or-string' ? 'integer,string' : node.type));
      return;
    }
    if (rules.typeOnly) return;
    if (this.#path.depth >= maximumDepth) {
      this.#report(typeInvalid(this.#at(step), '', `nests deeper than ${maximumDepth} levels`));
      return;
    }
    if (node.schema.enum && !node.schema.enum.some((entry) => equalJson(entry, value))) {
      this.#report(
        notSupported(
          this.#at(step),
          value,
          node.schema.enum.map((entry) => (typeof entry === 'string' ? entry : encodeJson(entry))),
        ),
      );
    }
    if (typeof value === 'string') this.#string(node, rules, value, step);
    else if (typeof value === 'number' || typeof value === 'bigint') this.#number(node, value, step);
    else if (typeof value === 'object' && value !== null) {
      if (step !== undefined) this.#path.push(step);
      if (Array.isArray(value)) this.#array(node, value);
      else this.#object(node, rules, value);
      if (step !== undefined) this.#path.pop();
    }
    this.#junctors(rules, value, step);
    const match = node.alternatives.find((entry) => entry.type === jsonTypeOf(value));
    if (match) this.value(match, value, step);
  }

  #object(node: SchemaNode, rules: ValueRules, object: JsonObject): void {
    const {minProperties, maxProperties} = node.schema;
    if (minProperties !== undefined || maxProperties !== undefined) {
      const count = Object.keys(object).length;
      const path = this.#path.text();
      if (maxProperties !== undefined && count > maxProperties) this.#report(tooMany(this.#at(), count, maxProperties));
      if (minProperties !== undefined && count < minProperties)
        this.#report(invalid(this.#at(), count, `${path} in body should have at least ${minProperties} properties`));
    }
    for (const name of rules.required)
      if (!Object.hasOwn(object, name) || object[name] === undefined) this.#report(required(this.#at(name)));
    if (node.isResource) this.#resource(object);
    const {properties, additional} = node;
    if (properties.size === 0 && !additional) return;
    for (const key in object) {
      const child = properties.get(key) ?? additional;
      if (child) this.value(child, object[key], key);
    }
  }

  /** An object inside an object must say what it is. */
  #resource(object: JsonObject): void {
    if (this.#path.depth === 0) return;
    for (const name of ['apiVersion', 'kind']) {
      const value = Object.hasOwn(object, name) ? object[name] : undefined;
      if (value === undefined) this.#report(required(this.#at(name), 'must not be empty'));
      else if (value === '') this.#report(invalid(this.#at(name), value, 'must not be empty'));
    }
  }

  #array(node: SchemaNode, array: JsonValue[]): void {
    const {minItems, maxItems} = node.schema;
    if (maxItems !== undefined && array.length > maxItems) this.#report(tooMany(this.#at(), array.length, maxItems));
    if (minItems !== undefined && array.length < minItems)
      this.#report(invalid(this.#at(), array.length, `${this.#path.text()} in body should have at least ${minItems} items`));
    if (node.schema.uniqueItems && listDuplicates('set', [], array).length > 0)
      this.#report(invalid(this.#at(), '', `${this.#path.text()} in body shouldn't contain duplicates`));
    for (const {index, value} of listDuplicates(node.listType, node.listMapKeys, array, node.items))
      this.#report(duplicate(this.#at(index), value));
    const {items} = node;
    if (items && !valueRulesOf(items).empty) for (let index = 0; index < array.length; index++) this.value(items, array[index], index);
  }

  #string(node: SchemaNode, rules: ValueRules, value: string, step: string | number | undefined): void {
    const {minLength, maxLength, pattern} = node.schema;
    if (minLength !== undefined || maxLength !== undefined) {
      const length = codePoints(value);
      if (maxLength !== undefined && length > maxLength) {
        this.#report({reason: 'FieldValueTooLong', field: this.#path.text(step), body: `Too long: may not be longer than ${maxLength}`});
      }
      if (minLength !== undefined && length < minLength) this.#report(this.#bad(value, `should be at least ${minLength} chars long`, step));
    }
    if (rules.patternProblem !== undefined)
      this.#report(this.#bad(value, `should match '${pattern}, but pattern is invalid: ${rules.patternProblem}'`, step));
    if (rules.pattern) {
      try {
        this.#spend(rules.pattern.workFor(value), rules.pattern.pattern);
        if (!rules.pattern.test(value)) this.#report(this.#bad(value, `should match '${pattern}'`, step));
      } catch (error) {
        if (!(error instanceof RegexpTooExpensive)) throw error;
        this.#report(
          invalid(this.#at(step), `${value.slice(0, 32)}…`, `${this.#path.text(step)} in body is too long to be matched with '${pattern}'`),
        );
      }
    }
    if (node.format !== undefined && !isOfFormat(node.format, value)) {
      const path = this.#path.text(step);
      this.#report(typeInvalid(this.#at(step), value, `${path} in body must be of type ${node.format}: ${JSON.stringify(value)}`));
    }
  }

  /** @throws RegexpTooExpensive when the texts before have used up what an object may cost */
  #spend(work: number, pattern: string): void {
    this.#patternWork += work;
    if (this.#patternWork > patternWorkLimit) throw new RegexpTooExpensive(`no time is left to test ${JSON.stringify(pattern)}`);
  }

  #number(node: SchemaNode, value: number | bigint, step: string | number | undefined): void {
    const {minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf} = node.schema;
    if (node.type === 'integer' && !fitsIntegerFormat(value, node.format)) {
      const text = node.format === undefined ? '(default format)' : `with format ${node.format}`;
      this.#report(invalid(this.#at(step), value, `Checked value must be of type integer ${text} in ${this.#path.text(step)}`));
    }
    if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
      this.#report(this.#bad(value, `should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`, step));
    }
    if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
      this.#report(this.#bad(value, `should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`, step));
    }
    if (multipleOf !== undefined && !isMultiple(value, multipleOf))
      this.#report(this.#bad(value, `should be a multiple of ${multipleOf}`, step));
  }

  #junctors(rules: ValueRules, value: JsonValue, step: string | number | undefined): void {
    const {allOf, anyOf, oneOf, not} = rules;
    for (const entry of allOf) this.value(entry, value, step);
    if (anyOf.length > 0 && !anyOf.some((entry) => this.#holds(entry, value, step)))
      this.#report(this.#mustFit(step, 'must validate at least one schema (anyOf)'));
    if (oneOf.length > 0) {
      const count = oneOf.filter((entry) => this.#holds(entry, value, step)).length;
      const found = count === 0 ? 'Found none valid' : `Found ${count} valid alternatives`;
      if (count !== 1) this.#report(this.#mustFit(step, `must validate one and only one schema (oneOf). ${found}`));
    }
    if (not && this.#holds(not, value, step)) this.#report(this.#mustFit(step, 'must not validate the schema (not)'));
  }

  #holds(node: SchemaNode, value: JsonValue, step: string | number | undefined): boolean {
    const outer = this.faults;
    this.faults = [];
    this.value(node, value, step);
    const holds = this.faults.length === 0;
    this.faults = outer;
    return holds;
  }

  #mustFit(step: string | number | undefined, text: string): FieldError {
    return invalid(this.#at(step), '', `${JSON.stringify(this.#path.text(step))} ${text}`);
  }

  #bad(value: JsonValue, text: string, step: string | number | undefined): FieldError {
    return invalid(this.#at(step), value, `${this.#path.text(step)} in body ${text}`);
  }

  #at(step?: string | number): FieldPath {
    return this.#path.fieldPath(step);
  }

  #report(fault: FieldError): void {
    if (this.faults.length < reportLimit) this.faults.push(fault);
  }
}

function isOfType(node: SchemaNode, value: JsonValue): boolean {
  switch (node.type) {
    case 'any':
      return true;
    case 'object':
      // A value rule without a type (under `anyOf` and its like) says nothing of values that are no objects.
      return jsonTypeOf(value) === 'object' || node.schema.type === undefined;
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'int-or-string':
      return typeof value === 'string' || jsonTypeOf(value) === 'integer';
    default:
      return jsonTypeOf(value) === node.type;
  }
}

/** The number of characters, each counted once whatever its size in UTF-16. */
function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      count--;
      index++;
    }
  }
  return count;
}

/** Either may be beyond 2^53, in schemas too. */
function isMultiple(value: number | bigint, factor: number | bigint): boolean {
  if (typeof value === 'number' && typeof factor === 'number') return Number.isInteger(value / factor);
  if (jsonTypeOf(value) === 'integer' && jsonTypeOf(factor) === 'integer') return factor !== 0 && BigInt(value) % BigInt(factor) === 0n;
  return Number.isInteger(Number(value) / Number(factor));
}
