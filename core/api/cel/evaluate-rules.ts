import {
  duplicate,
  ExpressionError,
  fieldErrorText,
  FieldPath,
  duplicateUnseen,
  forbiddenField,
  invalid,
  invalidUnseen,
  required,
  type FieldError,
  type JsonObject,
  type JsonValue,
} from '../../../sdk/index.js';
import type {Interruptible} from '../../../sdk/values/interruptible.js';
import {isJsonObject} from '../json/is-json-object.js';
import type {Correlation} from '../schema/validation/correlation.js';
import {evaluationText} from './compile-expression.js';
import type {CompiledRule} from './compiled-rule.js';
import {correlatedItems} from './correlated-items.js';
import {fieldPathSteps, followSteps} from './field-path.js';
import {shortText} from './short-text.js';
import {metered, type Outcome} from './metered.js';
import type {RulePlan} from './rule-plan.js';
import type {RuleSet} from './rule-set.js';
import {valueOfSchema} from './schemas/schema-values.js';
import {OptionalValue} from './values/optional.js';
import type {ValidationRule} from './validation-rule.js';

/** Kubernetes' step limits for one evaluation of a rule, and for all evaluations for an object (a step takes 10 to 30 ns here). */
const ruleLimit = 1_000_000;
const objectLimit = 10_000_000;
/** For all defaults of a schema, which are judged when a definition is written. */
const defaultsLimit = 1_000_000;
const maximumFaults = 100;
/** After so many steps others may go first: less than a millisecond. */
const stepsInOneGo = 20_000;
/** To find a place, whether or not it has rules. */
const stepsPerPlace = 20;
/** To compile a rule, and another for each of its characters; nothing of it counts for the limits. */
const stepsToCompile = 400;
const stepsPerCharacter = 10;

/** What an update has left as it was: it may break rules that do not look at what was there before. */
export interface Ratchet {
  /** Of the place with its old value; undefined where there is none, as in sets. Then that of the nearest place above decides. */
  readonly correlation: Correlation | undefined;
  readonly above?: Correlation;
  /** Gets the text of what is broken and may be. */
  readonly warn: ((text: string) => void) | undefined;
}

function below(ratchet: Ratchet | undefined, next: (correlation: Correlation) => Correlation | undefined): Ratchet | undefined {
  if (!ratchet?.correlation) return ratchet;
  return {correlation: next(ratchet.correlation), above: ratchet.correlation, warn: ratchet.warn};
}

/**
 * The errors of a valid object that violates rules of its schema.
 *
 * @param old the previous object; without it, transition rules are skipped
 * @param ratchet undefined where everything has to keep all rules
 */
export function* evaluateRules(
  rules: RuleSet,
  object: JsonObject,
  old: JsonObject | undefined,
  ratchet?: Ratchet,
): Interruptible<FieldError[]> {
  const evaluation = new Evaluation(rules, objectLimit);
  if (rules.plan) yield* evaluation.visit(rules.plan, object, old, FieldPath.root, ratchet);
  return evaluation.faults;
}

/**
 * The errors of defaults that violate rules of their schema. A default also serves as its own old value. Rules that do not compile are
 * skipped.
 *
 * @param path of the schema
 * @param isFaulty whether a place has errors of another kind, at or below it
 */
export function* evaluateDefaults(rules: RuleSet, path: FieldPath, isFaulty: (path: FieldPath) => boolean): Interruptible<FieldError[]> {
  // One limit for all of them, as for the values of one object.
  const evaluation = new Evaluation(rules, defaultsLimit, false);
  function* visit(plan: RulePlan, at: FieldPath): Interruptible<void> {
    const value = plan.node.default as JsonValue | undefined;
    if (value !== undefined && !isFaulty(at)) yield* evaluation.visit(plan, value, value, at.child('default'));
    for (const [name, property] of plan.properties) yield* visit(property, at.child('properties').key(name));
    if (plan.items) yield* visit(plan.items, at.child('items'));
    if (plan.additional) yield* visit(plan.additional, at.child('additionalProperties'));
  }
  if (rules.plan) yield* visit(rules.plan, path);
  return evaluation.faults;
}

/** `self` and `oldSelf` of a place, made when an expression first reads them. */
class PlaceValues {
  readonly plain: Readonly<Record<string, unknown>>;
  /** With an old value that may be absent. */
  readonly optional: Readonly<Record<string, unknown>>;

  constructor({node}: RulePlan, value: JsonValue, old: JsonValue | undefined) {
    let self: unknown;
    let oldSelf: unknown;
    const madeSelf = () => (self ??= valueOfSchema(node, value));
    const madeOld = () => (old === undefined ? undefined : (oldSelf ??= valueOfSchema(node, old)));
    this.plain = {
      get self() {
        return madeSelf();
      },
      get oldSelf() {
        return madeOld();
      },
    };
    this.optional = {
      get self() {
        return madeSelf();
      },
      get oldSelf() {
        return old === undefined ? OptionalValue.none : OptionalValue.of(madeOld());
      },
    };
  }
}

class Evaluation {
  readonly faults: FieldError[] = [];
  #left: number;
  #leftInGo = stepsInOneGo;
  /** Whether a rule was not evaluated because nothing was left. */
  #isExhausted = false;
  readonly #rules: RuleSet;
  readonly #reportsBroken: boolean;

  /** @param reportsBroken whether rules that do not compile are errors of the object */
  constructor(rules: RuleSet, limit: number, reportsBroken = true) {
    this.#rules = rules;
    this.#left = limit;
    this.#reportsBroken = reportsBroken;
  }

  *visit(plan: RulePlan, value: JsonValue, old: JsonValue | undefined, path: FieldPath, ratchet?: Ratchet): Interruptible<void> {
    if (value === null || this.#isOver()) return;
    this.#leftInGo -= stepsPerPlace;
    if (plan.rules.length > 0) yield* this.#evaluate(plan, value, old ?? undefined, path, ratchet);
    if (Array.isArray(value)) {
      if (!plan.items) return;
      const before = Array.isArray(old) ? correlatedItems(plan.node, old) : undefined;
      for (const [index, item] of value.entries())
        yield* this.visit(
          plan.items,
          item,
          before?.(item),
          path.index(index),
          below(ratchet, (one) => one.item(index)),
        );
    } else if (isJsonObject(value)) {
      const before = isJsonObject(old) ? old : undefined;
      for (const [name, member] of Object.entries(value)) {
        const property = plan.properties.get(name);
        const part = property ?? (plan.node.properties.has(name) ? undefined : plan.additional);
        if (part && member !== undefined)
          yield* this.visit(
            part,
            member,
            before && Object.hasOwn(before, name) ? before[name] : undefined,
            property ? path.child(name) : path.key(name),
            // Neither version nor kind of an object are seen before it is converted.
            path.isRoot && (name === 'apiVersion' || name === 'kind') ? undefined : below(ratchet, (one) => one.member(name)),
          );
      }
    }
  }

  #isOver(): boolean {
    return this.#isExhausted || this.faults.length >= maximumFaults;
  }

  *#evaluate(
    plan: RulePlan,
    value: JsonValue,
    old: JsonValue | undefined,
    path: FieldPath,
    ratchet: Ratchet | undefined,
  ): Interruptible<void> {
    const values = new PlaceValues(plan, value, old);
    for (const source of plan.rules) {
      if (this.#isOver()) return;
      if (this.#leftInGo <= 0) {
        yield;
        this.#leftInGo = stepsInOneGo;
      }
      if (!this.#rules.has(source)) this.#leftInGo -= stepsToCompile + stepsPerCharacter * source.rule.length;
      const rule = this.#rules.rule(plan.node, source);
      if (rule instanceof ExpressionError) {
        if (this.#reportsBroken) this.faults.push(invalid(path, plan.node.type, `rule compile error: ${rule.message}`));
        continue;
      }
      if (rule.isTransition && old === undefined && source.optionalOldSelf !== true) continue;
      const fault = this.#run(rule, source.optionalOldSelf === true ? values.optional : values.plain, plan, value, path);
      if (!fault) continue;
      const mayStay = fault.isBroken && !rule.isTransition && (ratchet?.correlation ?? ratchet?.above)?.isUnchanged === true;
      if (mayStay) ratchet?.warn?.(fieldErrorText(fault.fault));
      else this.faults.push(fault.fault);
    }
  }

  /** @returns what is wrong, and whether the rule is broken, not only impossible to evaluate */
  #run(
    rule: CompiledRule,
    variables: Readonly<Record<string, unknown>>,
    plan: RulePlan,
    value: JsonValue,
    path: FieldPath,
  ): {readonly fault: FieldError; readonly isBroken: boolean} | undefined {
    const outcome = this.#metered(() => rule.holds(variables));
    const {source} = rule;
    const place = typeText(plan);
    if (outcome.exceeded) {
      this.#isExhausted = this.#left <= 0;
      const detail = this.#isExhausted
        ? 'validation failed due to running out of cost budget, no further validation rules will be run'
        : `'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${ruleText(source)}`;
      return {fault: invalid(path, place, detail), isBroken: false};
    }
    if (outcome.error !== undefined)
      return {fault: invalid(path, place, failureText(evaluationText(outcome.error), source)), isBroken: false};
    if (outcome.result === true) return undefined;
    const made = source.messageExpression ? this.#metered(() => rule.message(variables)) : undefined;
    const detail = (made?.exceeded ? undefined : made?.result) ?? fixedText(source);
    const shown = this.#rules.features.has('shown-values') ? shownOf(plan, value) : place;
    return {fault: faultOf(source, detail, plan, shown, path), isBroken: true};
  }

  /** An evaluation refused because of its cost has used no more than the limit. */
  #metered<T>(evaluate: () => T): Outcome<T> {
    const limit = Math.min(ruleLimit, this.#left);
    const outcome = metered(limit, evaluate);
    const spent = Math.min(outcome.spent, limit);
    this.#left -= spent;
    this.#leftInGo -= spent;
    return outcome;
  }
}

/** A rule in a message: what it says by itself, if it does. */
function ruleText({rule, message}: ValidationRule): string {
  return shortText(message?.trim() || rule.trim());
}

function fixedText({rule, message}: ValidationRule): string {
  return shortText(message?.trim() || `failed rule: ${rule.trim()}`);
}

function failureText(text: string, source: ValidationRule): string {
  return text.startsWith('no such overload')
    ? `'${text}': call arguments did not match a supported operator, function or macro signature for rule: ${ruleText(source)}`
    : `${text} evaluating rule: ${ruleText(source)}`;
}

/** The name of the type of a place. */
function typeText({node}: RulePlan): string {
  return node.type === 'int-or-string' || node.type === 'any' ? '' : node.type;
}

/** Objects and lists are not shown: they may be large. */
function shownOf({node}: RulePlan, value: JsonValue): JsonValue | undefined {
  return node.type === 'object' || node.type === 'array' ? undefined : value;
}

/** @param shown undefined if the message says nothing of the value */
function faultOf(
  {reason, fieldPath}: ValidationRule,
  detail: string,
  {node}: RulePlan,
  shown: JsonValue | undefined,
  scope: FieldPath,
): FieldError {
  const path = followSteps(scope, (fieldPath && fieldPathSteps(node, fieldPath)) || []);
  switch (reason) {
    case 'FieldValueForbidden':
      return forbiddenField(path, detail);
    case 'FieldValueRequired':
      return required(path, detail);
    case 'FieldValueDuplicate':
      return shown === undefined ? duplicateUnseen(path) : duplicate(path, shown);
    default:
      return shown === undefined ? invalidUnseen(path, detail) : invalid(path, shown, detail);
  }
}
