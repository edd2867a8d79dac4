import type {Environment} from '@marcbachmann/cel-js';
import {ExpressionError} from '../../../sdk/index.js';
import type {Interruptible} from '../../../sdk/values/interruptible.js';
import type {SchemaNode} from '../schema/schema-node.js';
import {CelTypes} from './cel-types.js';
import {compileRule, type CompiledRule} from './compiled-rule.js';
import {kubernetesEnvironment} from './environment.js';
import {rulePlanOf, type RulePlan} from './rule-plan.js';
import type {ValidationRule} from './validation-rule.js';

/** A rule compiled on first use, or the reason why it does not compile. */
export type PreparedRule = CompiledRule | ExpressionError;

/** The validation rules of one schema. Its types are declared by `prepare`; rules are compiled when the first value needs them. */
export class RuleSet {
  readonly plan: RulePlan | undefined;
  readonly types: CelTypes;
  readonly #environment: Environment;
  readonly #compiled = new Map<ValidationRule, PreparedRule>();
  /** By the type of a place. */
  readonly #scopes = new Map<string, {plain: Environment; optional: Environment | undefined}>();
  #isPrepared = false;

  constructor(root: SchemaNode) {
    this.plan = rulePlanOf(root);
    this.#environment = kubernetesEnvironment();
    this.types = new CelTypes(this.#environment);
  }

  /** Declares the types of all places with rules, which takes the library time for each of those that there are already. To be done before anything else. */
  *prepare(): Interruptible<void> {
    if (this.#isPrepared || !this.plan) return;
    yield* this.#declareTypes(this.plan, new Set());
    this.#isPrepared = true;
  }

  /** Whether a rule has been compiled before. */
  has(source: ValidationRule): boolean {
    return this.#compiled.has(source);
  }

  /** A rule of a place, compiled. */
  rule(node: SchemaNode, source: ValidationRule): PreparedRule {
    let compiled = this.#compiled.get(source);
    if (!compiled) this.#compiled.set(source, (compiled = this.#compile(node, source)));
    return compiled;
  }

  /** The environment in which `self` and `oldSelf` have the type of a place. */
  scope(node: SchemaNode, optionalOldSelf: boolean): Environment {
    const type = this.types.typeOf(node) ?? 'dyn';
    let scope = this.#scopes.get(type);
    if (!scope) this.#scopes.set(type, (scope = {plain: this.#makeScope(type, false), optional: undefined}));
    return optionalOldSelf ? (scope.optional ??= this.#makeScope(type, true)) : scope.plain;
  }

  #makeScope(type: string, optionalOldSelf: boolean): Environment {
    return this.#environment
      .clone()
      .registerVariable('self', type)
      .registerVariable('oldSelf', optionalOldSelf ? `optional<${type}>` : type);
  }

  /** An environment accepts no more types after it has been copied. */
  *#declareTypes(plan: RulePlan, seen: Set<SchemaNode>): Interruptible<void> {
    if (plan.rules.length > 0) yield* this.#declareType(plan.node, seen);
    for (const part of [plan.items, plan.additional, ...plan.properties.values()]) if (part) yield* this.#declareTypes(part, seen);
  }

  /** The parts of a place come first: then its own type is all that is left. */
  *#declareType(node: SchemaNode, seen: Set<SchemaNode>): Interruptible<void> {
    if (seen.has(node)) return;
    seen.add(node);
    for (const part of [node.items, node.additional]) if (part) yield* this.#declareType(part, seen);
    for (const [member, property] of node.properties)
      // Expressions see little of the metadata.
      if (!(node.isResource && member === 'metadata')) yield* this.#declareType(property, seen);
    this.types.typeOf(node);
    if (node.type === 'object') yield;
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
