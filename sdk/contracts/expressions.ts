import type {JsonValue} from '../objects/api-object.js';

/**
 * Expressions in the Common Expression Language (CEL), with the functions and limits of Kubernetes 1.26. Injected by `Tokens.Expressions`;
 * usable from `start` on. What evaluates them is loaded at first use.
 */
export interface Expressions {
  /**
   * Declares what expressions can refer to.
   *
   * @param variables structural schemas of the variables, by name. Undefined: values of any form, whose members are looked up when an expression is evaluated
   */
  scope(variables: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>): Promise<ExpressionScope>;
}

/** The type that an expression must evaluate to. */
export type ExpressionType = 'bool' | 'string' | 'any';

/** What expressions can refer to. */
export interface ExpressionScope {
  /**
   * Compiles an expression and checks its types.
   *
   * @throws ExpressionError (`Invalid`) that says what is wrong with it
   */
  compile(text: string, type: ExpressionType): Expression;
  /**
   * Gives values to the variables. They are made fit for expressions once, when the first one asks for them: bind once for all the expressions
   * that are about the same values. The values must not change after that.
   *
   * @param values by name; undefined counts as null
   */
  bind(values: Readonly<Record<string, JsonValue | undefined>>): ExpressionValues;
}

declare const bound: unique symbol;

/** Values of the variables of a scope. */
export interface ExpressionValues {
  readonly [bound]: true;
  /** The same values but for those given. */
  with(values: Readonly<Record<string, JsonValue | undefined>>): ExpressionValues;
}

/** An expression that was compiled. */
export interface Expression {
  readonly text: string;
  /**
   * @param values of the same scope
   * @param budget what all evaluations that belong together may cost; each may cost 1,000,000 steps at most
   * @returns a boolean or a text where the expression was compiled for one. A text may have lone halves of surrogate pairs
   * @throws ExpressionError (`Failed`, `CostExceeded`)
   */
  evaluate(values: ExpressionValues, budget: ExpressionBudget): unknown;
}

/** Steps that evaluations may still take; a step is about 50 ns. Kubernetes gives 10,000,000 to all expressions of a policy for one request. */
export interface ExpressionBudget {
  left: number;
}
