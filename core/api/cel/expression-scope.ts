import {
  ExpressionError,
  type Expression,
  type ExpressionAuthorizer,
  type ExpressionBudget,
  type ExpressionScope,
  type ExpressionScopeAdditions,
  type ExpressionType,
  type ExpressionValues,
  type JsonValue,
} from '../../../sdk/index.js';
import {expressionCost} from './cost/expression-cost.js';
import {SchemaSizes} from './cost/size-model.js';
import {newestRelease} from '../lifetimes/releases.js';
import type {SchemaNode} from '../schema/schema-node.js';
import {compileExpression, evaluationText, type CompiledExpression} from './compile-expression.js';
import {ExpressionEnvironment} from './expression-environment.js';
import {celFeaturesOf, type CelFeatures} from './features.js';
import {authorizerType, authorizerValues, resourceCheckType} from './libraries/authorizer.js';
import {metered} from './metered.js';
import {objectType, patchType, withMutations} from './mutations/mutation-environment.js';
import {applyConfigurationOf, jsonPatchOf} from './mutations/mutation-result.js';
import {typeOfSchema} from './schemas/schema-types.js';
import {untypedValue, valueOfSchema} from './schemas/schema-values.js';
import {boolType, dynType, listOf, stringType, type CelType} from './types/cel-type.js';
import {resultsType, ResultsValue} from './results-value.js';
import {LateValue} from './values/late-value.js';
import {exactFault} from './exact-types.js';

/** Kubernetes' limit on the steps of one evaluation. */
const evaluationLimit = 1_000_000;

const celTypes = {bool: boolType, string: stringType, any: dynType} as const;
/** What mutations evaluate to. */
const mutationTypes = {
  applyConfiguration: {type: objectType, resultOf: applyConfigurationOf},
  jsonPatch: {type: listOf(patchType), resultOf: jsonPatchOf},
} as const;

type Nodes = ReadonlyMap<string, SchemaNode | undefined>;

/** Variables with a schema, or of any form. */
export class VariableScope implements ExpressionScope {
  readonly #environment: ExpressionEnvironment;
  readonly #nodes: Nodes;
  /** Where expressions can construct objects; made for the first that does. */
  #mutations: ExpressionEnvironment | undefined;

  private constructor(environment: ExpressionEnvironment, nodes: Nodes) {
    this.#environment = environment;
    this.#nodes = nodes;
  }

  /**
   * @param nodes by variable name; undefined for a variable of any form
   * @param features those of the newest release if left out
   */
  static of(nodes: Nodes, features: CelFeatures = celFeaturesOf(newestRelease, 'stored')): VariableScope {
    // As in Kubernetes, only the names in schemas of API types are escaped.
    const plain = features.with('keywords-as-fields');
    const typeOf = (node: SchemaNode, name: string) => typeOfSchema(node, name, node.isResource ? features : plain);
    const types = [...nodes].map(([name, node]): [string, CelType] => [name, (node && typeOf(node, name)) ?? dynType]);
    return new VariableScope(new ExpressionEnvironment(features, new Map(types)), nodes);
  }

  extend({variables = [], authorizer = false, results = {}}: ExpressionScopeAdditions): ExpressionScope {
    const types = new Map(this.#environment.variables);
    for (const name of variables) types.set(name, dynType);
    for (const [name, members] of Object.entries(results)) types.set(name, resultsType(name, members));
    if (authorizer) types.set('authorizer', authorizerType).set('authorizer.requestResource', resourceCheckType);
    return new VariableScope(new ExpressionEnvironment(this.#environment.features, types), this.#nodes);
  }

  compile(text: string, type: ExpressionType): Expression {
    if (type === 'applyConfiguration' || type === 'jsonPatch') return this.#compileMutation(text, type);
    const compiled = compiledOf(this.#environment, text);
    if (typeof type !== 'string') {
      const fault = exactFault(compiled.type, type, this.#environment.features);
      if (fault !== undefined) throw new ExpressionError(fault);
      return new ScopedExpression(text, compiled, 'any', this.#nodes, this.#environment.features);
    }
    const expected = celTypes[type];
    if (expected !== dynType && compiled.type.kind !== 'dyn' && !compiled.type.isSame(expected))
      throw new ExpressionError(`cel expression must evaluate to a ${type}`);
    return new ScopedExpression(text, compiled, type, this.#nodes, this.#environment.features);
  }

  #compileMutation(text: string, kind: keyof typeof mutationTypes): Expression {
    const {type, resultOf} = mutationTypes[kind];
    this.#mutations ??= withMutations(this.#environment);
    const compiled = compiledOf(this.#mutations, text);
    if (!compiled.type.isSame(type)) throw new ExpressionError(`must evaluate to ${type} but got ${compiled.type}`);
    return new ScopedExpression(text, compiled, kind, this.#nodes, this.#environment.features, resultOf);
  }

  bind(values: Readonly<Record<string, JsonValue | undefined>>, authorizer?: () => ExpressionAuthorizer): ExpressionValues {
    const bound = new BoundValues(this.#nodes, {}, values);
    return (authorizer ? bound.withAuthorizer(authorizer) : bound) as unknown as ExpressionValues;
  }
}

/** Values by name. */
class BoundValues {
  readonly variables: Record<string, unknown>;
  readonly #nodes: Nodes;

  constructor(nodes: Nodes, before: Readonly<Record<string, unknown>>, values: Readonly<Record<string, JsonValue | undefined>>) {
    this.#nodes = nodes;
    this.variables = Object.assign(Object.create(null), before) as Record<string, unknown>;
    for (const name of Object.keys(values)) this.variables[name] = new LateValue(() => this.#make(name, values[name] ?? null));
  }

  with(values: Readonly<Record<string, JsonValue | undefined>>): BoundValues {
    return new BoundValues(this.#nodes, this.variables, values);
  }

  withResults(name: string, results: Readonly<Record<string, () => unknown>>): BoundValues {
    const bound = this.with({});
    bound.variables[name] = new ResultsValue(results);
    return bound;
  }

  /** Adds to these values, which nobody has read yet. */
  withAuthorizer(authorizer: () => ExpressionAuthorizer): this {
    let made: Readonly<Record<string, unknown>> | undefined;
    for (const name of ['authorizer', 'authorizer.requestResource'])
      this.variables[name] = new LateValue(() => (made ??= authorizerValues(authorizer()))[name]);
    return this;
  }

  #make(name: string, value: JsonValue): unknown {
    const node = this.#nodes.get(name);
    return node ? valueOfSchema(node, value) : untypedValue(value);
  }
}

class ScopedExpression implements Expression {
  readonly #compiled: CompiledExpression;
  readonly #type: ExpressionType;
  readonly #nodes: Nodes;
  readonly #features: CelFeatures;
  readonly #resultOf: (value: unknown) => unknown;

  /** @param resultOf makes the result of a value; it is metered like the evaluation */
  constructor(
    readonly text: string,
    compiled: CompiledExpression,
    type: ExpressionType,
    nodes: Nodes,
    features: CelFeatures,
    resultOf: (value: unknown) => unknown = (value) => value,
  ) {
    this.#compiled = compiled;
    this.#type = type;
    this.#nodes = nodes;
    this.#features = features;
    this.#resultOf = resultOf;
  }

  get resultType(): string {
    return this.#compiled.type.toString();
  }

  get maximumCost(): number {
    const sizes = [...this.#nodes].map(([name, node]) => [name, node && new SchemaSizes(node.schema)] as const);
    return expressionCost(this.#compiled.root, new Map(sizes), this.#features);
  }

  evaluate(values: ExpressionValues, budget: ExpressionBudget): unknown {
    const {variables} = values as unknown as BoundValues;
    const limit = Math.min(evaluationLimit, budget.left);
    if (limit <= 0) throw new ExpressionError('cost limit exceeded', 'CostExceeded');
    const {result, error, spent, exceeded, pending} = metered(limit, () => this.#resultOf(this.#compiled.evaluate(variables)));
    if (pending) throw pending;
    // An evaluation stopped because of its cost has used no more than the limit.
    budget.left -= Math.min(spent, limit);
    if (exceeded) throw new ExpressionError('cost limit exceeded', 'CostExceeded');
    if (error !== undefined) throw new ExpressionError(evaluationText(error), 'Failed');
    if (this.#type === 'bool' && typeof result !== 'boolean') throw new ExpressionError('the result is no bool', 'Failed');
    if (this.#type === 'string' && typeof result !== 'string') throw new ExpressionError('the result is no string', 'Failed');
    return result;
  }
}

/** @throws ExpressionError that begins as Kubernetes' do */
function compiledOf(environment: ExpressionEnvironment, text: string): CompiledExpression {
  try {
    return compileExpression(environment, text);
  } catch (error) {
    throw ExpressionError.is(error) ? new ExpressionError(`compilation failed: ${error.message}`) : error;
  }
}
