import {limitFaults, TooManyFaults} from '../../../../sdk/errors/fault-limit.js';
import {cutText, messageLimits} from '../../../../sdk/errors/message-limits.js';
import {shownValue, type FieldError, type FieldErrorReason, type JsonObject, type JsonValue} from '../../../../sdk/index.js';
import {jsonTypeOf} from '../json-type.js';
import {RegexpTooExpensive} from '../regexp.js';
import type {SchemaNode} from '../schema-node.js';
import {maximumDepth, WalkPath} from '../walk-path.js';
import {embeddedResourceFaults} from './embedded-resource.js';
import {FaultList, FaultProbe, type FaultSink} from './fault-list.js';
import {listDuplicates, type ComparisonBudget} from './list-duplicates.js';
import {PatternBudget} from './pattern-budget.js';
import {codePoints, isMultiple} from './scalar-values.js';
import {typeFaultOf, typeFaultText, type TypeFault} from './type-faults.js';
import {valueRulesOf, type ValueRules} from './value-rules.js';

type Step = string | number | undefined;

/** Maximum number of checks of values against schemas under `allOf` and the like, which may check one value any number of times. */
const compositionLimit = 150_000;
/** Maximum characters of lists and objects that are compared to find duplicates. */
const comparisonLimit = 4_000_000;

/**
 * One pass that checks the value rules of a schema. It modifies nothing. Errors and messages are those of Kubernetes 1.26
 * (`k8s.io/kube-openapi/pkg/validation/validate`); the walk stops when there are enough of them.
 */
export class Validator {
  readonly #path: WalkPath;
  readonly #found = new FaultList();
  /** Duplicate items of sets and maps. They are kept separately because an update may leave them as they were. */
  readonly #duplicates = new FaultList();
  #sink: FaultSink = this.#found;
  /** Passed checks, counted as in Kubernetes: if none of several schemas matches, the errors of the best one are shown. */
  #matches = 0;
  #compositionWork = 0;
  #compositionDepth = 0;
  readonly #patterns = new PatternBudget();
  readonly #comparisons: ComparisonBudget = {left: comparisonLimit};

  /** @param prefix the start of the walk, if it is not the object itself */
  constructor(prefix?: string) {
    this.#path = new WalkPath(prefix);
  }

  /** All errors except those in `duplicates`. */
  get faults(): readonly FieldError[] {
    return this.#found.all;
  }

  get duplicates(): readonly FieldError[] {
    return this.#duplicates.all;
  }

  /** Whether the walk stopped early, so that there may be more errors than listed. */
  get endedEarly(): boolean {
    return this.#found.isFull || this.#duplicates.isFull;
  }

  /** Checks a value. `step` leads to it from the start of the walk. */
  check(node: SchemaNode, value: JsonValue | undefined, step?: string | number): void {
    this.#value(node, value, step);
    if (!this.#isExhausted) return;
    // What was not checked may be invalid, whatever the surrounding schemas concluded.
    this.#bad('', step, `takes more than ${compositionLimit} steps to be checked against the schemas under allOf, anyOf, oneOf and not`);
  }

  get #isExhausted(): boolean {
    return this.#compositionWork > compositionLimit;
  }

  #value(node: SchemaNode, value: JsonValue | undefined, step?: Step): void {
    const rules = valueRulesOf(node);
    if (rules.empty || value === undefined || this.#sink.isFull) return;
    if (this.#compositionDepth > 0 && ++this.#compositionWork > compositionLimit) return;
    if (value === null) return this.#null(node, rules, step);
    this.#type(node, rules, value, step);
    if (rules.typeOnly) {
      this.#matches += 4 + matchesOfKind(value);
      return;
    }
    if (this.#path.depth >= maximumDepth) return this.#tooDeep(step);
    if (rules.hasCompositions && !this.#isExhausted) this.#compositions(rules, value, step);
    this.#matches += 2;
    if (typeof value === 'string') this.#string(node, rules, value, step);
    else if (typeof value === 'number' || typeof value === 'bigint') this.#number(node, value, step);
    else if (Array.isArray(value)) this.#array(node, value, step);
    if (rules.enumeration) this.#enumeration(rules.enumeration, value, step);
    this.#matches += 2;
    if (typeof value === 'object' && !Array.isArray(value)) this.#object(node, rules, value, step);
    if (node.alternatives.length > 0) this.#alternatives(node, value, step);
  }

  #null(node: SchemaNode, rules: ValueRules, step: Step): void {
    if (rules.types !== undefined && !node.nullable) this.#wrongType({actual: 'null', expected: rules.types}, step);
    else this.#matches += 1;
    if (rules.enumeration) this.#enumeration(rules.enumeration, null, step);
  }

  #type(node: SchemaNode, rules: ValueRules, value: JsonValue, step: Step): void {
    const fault = typeFaultOf(node, rules, value);
    if (fault) this.#wrongType(fault, step);
    if (rules.types !== undefined || rules.format) this.#matches += fault ? 1 : 2;
  }

  #enumeration(enumeration: NonNullable<ValueRules['enumeration']>, value: JsonValue, step: Step): void {
    if (enumeration.has(value)) return;
    this.#report('FieldValueNotSupported', step, () => `Unsupported value: ${shownValue(value)}: supported values: ${enumeration.text}`);
  }

  #object(node: SchemaNode, rules: ValueRules, object: JsonObject, step: Step): void {
    const {minProperties, maxProperties} = node.schema;
    this.#matches += 1;
    if (minProperties !== undefined || maxProperties !== undefined) {
      const count = Object.keys(object).length;
      if (minProperties !== undefined && count < minProperties)
        return this.#bad(count, step, `should have at least ${minProperties} properties`);
      if (maxProperties !== undefined && count > maxProperties) return this.#tooMany(count, maxProperties, step);
    }
    if (step !== undefined) this.#path.push(step);
    this.#members(node, rules, object);
    if (step !== undefined) this.#path.pop();
  }

  #members(node: SchemaNode, rules: ValueRules, object: JsonObject): void {
    for (const name of rules.required) {
      if (!Object.hasOwn(object, name) || object[name] === undefined) this.#report('FieldValueRequired', name, () => 'Required value');
      if (this.#sink.isFull) return;
    }
    if (node.schema['x-kubernetes-embedded-resource'] === true) this.#embedded(object);
    const {properties, additional, metadataRules} = node;
    if (properties.size === 0 && !additional) return;
    if (metadataRules && Object.hasOwn(object, 'metadata')) this.#value(metadataRules, object['metadata'], 'metadata');
    for (const key in object) {
      const child = properties.get(key) ?? additional;
      if (child) this.#value(child, object[key], key);
    }
  }

  #embedded(object: JsonObject): void {
    const path = this.#path.fieldPath();
    for (const fault of boundedFaults(() => embeddedResourceFaults(object, path))) this.#sink.add(() => fault);
  }

  #array(node: SchemaNode, array: JsonValue[], step: Step): void {
    const {minItems, maxItems, uniqueItems} = node.schema;
    if (step !== undefined) this.#path.push(step);
    const {items} = node;
    if (items && !valueRulesOf(items).empty) for (let index = 0; index < array.length; index++) this.#value(items, array[index], index);
    if (minItems !== undefined && array.length < minItems) this.#bad(array.length, undefined, `should have at least ${minItems} items`);
    if (maxItems !== undefined && array.length > maxItems) this.#tooMany(array.length, maxItems, undefined);
    if (uniqueItems && this.#repeated({listType: 'set', listMapKeys: [], items}, array).length > 0)
      this.#bad('', undefined, "shouldn't contain duplicates");
    if (this.#compositionDepth === 0) this.#repeatedItems(node, array);
    if (step !== undefined) this.#path.pop();
    this.#matches += 2;
  }

  #repeatedItems(node: SchemaNode, array: readonly JsonValue[]): void {
    if (this.#sink.isFull || this.#duplicates.isFull) return;
    for (const {index, value} of this.#repeated(node, array))
      this.#duplicates.add(() => ({
        reason: 'FieldValueDuplicate',
        field: this.#path.text(index),
        body: `Duplicate value: ${shownValue(value)}`,
      }));
  }

  #repeated(list: Parameters<typeof listDuplicates>[0], array: readonly JsonValue[]): ReturnType<typeof listDuplicates> & object {
    const found = listDuplicates(list, array, this.#comparisons);
    if (!found) this.#bad('', undefined, 'is too large to be looked through for repeated items');
    return found ?? [];
  }

  /** Only the first error of a string is reported, in addition to that of its format. */
  #string({schema, format}: SchemaNode, rules: ValueRules, value: string, step: Step): void {
    this.#text(schema, rules, value, step);
    this.#matches += 1;
    if (!rules.format) return;
    this.#matches += 1;
    if (rules.format(value)) return;
    const body = () => {
      const shown = shownValue(value);
      return `Invalid value: ${shown}: ${this.#path.text(step)} in body must be of type ${format as string}: ${shown}`;
    };
    this.#report('FieldValueTypeInvalid', step, body);
  }

  #text(
    {minLength, maxLength, pattern: source}: SchemaNode['schema'],
    {pattern, patternProblem}: ValueRules,
    value: string,
    step: Step,
  ): void {
    if (minLength !== undefined || maxLength !== undefined) {
      const length = codePoints(value);
      if (maxLength !== undefined && length > maxLength)
        return this.#report('FieldValueTooLong', step, () => `Too long: may not be longer than ${maxLength}`);
      if (minLength !== undefined && length < minLength) return this.#bad(value, step, `should be at least ${minLength} chars long`);
    }
    if (patternProblem !== undefined) this.#bad(value, step, `should match '${source}, but pattern is invalid: ${patternProblem}'`);
    if (!pattern) return;
    try {
      if (!this.#patterns.test(pattern, value)) this.#bad(value, step, `should match '${source}'`);
    } catch (error) {
      if (!(error instanceof RegexpTooExpensive)) throw error;
      this.#bad(`${value.slice(0, 32)}…`, step, `is too long to be matched with '${source}'`);
    }
  }

  #number({schema}: SchemaNode, value: number | bigint, step: Step): void {
    const {minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf} = schema;
    this.#matches += 2;
    if (multipleOf !== undefined && multipleOf < 0) {
      const body = () =>
        `Invalid value: ${multipleOf}: factor MultipleOf declared for ${this.#path.text(step)} must be positive: ${multipleOf}`;
      this.#report('FieldValueInvalid', step, body);
    } else if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
      this.#bad(value, step, `should be a multiple of ${multipleOf}`);
    }
    if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum))
      this.#bad(value, step, `should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`);
    if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum))
      this.#bad(value, step, `should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`);
  }

  /** A value with several forms follows the first schema that has its type (`x-orch-alternatives`). */
  #alternatives(node: SchemaNode, value: JsonValue, step: Step): void {
    const match = node.alternatives.find((entry) => entry.type === jsonTypeOf(value));
    if (match) this.#value(match, value, step);
  }

  #compositions({allOf, anyOf, oneOf, not}: ValueRules, value: JsonValue, step: Step): void {
    this.#compositionDepth += 1;
    if (anyOf.length > 0) {
      const {best, fitting} = this.#try(anyOf, value, step, true);
      if (fitting === 0) this.#compositionError(step, () => 'must validate at least one schema (anyOf)', best, value);
    }
    if (oneOf.length > 0) {
      const {best, fitting} = this.#try(oneOf, value, step, false);
      const found = () => (fitting === 0 ? 'Found none valid' : `Found ${fitting} valid alternatives`);
      if (fitting !== 1) this.#compositionError(step, () => `must validate one and only one schema (oneOf). ${found()}`, best, value);
    }
    if (allOf.length > 0) this.#all(allOf, value, step);
    if (not) {
      const matches = this.#matches;
      if (this.#fits(not, value, step)) this.#compositionError(step, () => 'must not validate the schema (not)');
      this.#matches = matches;
    }
    this.#compositionDepth -= 1;
  }

  #all(allOf: readonly SchemaNode[], value: JsonValue, step: Step): void {
    let fitting = 0;
    for (const entry of allOf) {
      const matches = this.#matches;
      if (this.#fits(entry, value, step)) {
        fitting += 1;
        continue;
      }
      // Checked again to collect its errors.
      this.#matches = matches;
      this.#value(entry, value, step);
    }
    const none = fitting === 0 ? '. None validated' : '';
    if (fitting < allOf.length) this.#compositionError(step, () => `must validate all the schemas (allOf)${none}`);
  }

  /**
   * How many of the schemas match, and the best one if none does. The matches of the schema that is shown, or that matches first, are
   * counted.
   *
   * @param untilFirst whether one match is enough
   */
  #try(
    entries: readonly SchemaNode[],
    value: JsonValue,
    step: Step,
    untilFirst: boolean,
  ): {readonly best: SchemaNode | undefined; readonly fitting: number} {
    const before = this.#matches;
    let best: SchemaNode | undefined;
    let bestMatches = -1;
    let fitting = 0;
    for (const entry of entries) {
      this.#matches = 0;
      if (this.#fits(entry, value, step)) {
        if (fitting === 0) [best, bestMatches] = [undefined, this.#matches];
        fitting += 1;
        if (untilFirst) break;
      } else if (fitting === 0 && this.#matches > bestMatches) [best, bestMatches] = [entry, this.#matches];
    }
    this.#matches = before + Math.max(bestMatches, 0);
    return {best, fitting};
  }

  #fits(node: SchemaNode, value: JsonValue, step: Step): boolean {
    const outer = this.#sink;
    const probe = new FaultProbe();
    this.#sink = probe;
    this.#value(node, value, step);
    this.#sink = outer;
    return probe.isEmpty;
  }

  /** @param best the schema whose errors are reported too, without counting it again */
  #compositionError(step: Step, text: () => string, best?: SchemaNode, value?: JsonValue): void {
    this.#report('FieldValueInvalid', step, () => `Invalid value: "": ${JSON.stringify(this.#path.text(step))} ${text()}`);
    if (!best || this.#sink instanceof FaultProbe) return;
    const matches = this.#matches;
    this.#value(best, value, step);
    this.#matches = matches;
  }

  #wrongType(fault: TypeFault, step: Step): void {
    const body = () => `Invalid value: ${JSON.stringify(fault.actual)}: ${typeFaultText(this.#path.text(step), fault)}`;
    this.#report('FieldValueTypeInvalid', step, body);
  }

  #tooDeep(step: Step): void {
    this.#report('FieldValueTypeInvalid', step, () => `Invalid value: "": nests deeper than ${maximumDepth} levels`);
  }

  #tooMany(count: number, maximum: number, step: Step): void {
    this.#report('FieldValueTooMany', step, () => `Too many: ${count}: must have at most ${maximum} items`);
  }

  #bad(value: JsonValue, step: Step, text: string): void {
    this.#report('FieldValueInvalid', step, () => `Invalid value: ${shownValue(value)}: ${this.#path.text(step)} in body ${text}`);
  }

  #report(reason: FieldErrorReason, step: Step, body: () => string): void {
    this.#sink.add(() => ({reason, field: this.#path.text(step), body: cutText(body(), messageLimits.fault)}));
  }
}

/** How many passed checks a value counts for by its kind alone. */
function matchesOfKind(value: JsonValue): number {
  if (typeof value === 'boolean') return 0;
  return typeof value === 'string' || (typeof value === 'object' && !Array.isArray(value)) ? 1 : 2;
}

/** The errors found, or the first ones if there are very many. */
function boundedFaults(find: () => FieldError[]): readonly FieldError[] {
  try {
    return limitFaults(find);
  } catch (error) {
    if (TooManyFaults.is<FieldError>(error)) return error.faults;
    throw error;
  }
}
