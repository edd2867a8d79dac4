import {ExpressionError, internalFieldError, invalid, type FieldError, type FieldPath} from '../../../sdk/index.js';
import type {Interruptible} from '../../../sdk/values/interruptible.js';
import type {SchemaNode} from '../schema/schema-node.js';
import {checkMessage, type CompiledRule} from './compiled-rule.js';
import {CostBudget} from './cost/cost-budget.js';
import {multiply} from './cost/size-range.js';
import {greatestCount, partsOf, SchemaSizes} from './cost/size-model.js';
import {evaluateDefaults} from './evaluate-rules.js';
import type {RulePlan} from './rule-plan.js';
import {RuleSet} from './rule-set.js';
import type {ValidationRule} from './validation-rule.js';

/**
 * The errors of a schema's rules: expressions with syntax or type errors, transition rules on places that cannot be correlated, rules too
 * expensive for the largest objects the schema allows, and defaults that violate rules.
 *
 * @param isFaulty whether a place has errors of another kind, at or below it; its rules are skipped then
 */
export function* faultsOfRules(root: SchemaNode, path: FieldPath, isFaulty: (path: FieldPath) => boolean): Interruptible<FieldError[]> {
  const rules = new RuleSet(root);
  if (!rules.plan) return [];
  yield* rules.prepare();
  const check = new RuleChecks(rules, isFaulty);
  yield* check.visit(rules.plan, {path, uncorrelated: undefined, count: 1});
  return [...check.faults, ...check.budget.totalFaults(path), ...(yield* evaluateDefaults(rules, path, isFaulty))];
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
  readonly budget = new CostBudget();

  readonly #rules: RuleSet;
  readonly #isFaulty: (path: FieldPath) => boolean;

  constructor(rules: RuleSet, isFaulty: (path: FieldPath) => boolean) {
    this.#rules = rules;
    this.#isFaulty = isFaulty;
  }

  *visit(plan: RulePlan, place: Place): Interruptible<void> {
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
    if (plan.rules.length > 0 && !this.#isFaulty(path)) yield* this.#check(plan, place);
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
      if (compiled instanceof ExpressionError) this.faults.push(invalid(at.child('rule'), source.rule, compiled.message));
      else {
        this.faults.push(...this.budget.spend(multiply(compiled.cost(sizes), count), at.child('rule')));
        this.faults.push(...changeFaults(compiled, at, place.uncorrelated));
      }
      this.faults.push(...this.#messageFaults(node, source, at));
      yield;
    }
  }

  #messageFaults(node: SchemaNode, {messageExpression, optionalOldSelf}: ValidationRule, path: FieldPath): FieldError[] {
    if (!messageExpression) return [];
    try {
      checkMessage(this.#rules.scope(node, optionalOldSelf === true), messageExpression);
      return [];
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      return [invalid(path.child('messageExpression'), messageExpression, error.message)];
    }
  }
}

function changeFaults({source, isTransition}: CompiledRule, path: FieldPath, uncorrelated: FieldPath | undefined): FieldError[] {
  if (isTransition && uncorrelated) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated.toString()}`;
    return [invalid(path.child('rule'), source.rule, detail)];
  }
  if (source.optionalOldSelf === undefined || isTransition) return [];
  return [invalid(path.child('optionalOldSelf'), source.optionalOldSelf, 'may not be set if oldSelf is not used in rule')];
}
