import {ExpressionError} from '../../../sdk/index.js';
import type {SchemaNode} from '../schema/schema-node.js';
import {compileRule, type CompiledRule} from './compiled-rule.js';
import {ExpressionEnvironment} from './expression-environment.js';
import {celFeaturesOf, type CelFeatures} from './features.js';
import {rulePlanOf, type RulePlan} from './rule-plan.js';
import {typeOfSchema} from './schemas/schema-types.js';
import {durationType, dynType, optionalOf, timestampType, typeOf} from './types/cel-type.js';
import type {ValidationRule} from './validation-rule.js';

/** A rule compiled on first use, or the reason why it does not compile. */
export type PreparedRule = CompiledRule | ExpressionError;

/** The short names of types are known to rules, but not what they stand for. */
const unplanned = new Map([
  ['timestamp', typeOf(timestampType)],
  ['duration', typeOf(durationType)],
]);
/** In older releases a name stands for a value of the type. */
const plainUnplanned = new Map([
  ['timestamp', timestampType],
  ['duration', durationType],
]);
/** The names of types are made of this one. */
const selfTypeName = 'selfType1';

/** The validation rules of one schema. They are compiled when the first value needs them. */
export class RuleSet {
  readonly plan: RulePlan | undefined;
  readonly features: CelFeatures;
  readonly #compiled = new Map<ValidationRule, PreparedRule>();
  readonly #scopes = new Map<SchemaNode, {plain: ExpressionEnvironment; optional: ExpressionEnvironment | undefined}>();

  /** @param expressions whether the rules are new, or such as were accepted before */
  constructor(root: SchemaNode, expressions: 'new' | 'stored' = 'stored') {
    this.plan = rulePlanOf(root);
    this.features = celFeaturesOf(root.release, expressions);
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
  scope(node: SchemaNode, optionalOldSelf: boolean): ExpressionEnvironment {
    let scope = this.#scopes.get(node);
    if (!scope) this.#scopes.set(node, (scope = {plain: this.#makeScope(node, false), optional: undefined}));
    return optionalOldSelf ? (scope.optional ??= this.#makeScope(node, true)) : scope.plain;
  }

  #makeScope(node: SchemaNode, optionalOldSelf: boolean): ExpressionEnvironment {
    const type = typeOfSchema(node, selfTypeName, this.features) ?? dynType;
    return new ExpressionEnvironment(
      this.features,
      new Map([
        ['self', type],
        ['oldSelf', optionalOldSelf ? optionalOf(type) : type],
      ]),
      {unplanned: this.features.has('opaque-type-names') ? unplanned : plainUnplanned},
    );
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
