import {cutText, messageLimits} from '../../../../sdk/errors/message-limits.js';
import {shownValue, type FieldError, type FieldErrorReason, type JsonObject, type JsonValue} from '../../../../sdk/index.js';
import {jsonTypeOf} from '../json-type.js';
import type {SchemaBehaviour} from '../schema-behaviour.js';
import type {SchemaNode} from '../schema-node.js';
import {maximumDepth, WalkPath} from '../walk-path.js';
import type {Correlation} from './correlation.js';
import {boundedEmbeddedFaults} from './embedded-resource.js';
import {fieldBelow, pathBelow} from './fault-places.js';
import {FaultList, FaultProbe, type FaultSink} from './fault-list.js';
import {listDuplicates, type ComparisonBudget, duplicateFault, keylessItemFault} from './list-duplicates.js';
import {PatternBudget} from './pattern-budget.js';
import {numberFaults, stringFaults, type ValueFault} from './scalar-faults.js';
import {matchesOfKind} from './scalar-values.js';
import {typeFaultOf, typeFaultText, type TypeFault} from './type-faults.js';
import {comparisonLimit, compositionLimit} from './validation-limits.js';
import {valueRulesOf, type ValueRules} from './value-rules.js';

type Step = string | number | undefined;

/**
 * One pass that checks the value rules of a schema. It modifies nothing. Errors and messages are those of Kubernetes
 * (`k8s.io/kube-openapi/pkg/validation/validate`); the walk stops when there are enough of them.
 */
export class Validator {
  readonly #path = new WalkPath();
  readonly #acceptsAnyIntOrString: boolean;
  readonly #found = new FaultList();
  /** Duplicate items of sets and maps. They are kept separately because an update may leave them as they were. */
  readonly #duplicates = new FaultList();
  /** Of objects inside others: no update may leave them as they were, and no status is judged by them. */
  readonly #embedded = new FaultList();
  #sink: FaultSink = this.#found;
  /** Passed checks, counted as in Kubernetes: if none of several schemas matches, the errors of the best one are shown. */
  #matches = 0;
  /** Where the walk began, for the fields of errors. */
  #base = '';
  #compositionWork = 0;
  #compositionDepth = 0;
  readonly #patterns = new PatternBudget();
  readonly #comparisons: ComparisonBudget = {left: comparisonLimit};

  /**
   * @param base the field of a value that is no object: messages have the path from there
   * @param acceptsAnyIntOrString as Kubernetes does where a schema is not yet that of objects
   */
  constructor(base = '', {acceptsAnyIntOrString = false} = {}) {
    this.#base = base;
    this.#acceptsAnyIntOrString = acceptsAnyIntOrString;
  }

  /** All errors except those in `embedded` and `duplicates`. */
  get faults(): readonly FieldError[] {
    return this.#found.all;
  }

  get embedded(): readonly FieldError[] {
    return this.#embedded.all;
  }

  get duplicates(): readonly FieldError[] {
    return this.#duplicates.all;
  }

  /** Whether the walk stopped early, so that there may be more errors than listed. */
  get endedEarly(): boolean {
    return this.#found.isFull || this.#duplicates.isFull;
  }

  /**
   * Checks a value.
   *
   * @param before what an update found there; what it has left as it was may be invalid
   */
  check(node: SchemaNode, value: JsonValue | undefined, before?: Correlation): void {
    this.#value(node, value, undefined, before);
    this.#end();
  }

  /** The same for a member alone: messages have the path from there, as if it were an object of its own. */
  checkMember(node: SchemaNode, object: JsonObject, name: string, before?: Correlation): void {
    if (!Object.hasOwn(object, name)) return;
    if (!node.behaviour.placesFaultsInStatus) this.#base = name;
    this.check(node, object[name], before);
  }

  #end(): void {
    if (!this.#isExhausted) return;
    // What was not checked may be invalid, whatever the surrounding schemas concluded.
    this.#bad(
      '',
      undefined,
      `takes more than ${compositionLimit} steps to be checked against the schemas under allOf, anyOf, oneOf and not`,
    );
  }

  get #isExhausted(): boolean {
    return this.#compositionWork > compositionLimit;
  }

  /** Kubernetes judges what is under `allOf` and the like without what was there before. */
  #value(node: SchemaNode, value: JsonValue | undefined, step?: Step, before?: Correlation): void {
    if (!before || this.#compositionDepth > 0) return this.#judge(node, value, step);
    const {size} = this.#found;
    this.#judge(node, value, step, before);
    if (this.#found.size > size && before.isUnchanged) this.#found.truncate(size);
  }

  #judge(node: SchemaNode, value: JsonValue | undefined, step?: Step, before?: Correlation): void {
    const rules = valueRulesOf(node);
    if (rules.empty || value === undefined || this.#sink.isFull) return;
    if (this.#compositionDepth > 0 && ++this.#compositionWork > compositionLimit) return;
    if (value === null) return this.#null(node, rules, step);
    const isTyped = this.#type(node, rules, value, step);
    if (rules.typeOnly && (isTyped || (typeof value !== 'number' && typeof value !== 'bigint'))) {
      this.#matches += 4 + matchesOfKind(value);
      return;
    }
    if (this.#path.depth >= maximumDepth)
      return this.#report('FieldValueTypeInvalid', step, () => `Invalid value: "": nests deeper than ${maximumDepth} levels`);
    if (rules.hasCompositions && !this.#isExhausted) this.#compositions(rules, value, step);
    this.#matches += 2;
    if (typeof value === 'string') this.#scalar(stringFaults(node, rules, value, this.#patterns), rules.format ? 2 : 1, step);
    else if (typeof value === 'number' || typeof value === 'bigint') this.#scalar(numberFaults(node, value), 2, step);
    else if (Array.isArray(value)) this.#array(node, value, step, before);
    if (rules.enumeration) this.#enumeration(rules.enumeration, node.behaviour, value, step);
    this.#matches += 2;
    if (typeof value === 'object' && !Array.isArray(value)) this.#object(node, rules, value, step, before);
    if (node.alternatives.length > 0) this.#alternatives(node, value, step);
  }

  #null(node: SchemaNode, rules: ValueRules, step: Step): void {
    if (rules.types !== undefined && !node.nullable) this.#wrongType({actual: 'null', expected: rules.types}, step);
    else this.#matches += 1;
    if (rules.enumeration) this.#enumeration(rules.enumeration, node.behaviour, null, step);
  }

  /** @returns whether it has the right one */
  #type(node: SchemaNode, rules: ValueRules, value: JsonValue, step: Step): boolean {
    const fault = this.#acceptsAnyIntOrString && node.type === 'int-or-string' ? undefined : typeFaultOf(node, rules, value);
    if (fault) this.#wrongType(fault, step);
    if (rules.types !== undefined || rules.formatName !== undefined) this.#matches += fault ? 1 : 2;
    return fault === undefined;
  }

  #enumeration(enumeration: NonNullable<ValueRules['enumeration']>, {words}: SchemaBehaviour, value: JsonValue, step: Step): void {
    if (enumeration.has(value)) return;
    this.#report('FieldValueNotSupported', step, () => `Unsupported value: ${words.shown(value)}: supported values: ${enumeration.text}`);
  }

  #object(node: SchemaNode, rules: ValueRules, object: JsonObject, step: Step, before?: Correlation): void {
    const {minProperties, maxProperties} = node.schema;
    this.#matches += 1;
    if (minProperties !== undefined || maxProperties !== undefined) {
      const count = Object.keys(object).length;
      const tooFew = minProperties !== undefined && count < minProperties;
      const tooMany = maxProperties !== undefined && count > maxProperties;
      if (tooFew) this.#bad(count, step, `should have at least ${minProperties} properties`);
      else if (tooMany) this.#tooMany(node, count, maxProperties, step);
      if ((tooFew || tooMany) && !node.behaviour.checksCountedMembers) return;
    }
    if (step !== undefined) this.#path.push(step);
    this.#members(node, rules, object, before);
    if (step !== undefined) this.#path.pop();
  }

  #members(node: SchemaNode, rules: ValueRules, object: JsonObject, before?: Correlation): void {
    for (const name of rules.required) {
      if (!Object.hasOwn(object, name) || object[name] === undefined) this.#report('FieldValueRequired', name, () => 'Required value');
      if (this.#sink.isFull) return;
    }
    if (node.schema['x-kubernetes-embedded-resource'] === true) this.#embeddedObject(object, node.behaviour.hasShortDetails);
    const {properties, additional, metadataRules} = node;
    if (properties.size === 0 && !additional) return;
    if (metadataRules && Object.hasOwn(object, 'metadata'))
      this.#value(metadataRules, object['metadata'], 'metadata', before?.member('metadata'));
    for (const key in object) {
      const child = properties.get(key) ?? additional;
      // Neither type nor version of an object are seen before it is converted.
      const isType = this.#path.depth === 0 && (key === 'kind' || key === 'apiVersion');
      if (child) this.#value(child, object[key], key, isType ? undefined : before?.member(key));
    }
  }

  #embeddedObject(object: JsonObject, shortDetails: boolean): void {
    const path = pathBelow(this.#base, this.#path.text());
    const sink = this.#sink === this.#found ? this.#embedded : this.#sink;
    for (const fault of boundedEmbeddedFaults(object, path, shortDetails)) sink.add(() => fault);
  }

  #array(node: SchemaNode, array: JsonValue[], step: Step, before?: Correlation): void {
    const {minItems, maxItems, uniqueItems} = node.schema;
    if (step !== undefined) this.#path.push(step);
    const {items} = node;
    if (items && !valueRulesOf(items).empty)
      for (let index = 0; index < array.length; index++) this.#value(items, array[index], index, before?.item(index));
    if (minItems !== undefined && array.length < minItems) this.#bad(array.length, undefined, `should have at least ${minItems} items`);
    if (maxItems !== undefined && array.length > maxItems) this.#tooMany(node, array.length, maxItems, undefined);
    if (uniqueItems && this.#repeated({listType: 'set', listMapKeys: [], items}, array).length > 0)
      this.#bad('', undefined, "shouldn't contain duplicates");
    if (this.#compositionDepth === 0) this.#repeatedItems(node, array);
    if (step !== undefined) this.#path.pop();
    this.#matches += 2;
  }

  #repeatedItems(node: SchemaNode, array: readonly JsonValue[]): void {
    if (this.#sink.isFull || this.#duplicates.isFull) return;
    const fieldOf = (index: number) => this.#field(index);
    const keyless = keylessItemFault(node, array, fieldOf);
    if (keyless) return this.#duplicates.add(() => keyless);
    for (const item of this.#repeated(node, array)) this.#duplicates.add(() => duplicateFault(node, item, fieldOf));
  }

  #repeated(list: Parameters<typeof listDuplicates>[0], array: readonly JsonValue[]): ReturnType<typeof listDuplicates> & object {
    const found = listDuplicates(list, array, this.#comparisons);
    if (!found) this.#bad('', undefined, 'is too large to be looked through for repeated items');
    return found ?? [];
  }

  #scalar(faults: readonly ValueFault[], matches: number, step: Step): void {
    for (const fault of faults) this.#broken(fault, step);
    this.#matches += matches;
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
    const body = () => `Invalid value: "": ${JSON.stringify(this.#path.text(step))} ${text()}`;
    this.#reportWhole('FieldValueInvalid', body);
    if (!best || this.#sink instanceof FaultProbe) return;
    const matches = this.#matches;
    this.#value(best, value, step);
    this.#matches = matches;
  }

  #wrongType(fault: TypeFault, step: Step): void {
    const shown = JSON.stringify(fault.actual);
    this.#report('FieldValueTypeInvalid', step, () => `Invalid value: ${shown}: ${typeFaultText(this.#path.text(step), fault)}`);
  }

  #tooMany({behaviour}: SchemaNode, count: number, maximum: number, step: Step): void {
    this.#report('FieldValueTooMany', step, () => behaviour.words.tooMany(count, maximum));
  }

  #broken({reason, body, isPlaceless}: ValueFault, step: Step): void {
    const make = () => body(this.#path.text(step));
    if (isPlaceless) this.#reportWhole(reason, make);
    else this.#report(reason, step, make);
  }

  #bad(value: JsonValue, step: Step, text: string): void {
    this.#report('FieldValueInvalid', step, () => `Invalid value: ${shownValue(value)}: ${this.#path.text(step)} in body ${text}`);
  }

  #report(reason: FieldErrorReason, step: Step, body: () => string): void {
    this.#sink.add(() => ({reason, field: this.#field(step), body: cutText(body(), messageLimits.fault)}));
  }

  #reportWhole(reason: FieldErrorReason, body: () => string): void {
    this.#sink.add(() => ({reason, field: fieldBelow(this.#base, ''), body: cutText(body(), messageLimits.fault)}));
  }

  #field(step: Step): string {
    return fieldBelow(this.#base, this.#path.text(step));
  }
}
