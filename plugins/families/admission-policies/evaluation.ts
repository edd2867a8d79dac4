import {
  ExpressionError,
  ExpressionPending,
  timeout,
  type Expression,
  type ExpressionBudget,
  type ExpressionValues,
  type Task,
} from '../../../sdk/index.js';
import type {LazyExpression} from './lazy-expression.js';

/** What a whole list of expressions may take about one request, in steps (Kubernetes' limits). */
export const stepsOfExpressions = 10_000_000;
export const stepsOfConditions = 2_500_000;

/** What is left for a list of expressions is used up: none of them counts. */
export class OutOfBudget extends Error {
  override readonly name = 'OutOfBudget';

  constructor() {
    super('validation failed due to running out of cost budget, no further validation rules will be run');
  }
}

/** An expression has no result. The message says so in Kubernetes' words. */
export class EvaluationFault extends Error {
  override readonly name = 'EvaluationFault';
}

/** Work on one request: evaluations give way to others, and end with the request. */
export interface RequestWork {
  readonly task: Task;
  readonly signal: AbortSignal | undefined;
}

/** Evaluates expressions one after the other within one budget. */
export class Evaluation {
  readonly #budget: ExpressionBudget;
  readonly #work: RequestWork;

  /** @param steps for all of them together */
  constructor(steps: number, work: RequestWork) {
    this.#budget = {left: steps};
    this.#work = work;
  }

  /** @throws EvaluationFault; OutOfBudget; StatusError 504 when the request has timed out */
  async evaluate(lazy: LazyExpression, values: ExpressionValues): Promise<unknown> {
    const compiled = lazy.compiled;
    if (ExpressionError.is(compiled)) throw new EvaluationFault(`compilation error: ${compiled.message}`);
    try {
      return await this.result(compiled, values);
    } catch (error) {
      if (ExpressionError.is(error)) throw new EvaluationFault(`expression '${lazy.text}' resulted in error: ${errorText(error)}`);
      throw error;
    }
  }

  /** Waits for what the expression has to wait for. @throws ExpressionError; OutOfBudget */
  async result(expression: Expression, values: ExpressionValues): Promise<unknown> {
    for (;;) {
      const waiting = this.#work.task.yieldIfDue();
      if (waiting) await waiting;
      if (this.#work.signal?.aborted) throw timeout('request did not complete within requested timeout');
      try {
        return this.resultNow(expression, values);
      } catch (error) {
        if (!ExpressionPending.is(error)) throw error;
        await error.ready();
        this.#work.task.begin();
      }
    }
  }

  /** The result of an expression within the evaluation of another one. @throws ExpressionPending too */
  resultNow(expression: Expression, values: ExpressionValues): unknown {
    try {
      const result = expression.evaluate(values, this.#budget);
      // What it has read may have taken more than there was.
      if (this.#budget.left >= 0) return result;
    } catch (error) {
      const isOut = this.#budget.left < 0 || (this.#budget.left === 0 && ExpressionError.is(error) && error.code === 'CostExceeded');
      if (!isOut || ExpressionPending.is(error)) throw error;
    }
    throw new OutOfBudget();
  }

  get left(): number {
    return this.#budget.left;
  }
}

/** Why an evaluation failed, in Kubernetes' words. */
export function errorText(error: ExpressionError): string {
  return error.code === 'CostExceeded' ? 'operation cancelled: actual cost limit exceeded' : error.message;
}
