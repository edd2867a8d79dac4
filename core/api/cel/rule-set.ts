import type {Environment} from '@marcbachmann/cel-js';
import {ExpressionError} from '../../../sdk/index.js';
import type {SchemaNode} from '../schema/schema-node.js';
import {CelTypes} from './cel-types.js';
import {compileRule, type CompiledRule} from './compiled-rule.js';
import {kubernetesEnvironment} from './environment.js';
import {rulePlanOf, type RulePlan} from './rule-plan.js';
import type {ValidationRule} from './validation-rule.js';

/** A rule compiled on first use, or the reason why it does not compile. */
export type PreparedRule = CompiledRule | ExpressionError;

/** The validation rules of one schema. Types and rules are created when the first value needs them. */
export class RuleSet {
  readonly plan: RulePlan | undefined;
  readonly types: CelTypes;
  readonly #environment: Environment;
  readonly #compiled = new Map<ValidationRule, PreparedRule>();
  readonly #scopes = new Map<SchemaNode, {plain: Environment; optional: Environment | undefined}>();

  constructor(root: SchemaNode) {
    this.plan = rulePlanOf(root);
    this.#environment = kubernetesEnvironment();
    this.types = new CelTypes(this.#environment);
    if (this.plan) this.#declareTypes(this.plan);
  }

  /** A rule of a place, compiled. */
  rule(node: SchemaNode, source: ValidationRule): PreparedRule {
    let compiled = this.#compiled.get(source);
    if (!compiled) this.#compiled.set(source, (compiled = this.#compile(node, source)));
    return compiled;
  }

  /** The environment in which `self` and `oldSelf` have the type of a place. */
  scope(node: SchemaNode, optionalOldSelf: boolean): Environment {
    let scope = this.#scopes.get(node);
    if (!scope) this.#scopes.set(node, (scope = {plain: this.#makeScope(node, false), optional: undefined}));
    return optionalOldSelf ? (scope.optional ??= this.#makeScope(node, true)) : scope.plain;
  }

  #makeScope(node: SchemaNode, optionalOldSelf: boolean): Environment {
    const type = this.types.typeOf(node) ?? 'dyn';
    return this.#environment
      .clone()
      .registerVariable('self', type)
      .registerVariable('oldSelf', optionalOldSelf ? `optional<${type}>` : type);
  }

  /** An environment accepts no more types after it has been copied. */
  #declareTypes(plan: RulePlan): void {
    if (plan.rules.length > 0) this.types.typeOf(plan.node);
    for (const part of [plan.items, plan.additional, ...plan.properties.values()]) if (part) this.#declareTypes(part);
  }

  #compile(node: SchemaNode, source: ValidationRule): PreparedRule {
    try {
      return compileRule(this.scope(node, source.optionalOldSelf === true), source);
    } catch (error) {
      if (error instanceof ExpressionError) return error;
      throw error;
    }
  }
}
