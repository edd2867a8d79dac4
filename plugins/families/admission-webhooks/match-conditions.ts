import {
  admissionForbidden,
  ExpressionError,
  taskOf,
  type AdmissionForm,
  type AdmissionRequest,
  type Expression,
  type ExpressionScope,
  type Expressions,
  type JsonObject,
  type ResourceClient,
} from '../../../sdk/index.js';
import {requestBudget} from '../admission-policies/request-budget.js';
import {reviewHead} from './review-head.js';

/** Maximum cost of all conditions of a webhook for one request (Kubernetes' limit). */
const maximumCost = 2_500_000;

/** A condition in a configuration. */
export interface MatchCondition {
  readonly name?: string;
  readonly expression?: string;
}

/** What match conditions can refer to. */
export const conditionVariables = {object: undefined, oldObject: undefined, request: undefined} as const;

interface ConditionParts {
  readonly expressions: Expressions;
  readonly resources: Pick<ResourceClient, 'scheduler'>;
}

/** The match conditions of a webhook in CEL, each compiled on first use. */
export class MatchConditions {
  readonly #conditions: readonly MatchCondition[];
  readonly #ignoresFailures: boolean;
  readonly #expressions: Expressions;
  readonly #resources: ConditionParts['resources'];
  #scope: Promise<ExpressionScope> | undefined;
  readonly #compiled: (Expression | ExpressionError)[] = [];

  /** @param ignoresFailures whether evaluation errors skip the webhook instead of rejecting the write */
  constructor(conditions: readonly MatchCondition[], ignoresFailures: boolean, {expressions, resources}: ConditionParts) {
    this.#conditions = conditions;
    this.#ignoresFailures = ignoresFailures;
    this.#expressions = expressions;
    this.#resources = resources;
  }

  get isEmpty(): boolean {
    return this.#conditions.length === 0;
  }

  /**
   * Whether all conditions hold. A single one that does not hold decides, even if others cannot be evaluated.
   *
   * @throws StatusError 403 if one cannot be evaluated, unless such webhooks are skipped
   */
  async hold(request: AdmissionRequest, form: AdmissionForm): Promise<boolean> {
    const scope = await (this.#scope ??= this.#expressions.scope(conditionVariables));
    const show = async (object: typeof request.object) =>
      object ? ((await request.shownAs(object, form)) as unknown as JsonObject) : undefined;
    const values = scope.bind({
      object: await show(request.object),
      oldObject: await show(request.oldObject),
      request: reviewHead(request, form) as unknown as JsonObject,
    });
    const ofRequest = requestBudget(request);
    const task = taskOf(this.#resources, 'request', 'match conditions');
    let left = maximumCost;
    let failure: string | undefined;
    for (const [index, condition] of this.#conditions.entries()) {
      const waiting = task.yieldIfDue();
      if (waiting) await waiting;
      try {
        const expression = (this.#compiled[index] ??= compiled(scope, condition));
        if (expression instanceof ExpressionError) throw expression;
        const budget = {left: Math.min(left, ofRequest.left)};
        const before = budget.left;
        try {
          if (expression.evaluate(values, budget) !== true) return false;
        } finally {
          left -= before - budget.left;
          ofRequest.left -= before - budget.left;
        }
      } catch (error) {
        if (!ExpressionError.is(error)) throw error;
        failure ??= `match condition ${JSON.stringify(condition.name ?? '')} cannot be evaluated: ${error.message}`;
      }
    }
    if (failure === undefined) return true;
    if (this.#ignoresFailures) return false;
    throw admissionForbidden(request, failure);
  }
}

function compiled(scope: ExpressionScope, {expression = ''}: MatchCondition): Expression | ExpressionError {
  try {
    return scope.compile(expression, 'bool');
  } catch (error) {
    if (!ExpressionError.is(error)) throw error;
    return error;
  }
}
