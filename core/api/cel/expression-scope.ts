import type {Environment} from '@marcbachmann/cel-js';
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
import type {LibraryNode} from './library-node.js';
import type {SchemaNode} from '../schema/schema-node.js';
import {CelTypes, untypedValue} from './cel-types.js';
import {compileExpression, evaluationText, type CompiledExpression} from './compile-expression.js';
import {kubernetesEnvironment} from './environment.js';
import {addAuthorization, authorizerOf, authorizerType} from './functions/authorization.js';
import {metered} from './metered.js';
import {withMutations} from './mutations/construct-macro.js';
import {withConstructions} from './mutations/construction-syntax.js';
import {applyConfigurationOf, jsonPatchOf} from './mutations/mutation-result.js';
import {addResults, ResultsValue} from './results-value.js';
import {exactTypes, typeText} from './type-text.js';

/** Kubernetes' limit on the steps of one evaluation. */
const evaluationLimit = 1_000_000;

const celTypes = {bool: 'bool', string: 'string', any: 'dyn'} as const;
/** What mutations evaluate to. Lists that macros make may have no type of their own. */
const mutationTypes = {
  applyConfiguration: {types: ['Object'], name: 'Object', resultOf: applyConfigurationOf},
  jsonPatch: {types: ['list<JSONPatch>', 'list<dyn>'], name: 'list(JSONPatch)', resultOf: jsonPatchOf},
} as const;

type ExactTypes = Exclude<ExpressionType, string>;
type Nodes = ReadonlyMap<string, SchemaNode | undefined>;

/** Variables with a schema, or of any form. */
export class VariableScope implements ExpressionScope {
  readonly #environment: Environment;
  readonly #types: CelTypes;
  readonly #nodes: Nodes;
  /** Where expressions can construct objects; made for the first that does. */
  #mutations: Environment | undefined;

  private constructor(environment: Environment, types: CelTypes, nodes: Nodes) {
    this.#environment = environment;
    this.#types = types;
    this.#nodes = nodes;
  }

  /** @param nodes by variable name; undefined for a variable of any form */
  static of(nodes: Nodes): VariableScope {
    const base = kubernetesEnvironment();
    const types = new CelTypes(base);
    const named = [...nodes].map(([name, node]) => [name, (node && types.typeOf(node)) ?? 'dyn'] as const);
    for (const node of nodes.values()) if (node) types.allowNull(node);
    // An environment accepts no more types after it has been copied.
    const environment = base.clone();
    for (const [name, type] of named) environment.registerVariable(name, type);
    return new VariableScope(environment, types, nodes);
  }

  extend({variables = [], authorizer = false, results = {}}: ExpressionScopeAdditions): ExpressionScope {
    const environment = this.#environment.clone();
    const types = Object.entries(results).map(([name, members], index) => [name, addResults(environment, members, index)] as const);
    if (authorizer) addAuthorization(environment);
    for (const name of variables) environment.registerVariable(name, 'dyn');
    for (const [name, type] of types) environment.registerVariable(name, type);
    if (authorizer) environment.registerVariable('authorizer', authorizerType);
    return new VariableScope(environment, this.#types, this.#nodes);
  }

  compile(text: string, type: ExpressionType): Expression {
    if (type === 'applyConfiguration' || type === 'jsonPatch') return this.#compileMutation(text, type);
    if (typeof type !== 'string') return this.#compileExact(text, type);
    const compiled = compileExpression(this.#environment, text, celTypes[type], `cel expression must evaluate to a ${type}`);
    return new ScopedExpression(text, compiled, type, this.#nodes);
  }

  #compileExact(text: string, allowed: ExactTypes): Expression {
    const {types, wanted} = exactTypes(allowed);
    const compiled = compileExpression(this.#environment, text, types, (found) => `must evaluate to ${wanted} but got ${typeText(found)}`);
    return new ScopedExpression(text, compiled, 'any', this.#nodes);
  }

  #compileMutation(text: string, type: keyof typeof mutationTypes): Expression {
    const {types, name, resultOf} = mutationTypes[type];
    this.#mutations ??= withMutations(this.#environment);
    const otherType = (found: string) => `must evaluate to ${name} but got ${typeText(found)}`;
    const compiled = compileExpression(this.#mutations, withConstructions(text), types, otherType);
    return new ScopedExpression(text, compiled, type, this.#nodes, resultOf);
  }

  bind(values: Readonly<Record<string, JsonValue | undefined>>, authorizer?: ExpressionAuthorizer): ExpressionValues {
    const bound = new BoundValues(this.#nodes, this.#types, {}, values);
    return (authorizer ? bound.withValue('authorizer', authorizerOf(authorizer)) : bound) as unknown as ExpressionValues;
  }
}

/** Values by name, each created on first use. */
class BoundValues {
  readonly variables: Record<string, unknown>;
  readonly #nodes: Nodes;
  readonly #types: CelTypes;

  constructor(nodes: Nodes, types: CelTypes, before: object, values: Readonly<Record<string, JsonValue | undefined>>) {
    this.#nodes = nodes;
    this.#types = types;
    this.variables = Object.create(null) as Record<string, unknown>;
    Object.defineProperties(this.variables, Object.getOwnPropertyDescriptors(before));
    for (const [name, value] of Object.entries(values)) this.#define(name, value ?? null);
  }

  with(values: Readonly<Record<string, JsonValue | undefined>>): BoundValues {
    return new BoundValues(this.#nodes, this.#types, this.variables, values);
  }

  withResults(name: string, results: Readonly<Record<string, () => unknown>>): BoundValues {
    return this.withValue(name, new ResultsValue(results));
  }

  /** @param value as expressions see it */
  withValue(name: string, value: unknown): BoundValues {
    const bound = this.with({});
    Object.defineProperty(bound.variables, name, {enumerable: true, configurable: true, value});
    return bound;
  }

  #define(name: string, value: JsonValue): void {
    let made: {readonly value: unknown} | undefined;
    const get = () => (made ??= {value: this.#make(name, value)}).value;
    Object.defineProperty(this.variables, name, {enumerable: true, configurable: true, get});
  }

  #make(name: string, value: JsonValue): unknown {
    const node = this.#nodes.get(name);
    return node ? this.#types.variableOf(node, value) : untypedValue(value);
  }
}

class ScopedExpression implements Expression {
  readonly #compiled: CompiledExpression;
  readonly #type: ExpressionType;
  readonly #nodes: Nodes;
  readonly #resultOf: (value: unknown) => unknown;

  /** @param resultOf makes the result of a value; it is metered like the evaluation */
  constructor(
    readonly text: string,
    compiled: CompiledExpression,
    type: ExpressionType,
    nodes: Nodes,
    resultOf: (value: unknown) => unknown = (value) => value,
  ) {
    this.#compiled = compiled;
    this.#type = type;
    this.#nodes = nodes;
    this.#resultOf = resultOf;
  }

  get resultType(): string {
    return this.#compiled.type;
  }

  get maximumCost(): number {
    const sizes = [...this.#nodes].map(([name, node]) => [name, node && new SchemaSizes(node.schema)] as const);
    return expressionCost(this.#compiled.program.ast as unknown as LibraryNode, new Map(sizes));
  }

  evaluate(values: ExpressionValues, budget: ExpressionBudget): unknown {
    const {variables} = values as unknown as BoundValues;
    const limit = Math.min(evaluationLimit, budget.left);
    if (limit <= 0) throw new ExpressionError('cost limit exceeded', 'CostExceeded');
    const {result, error, spent, exceeded, pending} = metered(limit, () => this.#resultOf(this.#compiled.program(variables) as unknown));
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
