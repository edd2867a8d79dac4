import type {ExpressionValues} from '../../../sdk/index.js';
import type {MatchCondition} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {Evaluation, EvaluationFault, OutOfBudget, stepsOfConditions, type RequestWork} from './evaluation.js';
import {LazyExpression} from './lazy-expression.js';
import type {ConditionCounter} from './condition-metrics.js';
import type {PolicyScopes} from './policy-scopes.js';

/** What match conditions come to: they hold, one of them does not, or why they cannot be evaluated. */
export type ConditionOutcome = boolean | {readonly message: string};

/** The match conditions of a webhook or a policy, each compiled on first use. */
export class MatchConditions {
  readonly #conditions: readonly LazyExpression[];
  readonly #counter: ConditionCounter;

  /** @param hasParams whether they may refer to `params` */
  constructor(
    conditions: readonly MatchCondition[] | null | undefined,
    scopes: PolicyScopes,
    hasParams: boolean,
    counter: ConditionCounter,
  ) {
    const place = {hasParams, hasAuthorizer: true};
    this.#conditions = (conditions ?? []).map(({expression}) => new LazyExpression(expression ?? '', ['bool'], scopes, () => place));
    this.#counter = counter;
  }

  /**
   * A single condition that does not hold decides, even if others cannot be evaluated.
   *
   * @param makeValues called only where there are conditions, as few policies have
   */
  async evaluate(makeValues: () => Promise<ExpressionValues>, operation: string, work: RequestWork): Promise<ConditionOutcome> {
    if (this.#conditions.length === 0) return true;
    const values = await makeValues();
    const end = this.#counter.begin(operation);
    try {
      return await this.#outcome(values, operation, work);
    } finally {
      end();
    }
  }

  async #outcome(values: ExpressionValues, operation: string, work: RequestWork): Promise<ConditionOutcome> {
    const evaluation = new Evaluation(stepsOfConditions, work);
    const faults = new Set<string>();
    for (const condition of this.#conditions) {
      try {
        if ((await evaluation.evaluate(condition, values)) !== true) return false;
      } catch (error) {
        if (error instanceof OutOfBudget) return {message: error.message};
        if (!(error instanceof EvaluationFault)) throw error;
        this.#counter.failed(operation);
        faults.add(error.message);
      }
    }
    if (faults.size === 0) return true;
    const messages = [...faults];
    return {message: messages.length === 1 ? messages[0]! : `[${messages.join(', ')}]`};
  }
}
