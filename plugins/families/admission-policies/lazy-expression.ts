import {ExpressionError, type Expression, type ExpressionBudget, type ExpressionType, type ExpressionValues} from '../../../sdk/index.js';
import type {PolicyScopes} from './policy-scopes.js';

/** An expression of a policy, compiled when the first request comes to it: there may be very many. */
export class LazyExpression {
  readonly text: string;
  readonly #type: ExpressionType;
  readonly #scopes: PolicyScopes;
  readonly #hasParams: boolean;
  #compiled: Expression | ExpressionError | undefined;

  constructor(text: string, type: ExpressionType, scopes: PolicyScopes, hasParams: boolean) {
    this.text = text;
    this.#type = type;
    this.#scopes = scopes;
    this.#hasParams = hasParams;
  }

  /** Why it does not compile. */
  get problem(): ExpressionError | undefined {
    const compiled = this.#compile();
    return ExpressionError.is(compiled) ? compiled : undefined;
  }

  /** @throws ExpressionError, also if it does not compile */
  evaluate(values: ExpressionValues, budget: ExpressionBudget): unknown {
    const compiled = this.#compile();
    if (ExpressionError.is(compiled)) throw compiled;
    return compiled.evaluate(values, budget);
  }

  #compile(): Expression | ExpressionError {
    return (this.#compiled ??= this.#scopes.compile(this.text, this.#hasParams, this.#type));
  }
}
