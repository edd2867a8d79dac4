import type {Environment} from '@marcbachmann/cel-js';
import {
  ExpressionError,
  type Expression,
  type ExpressionBudget,
  type ExpressionScope,
  type ExpressionType,
  type ExpressionValues,
  type JsonObject,
  type JsonValue,
} from '../../../sdk/index.js';
import {expressionCost} from './cost/expression-cost.js';
import {SchemaSizes} from './cost/size-model.js';
import type {LibraryNode} from './library-node.js';
import type {SchemaNode} from '../schema/schema-node.js';
import {CelTypes, untypedValue} from './cel-types.js';
import {compileExpression, evaluationText, type CompiledExpression} from './compile-expression.js';
import {Entries} from './entries.js';
import {kubernetesEnvironment} from './environment.js';
import {metered} from './metered.js';

/** Kubernetes' limit on the steps of one evaluation. */
const evaluationLimit = 1_000_000;

const celTypes = {bool: 'bool', string: 'string', any: 'dyn'} as const;

type Nodes = ReadonlyMap<string, SchemaNode | undefined>;

/** Variables with a schema, or of any form. */
export class VariableScope implements ExpressionScope {
  readonly #environment: Environment;
  readonly #types: CelTypes;
  readonly #nodes: Nodes;

  /** @param nodes by variable name; undefined for a variable of any form */
  constructor(nodes: Nodes) {
    const base = kubernetesEnvironment();
    this.#types = new CelTypes(base);
    this.#nodes = nodes;
    const types = [...nodes].map(([name, node]) => [name, (node && this.#types.typeOf(node)) ?? 'dyn'] as const);
    // An environment accepts no more types after it has been copied.
    this.#environment = base.clone();
    for (const [name, type] of types) this.#environment.registerVariable(name, type);
  }

  compile(text: string, type: ExpressionType): Expression {
    const compiled = compileExpression(this.#environment, text, celTypes[type], `cel expression must evaluate to a ${type}`);
    return new ScopedExpression(text, compiled, type, this.#nodes);
  }

  bind(values: Readonly<Record<string, JsonValue | undefined>>): ExpressionValues {
    return new BoundValues(this.#nodes, this.#types, {}, values) as unknown as ExpressionValues;
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

  withResults(name: string, results: Readonly<Record<string, unknown>>): BoundValues {
    const bound = this.with({});
    // Results are values of expressions already.
    const value = new Entries(results as JsonObject, (result: unknown) => result, true);
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
    return node ? this.#types.valueOf(node, value) : untypedValue(value);
  }
}

class ScopedExpression implements Expression {
  readonly #compiled: CompiledExpression;
  readonly #type: ExpressionType;
  readonly #nodes: Nodes;

  constructor(
    readonly text: string,
    compiled: CompiledExpression,
    type: ExpressionType,
    nodes: Nodes,
  ) {
    this.#compiled = compiled;
    this.#type = type;
    this.#nodes = nodes;
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
    const {result, error, spent, exceeded} = metered(limit, () => this.#compiled.program(variables) as unknown);
    // An evaluation stopped because of its cost has used no more than the limit.
    budget.left -= Math.min(spent, limit);
    if (exceeded) throw new ExpressionError('cost limit exceeded', 'CostExceeded');
    if (error !== undefined) throw new ExpressionError(evaluationText(error), 'Failed');
    if (this.#type === 'bool' && typeof result !== 'boolean') throw new ExpressionError('the result is no bool', 'Failed');
    if (this.#type === 'string' && typeof result !== 'string') throw new ExpressionError('the result is no string', 'Failed');
    return result;
  }
}
