import type {JsonValue} from '../objects/api-object.js';

/**
 * Expressions in the Common Expression Language (CEL), with the functions and limits of Kubernetes 1.26. Injected by `Tokens.Expressions`.
 * What evaluates them is loaded at first use.
 */
export interface Expressions {
  /**
   * Declares what expressions can refer to.
   *
   * @param variables structural schemas of the variables, by name. Undefined: values of any form, whose members are looked up during
   * evaluation. `x-orch-expression-type` in a schema is the CEL type of a value that JSON has no type for
   */
  scope(variables: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>): Promise<ExpressionScope>;
}

/**
 * The type that an expression must evaluate to. Those of mutations construct what they evaluate to: `Object{…}` for an apply configuration,
 * `[JSONPatch{…}]` for a JSON patch; it is given as JSON.
 */
export type ExpressionType = 'bool' | 'string' | 'any' | 'applyConfiguration' | 'jsonPatch';

/** What expressions can refer to. */
export interface ExpressionScope {
  /**
   * Compiles an expression and checks its types.
   *
   * @throws ExpressionError (`Invalid`) that says what is wrong with it
   */
  compile(text: string, type: ExpressionType): Expression;
  /**
   * Assigns values to the variables. They are converted for expressions once, on first use: bind once for all expressions about the same
   * values. The values must not change afterwards.
   *
   * @param values by name; undefined counts as null
   */
  bind(values: Readonly<Record<string, JsonValue | undefined>>): ExpressionValues;
}

declare const bound: unique symbol;

/** Values of the variables of a scope. */
export interface ExpressionValues {
  readonly [bound]: true;
  /** The same values except for the given ones. */
  with(values: Readonly<Record<string, JsonValue | undefined>>): ExpressionValues;
  /** The same values, and one of any form whose members are what expressions evaluated to. */
  withResults(name: string, results: Readonly<Record<string, unknown>>): ExpressionValues;
}

/** A compiled expression. */
export interface Expression {
  readonly text: string;
  /** The CEL type that it evaluates to (`bool`, `list<string>`); `dyn` if that is known only then. */
  readonly resultType: string;
  /** What one evaluation costs at most by the sizes that the schemas of the variables allow, in Kubernetes' units. */
  readonly maximumCost: number;
  /**
   * @param values of the same scope
   * @param budget for all related evaluations together; each may use at most 1,000,000 steps, and 40 ms of processor time
   * @returns a boolean, a string or JSON if the expression was compiled for it. A string may contain lone surrogates
   * @throws ExpressionError (`Failed`, `CostExceeded`)
   */
  evaluate(values: ExpressionValues, budget: ExpressionBudget): unknown;
}

/** Steps that evaluations may still take; a step is 10 to 30 ns. Admission gives 10,000,000 to all expressions about one request. */
export interface ExpressionBudget {
  left: number;
}
