import {ExpressionError, internalFieldError, invalid, type FieldError, type FieldPath} from '../../../sdk/index.js';
import type {Interruptible} from '../../../sdk/values/interruptible.js';
import type {SchemaNode} from '../schema/schema-node.js';
import {compileMessage, type CompiledRule} from './compiled-rule.js';
import {CostBudget} from './cost/cost-budget.js';
import {multiply} from './cost/size-range.js';
import {greatestCount, partsOf, SchemaSizes} from './cost/size-model.js';
import {evaluateDefaults} from './evaluate-rules.js';
import {fieldPathSteps} from './field-path.js';
import type {RulePlan} from './rule-plan.js';
import {RuleSet} from './rule-set.js';
import {invalidRule} from './invalid-rule.js';
import type {ValidationRule} from './validation-rule.js';

/**
 * The errors of a schema's rules: expressions with syntax or type errors, transition rules on places that cannot be correlated, rules too
 * expensive for the largest objects the schema allows, and defaults that violate rules.
 *
 * @param isFaulty whether a place has errors of another kind, at or below it; its rules are skipped then
 */
export function* faultsOfRules(root: SchemaNode, path: FieldPath, isFaulty: (path: FieldPath) => boolean): Interruptible<FieldError[]> {
  const rules = new RuleSet(root, 'new');
  if (!rules.plan) return [];
  const check = new RuleChecks(rules, isFaulty);
  yield* check.visit(rules.plan, {path, uncorrelated: undefined, count: 1});
  const faults = [...check.formFaults, ...check.faults, ...check.budget.totalFaults(path)];
  return [...faults, ...(yield* evaluateDefaults(rules, path, isFaulty))];
}

/** The current place of the check in a schema. */
interface Place {
  readonly path: FieldPath;
  /** The nearest list above in which items cannot be correlated. */
  readonly uncorrelated: FieldPath | undefined;
  /** The maximum number of values in one object; undefined if unbounded. */
  readonly count: number | undefined;
}

class RuleChecks {
  readonly faults: FieldError[] = [];
  /** Errors of what stands beside rules. Where there are some, at a place or below it, rules are not looked at. */
  readonly formFaults: FieldError[] = [];
  readonly budget = new CostBudget();

  readonly #rules: RuleSet;
  readonly #isFaulty: (path: FieldPath) => boolean;

  constructor(rules: RuleSet, isFaulty: (path: FieldPath) => boolean) {
    this.#rules = rules;
    this.#isFaulty = isFaulty;
  }

  *visit(plan: RulePlan, place: Place): Interruptible<void> {
    const before = this.formFaults.length;
    const {items, additional, properties, node} = plan;
    const {path} = place;
    const parts = partsOf(node.schema);
    const count = place.count === undefined || parts === undefined ? undefined : multiply(place.count, parts);
    // Errors of parts come first, as in Kubernetes.
    if (additional) yield* this.visit(additional, {...place, count, path: path.child('additionalProperties')});
    for (const [name, property] of properties) yield* this.visit(property, {...place, count, path: path.child('properties').key(name)});
    if (items)
      yield* this.visit(items, {
        count,
        path: path.child('items'),
        uncorrelated: place.uncorrelated ?? (node.listType === 'map' ? undefined : path),
      });
    if (plan.rules.length === 0 || this.#isFaulty(path)) return;
    this.#checkPaths(plan, path);
    if (this.formFaults.length === before) yield* this.#check(plan, place);
  }

  *#check({node, rules}: RulePlan, place: Place): Interruptible<void> {
    const path = place.path.child('x-kubernetes-validations');
    const sizes = new SchemaSizes(node.schema, node.isResource);
    if (!sizes.isVisible) {
      const detail =
        'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations';
      this.faults.push(internalFieldError(path, detail));
      return;
    }
    const count = place.count ?? greatestCount(sizes);
    for (const [position, source] of rules.entries()) {
      const at = path.index(position);
      const compiled = this.#rules.rule(node, source);
      if (compiled instanceof ExpressionError) {
        this.faults.push(invalidRule(at.child('rule'), source, compiled.message, this.#rules.features));
        if (source.optionalOldSelf !== undefined) this.faults.push(unusedFault(source.optionalOldSelf, at));
      } else {
        this.faults.push(...this.budget.spend(multiply(compiled.cost(sizes), count), at.child('rule')));
        this.faults.push(...this.#messageFaults(node, source, sizes, at));
        this.faults.push(...changeFaults(compiled, at, place.uncorrelated));
      }
      yield;
    }
  }

  #checkPaths({node, rules}: RulePlan, path: FieldPath): void {
    const detail = this.#rules.features.has('short-rule-faults') ? 'must be a valid path' : 'fieldPath must be a valid path';
    for (const [position, {fieldPath}] of rules.entries()) {
      if (!fieldPath || fieldPathSteps(node, fieldPath)) continue;
      this.formFaults.push(invalid(path.child('x-kubernetes-validations').index(position).child('fieldPath'), fieldPath, detail));
    }
  }

  #messageFaults(node: SchemaNode, source: ValidationRule, sizes: SchemaSizes, path: FieldPath): FieldError[] {
    if (!source.messageExpression) return [];
    try {
      const {cost} = compileMessage(this.#rules.scope(node, source.optionalOldSelf === true), source.messageExpression);
      return this.budget.spend(cost(sizes), path.child('messageExpression'), 'estimated messageExpression cost');
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      return [invalidRule(path.child('messageExpression'), source, error.message, this.#rules.features)];
    }
  }
}

function unusedFault(optionalOldSelf: boolean, path: FieldPath): FieldError {
  return invalid(path.child('optionalOldSelf'), optionalOldSelf, 'may not be set if oldSelf is not used in rule');
}

function changeFaults({source, isTransition}: CompiledRule, path: FieldPath, uncorrelated: FieldPath | undefined): FieldError[] {
  if (isTransition && uncorrelated) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated.toString()}`;
    return [invalid(path.child('rule'), source.rule, detail)];
  }
  return source.optionalOldSelf === undefined || isTransition ? [] : [unusedFault(source.optionalOldSelf, path)];
}
