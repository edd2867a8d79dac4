import {
  duplicate,
  invalid,
  required,
  shownValue,
  tooMany,
  typeInvalid,
  type FieldError,
  type FieldPath,
  type JsonObject,
  type JsonValue,
} from '../../../../sdk/index.js';
import {jsonTypeOf} from '../json-type.js';
import {RegexpTooExpensive} from '../regexp.js';
import type {SchemaNode} from '../schema-node.js';
import {maximumDepth, WalkPath} from '../walk-path.js';
import {embeddedResourceFaults} from './embedded-resource.js';
import {FaultList} from './fault-list.js';
import {listDuplicates} from './list-duplicates.js';
import {codePoints, isMultiple} from './scalar-values.js';
import {faultyType, typeFault} from './type-faults.js';
import {valueRulesOf, type ValueRules} from './value-rules.js';

/** What all patterns may take on the texts of one object: a second at worst, and well below it where expressions are harmless. */
const patternWorkLimit = 100_000_000;
/** So many values may be checked against schemas under `allOf` and its like, which may ask of one value any number of times. */
const compositionLimit = 1_000_000;

/**
 * One pass that checks the value rules of a schema. Nothing is changed. Faults and their texts are those of Kubernetes 1.26
 * (`k8s.io/kube-openapi/pkg/validation/validate`); the walk ends when there are enough of them.
 */
export class Validator {
  readonly #path: WalkPath;
  #faults = new FaultList();
  /** Repeated items of sets and maps. Those are told apart because an update may leave them as they were. */
  readonly #duplicates = new FaultList();
  /** Checks that were passed, counted as Kubernetes counts them: of several schemas that do not fit, the faults of the best are shown. */
  #matches = 0;
  #patternWork = 0;
  #compositionWork = 0;
  #compositionDepth = 0;

  /** @param prefix where the walk begins, when that is not the object itself */
  constructor(prefix?: string) {
    this.#path = new WalkPath(prefix);
  }

  /** All faults but those of `duplicates`. */
  get faults(): readonly FieldError[] {
    return this.#faults.all;
  }

  get duplicates(): readonly FieldError[] {
    return this.#duplicates.all;
  }

  /** Whether the walk ended early, so that there may be more faults than are listed. */
  get endedEarly(): boolean {
    return this.#faults.isFull || this.#duplicates.isFull;
  }

  /** Checks a value. `step` leads to it from where the walk begins. */
  check(node: SchemaNode, value: JsonValue | undefined, step?: string | number): void {
    this.#value(node, value, step);
    if (this.#compositionWork <= compositionLimit) return;
    // What was not checked may be wrong, whatever the schemas around it made of that.
    const text = `checking it against the schemas under allOf, anyOf, oneOf and not takes more than ${compositionLimit} steps`;
    this.#faults.add(invalid(this.#at(step), '', text));
  }

  #value(node: SchemaNode, value: JsonValue | undefined, step?: string | number): void {
    const rules = valueRulesOf(node);
    if (rules.empty || value === undefined || this.#faults.isFull) return;
    if (this.#compositionDepth > 0 && ++this.#compositionWork > compositionLimit) return;
    if (value === null) return this.#null(node, rules, step);
    this.#type(node, rules, value, step);
    if (rules.typeOnly) {
      this.#matches += 4 + matchesOfKind(value);
      return;
    }
    if (this.#path.depth >= maximumDepth)
      return this.#faults.add(typeInvalid(this.#at(step), '', `nests deeper than ${maximumDepth} levels`));
    if (rules.hasCompositions) this.#compositions(rules, value, step);
    this.#matches += 2;
    if (typeof value === 'string') this.#string(node, rules, value, step);
    else if (typeof value === 'number' || typeof value === 'bigint') this.#number(node, value, step);
    else if (Array.isArray(value)) this.#array(node, value, step);
    if (rules.enumeration) this.#enumeration(rules.enumeration, value, step);
    this.#matches += 2;
    if (typeof value === 'object' && !Array.isArray(value)) this.#object(node, rules, value, step);
    if (node.alternatives.length > 0) this.#alternatives(node, value, step);
  }

  #null(node: SchemaNode, rules: ValueRules, step: string | number | undefined): void {
    if (rules.types !== undefined && !node.nullable) this.#faults.add(typeFault(this.#at(step), 'null', rules.types));
    else this.#matches += 1;
    if (rules.enumeration) this.#enumeration(rules.enumeration, null, step);
  }

  #type(node: SchemaNode, rules: ValueRules, value: JsonValue, step: string | number | undefined): void {
    const fault = faultyType(node, rules, value);
    if (fault) this.#faults.add(typeFault(this.#at(step), fault.actual, fault.expected));
    else if (rules.types !== undefined || rules.format) this.#matches += 1;
    if (rules.types !== undefined || rules.format) this.#matches += 1;
  }

  #enumeration(enumeration: NonNullable<ValueRules['enumeration']>, value: JsonValue, step: string | number | undefined): void {
    if (enumeration.has(value)) return;
    const body = `Unsupported value: ${shownValue(value)}: supported values: ${enumeration.text}`;
    this.#faults.add({reason: 'FieldValueNotSupported', field: this.#path.text(step), body});
  }

  #object(node: SchemaNode, rules: ValueRules, object: JsonObject, step: string | number | undefined): void {
    const {minProperties, maxProperties} = node.schema;
    this.#matches += 1;
    if (minProperties !== undefined || maxProperties !== undefined) {
      const count = Object.keys(object).length;
      if (minProperties !== undefined && count < minProperties)
        return this.#faults.add(this.#bad(count, `should have at least ${minProperties} properties`, step));
      if (maxProperties !== undefined && count > maxProperties) return this.#faults.add(tooMany(this.#at(step), count, maxProperties));
    }
    if (step !== undefined) this.#path.push(step);
    this.#members(node, rules, object);
    if (step !== undefined) this.#path.pop();
  }

  #members(node: SchemaNode, rules: ValueRules, object: JsonObject): void {
    for (const name of rules.required) {
      if (!Object.hasOwn(object, name) || object[name] === undefined) this.#faults.add(required(this.#at(name)));
      if (this.#faults.isFull) return;
    }
    if (node.schema['x-kubernetes-embedded-resource'] === true) this.#faults.addAll(embeddedResourceFaults(object, this.#at()));
    const {properties, additional, metadataRules} = node;
    if (properties.size === 0 && !additional) return;
    if (metadataRules && Object.hasOwn(object, 'metadata')) this.#value(metadataRules, object['metadata'], 'metadata');
    for (const key in object) {
      const child = properties.get(key) ?? additional;
      if (child) this.#value(child, object[key], key);
    }
  }

  #array(node: SchemaNode, array: JsonValue[], step: string | number | undefined): void {
    const {minItems, maxItems, uniqueItems} = node.schema;
    if (step !== undefined) this.#path.push(step);
    const {items} = node;
    if (items && !valueRulesOf(items).empty) for (let index = 0; index < array.length; index++) this.#value(items, array[index], index);
    if (minItems !== undefined && array.length < minItems)
      this.#faults.add(this.#bad(array.length, `should have at least ${minItems} items`));
    if (maxItems !== undefined && array.length > maxItems) this.#faults.add(tooMany(this.#at(), array.length, maxItems));
    if (uniqueItems && listDuplicates('set', [], array).length > 0) this.#faults.add(this.#bad('', "shouldn't contain duplicates"));
    if (!this.#faults.isFull && !this.#duplicates.isFull && this.#compositionDepth === 0) {
      for (const {index, value} of listDuplicates(node.listType, node.listMapKeys, array, items))
        this.#duplicates.add(duplicate(this.#at(index), value));
    }
    if (step !== undefined) this.#path.pop();
    this.#matches += 2;
  }

  /** The first fault of a text is the only one, but for its format. */
  #string(node: SchemaNode, rules: ValueRules, value: string, step: string | number | undefined): void {
    const fault = this.#textFault(node, rules, value, step);
    if (fault) this.#faults.add(fault);
    this.#matches += 1;
    if (!rules.format) return;
    this.#matches += 1;
    if (!rules.format(value)) {
      const path = this.#at(step);
      const shown = shownValue(value);
      this.#faults.add(typeInvalid(path, value, `${path.toString()} in body must be of type ${node.format as string}: ${shown}`));
    }
  }

  #textFault(
    {schema}: SchemaNode,
    {pattern, patternProblem}: ValueRules,
    value: string,
    step: string | number | undefined,
  ): FieldError | undefined {
    const {minLength, maxLength} = schema;
    if (minLength !== undefined || maxLength !== undefined) {
      const length = codePoints(value);
      if (maxLength !== undefined && length > maxLength)
        return {reason: 'FieldValueTooLong', field: this.#path.text(step), body: `Too long: may not be longer than ${maxLength}`};
      if (minLength !== undefined && length < minLength) return this.#bad(value, `should be at least ${minLength} chars long`, step);
    }
    if (patternProblem !== undefined)
      return this.#bad(value, `should match '${schema.pattern}, but pattern is invalid: ${patternProblem}'`, step);
    if (!pattern) return undefined;
    try {
      this.#spend(pattern.workFor(value), pattern.pattern);
      return pattern.test(value) ? undefined : this.#bad(value, `should match '${schema.pattern}'`, step);
    } catch (error) {
      if (!(error instanceof RegexpTooExpensive)) throw error;
      const text = `${this.#path.text(step)} in body is too long to be matched with '${schema.pattern}'`;
      return invalid(this.#at(step), `${value.slice(0, 32)}…`, text);
    }
  }

  /** @throws RegexpTooExpensive when the texts before have used up what an object may cost */
  #spend(work: number, pattern: string): void {
    this.#patternWork += work;
    if (this.#patternWork > patternWorkLimit) throw new RegexpTooExpensive(`no time is left to test ${JSON.stringify(pattern)}`);
  }

  #number({schema}: SchemaNode, value: number | bigint, step: string | number | undefined): void {
    const {minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf} = schema;
    this.#matches += 2;
    if (multipleOf !== undefined && multipleOf < 0) {
      const text = `factor MultipleOf declared for ${this.#path.text(step)} must be positive: ${multipleOf}`;
      this.#faults.add(invalid(this.#at(step), multipleOf, text));
    } else if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
      this.#faults.add(this.#bad(value, `should be a multiple of ${multipleOf}`, step));
    }
    if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum))
      this.#faults.add(this.#bad(value, `should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`, step));
    if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum))
      this.#faults.add(this.#bad(value, `should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`, step));
  }

  /** A value of several forms follows the first schema that has its type (`x-orch-alternatives`). */
  #alternatives(node: SchemaNode, value: JsonValue, step: string | number | undefined): void {
    const match = node.alternatives.find((entry) => entry.type === jsonTypeOf(value));
    if (match) this.#value(match, value, step);
  }

  #compositions({allOf, anyOf, oneOf, not}: ValueRules, value: JsonValue, step: string | number | undefined): void {
    this.#compositionDepth += 1;
    if (anyOf.length > 0) {
      const {best, fitting} = this.#try(anyOf, value, step, true);
      if (fitting === 0) this.#faults.add(this.#mustFit(step, 'must validate at least one schema (anyOf)'));
      this.#faults.addAll(best.all);
    }
    if (oneOf.length > 0) {
      const {best, fitting} = this.#try(oneOf, value, step, false);
      const found = fitting === 0 ? 'Found none valid' : `Found ${fitting} valid alternatives`;
      if (fitting !== 1) this.#faults.add(this.#mustFit(step, `must validate one and only one schema (oneOf). ${found}`));
      this.#faults.addAll(best.all);
    }
    if (allOf.length > 0) {
      let fitting = 0;
      for (const entry of allOf) {
        const faults = this.#faultsOf(entry, value, step);
        if (faults.isEmpty) fitting += 1;
        this.#faults.addAll(faults.all);
      }
      const none = fitting === 0 ? '. None validated' : '';
      if (fitting < allOf.length) this.#faults.add(this.#mustFit(step, `must validate all the schemas (allOf)${none}`));
    }
    if (not) {
      const matches = this.#matches;
      if (this.#faultsOf(not, value, step).isEmpty) this.#faults.add(this.#mustFit(step, 'must not validate the schema (not)'));
      this.#matches = matches;
    }
    this.#compositionDepth -= 1;
  }

  /**
   * How many of the schemas fit, and the faults of the best one where none does. The matches of the one that is shown or that fits first
   * are counted.
   *
   * @param untilFirst whether one that fits is enough
   */
  #try(
    entries: readonly SchemaNode[],
    value: JsonValue,
    step: string | number | undefined,
    untilFirst: boolean,
  ): {readonly best: FaultList; readonly fitting: number} {
    const before = this.#matches;
    let best = new FaultList();
    let bestMatches = -1;
    let fitting = 0;
    for (const entry of entries) {
      this.#matches = 0;
      const faults = this.#faultsOf(entry, value, step);
      if (faults.isEmpty) {
        if (fitting === 0) [best, bestMatches] = [faults, this.#matches];
        fitting += 1;
        if (untilFirst) break;
      } else if (fitting === 0 && this.#matches > bestMatches) [best, bestMatches] = [faults, this.#matches];
    }
    this.#matches = before + Math.max(bestMatches, 0);
    return {best, fitting};
  }

  #faultsOf(node: SchemaNode, value: JsonValue, step: string | number | undefined): FaultList {
    const outer = this.#faults;
    const inner = new FaultList();
    this.#faults = inner;
    this.#value(node, value, step);
    this.#faults = outer;
    return inner;
  }

  #mustFit(step: string | number | undefined, text: string): FieldError {
    return invalid(this.#at(step), '', `${JSON.stringify(this.#path.text(step))} ${text}`);
  }

  #bad(value: JsonValue, text: string, step?: string | number): FieldError {
    return invalid(this.#at(step), value, `${this.#path.text(step)} in body ${text}`);
  }

  #at(step?: string | number): FieldPath {
    return this.#path.fieldPath(step);
  }
}

/** What a value of a kind counts for by itself. */
function matchesOfKind(value: JsonValue): number {
  if (typeof value === 'boolean') return 0;
  return typeof value === 'string' || (typeof value === 'object' && !Array.isArray(value)) ? 1 : 2;
}
