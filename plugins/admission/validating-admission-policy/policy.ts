import {
  ExpressionError,
  type ApiObject,
  type ExpressionBudget,
  type ExpressionValues,
  type NamingProfile,
  type StatusReason,
  type Task,
} from '../../../sdk/index.js';
import type {ValidatingAdmissionPolicy, Validation} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {AdmissionPolicy, type Denial} from '../../families/admission-policies/admission-policy.js';
import type {LazyExpression} from '../../families/admission-policies/lazy-expression.js';
import type {PolicyScopes} from '../../families/admission-policies/policy-scopes.js';

/** Maximum characters of an audit annotation, and of a message that an expression computes (Kubernetes' limits). */
const longestAnnotation = 10 * 1024;
const longestMessage = 5 * 1024;

type PolicyValidation = LazyExpression & {readonly validation: Validation; readonly message: LazyExpression | undefined};

/** A policy, ready to judge. */
export class Policy extends AdmissionPolicy {
  readonly #validations: readonly PolicyValidation[];
  readonly #annotations: readonly (LazyExpression & {readonly key: string})[];

  constructor(policy: ValidatingAdmissionPolicy, scopes: PolicyScopes, naming: NamingProfile) {
    const {validations, auditAnnotations} = policy.spec ?? {};
    const texts = [
      ...(auditAnnotations ?? []).map(({valueExpression}) => valueExpression),
      ...(validations ?? []).flatMap(({expression, messageExpression}) => [expression, messageExpression]),
    ];
    super(
      policy as unknown as ApiObject,
      policy.spec ?? {},
      scopes,
      naming,
      texts.map((text) => text ?? ''),
    );
    this.#annotations = (auditAnnotations ?? []).map(({key, valueExpression}) =>
      Object.assign(this.lazy(valueExpression, 'any'), {key: key ?? ''}),
    );
    this.#validations = (validations ?? []).map((validation) =>
      Object.assign(this.lazy(validation.expression, 'bool'), {
        validation,
        message: validation.messageExpression ? this.lazy(validation.messageExpression, 'string') : undefined,
      }),
    );
  }

  /**
   * What the expressions say to a write.
   *
   * @param budget of the request
   * @param all whether to go on after the first refusal
   */
  async judge(values: ExpressionValues, budget: ExpressionBudget, task: Task, all = false): Promise<Denial[]> {
    const denials: Denial[] = [];
    for (const [index, validation] of this.#validations.entries()) {
      const denial = this.#evaluate(validation, values, budget);
      if (denial) denials.push({...denial, index});
      if (denial && !all) return denials;
      const waiting = task.yieldIfDue();
      if (waiting) await waiting;
    }
    return denials;
  }

  /**
   * What the policy adds to audit events of a write.
   *
   * @param add called with each key and value
   * @returns a denial if a value cannot be computed
   */
  async annotate(
    values: ExpressionValues,
    budget: ExpressionBudget,
    task: Task,
    add: (key: string, value: string) => void,
  ): Promise<Denial | undefined> {
    let denial: Denial | undefined;
    for (const annotation of this.#annotations) {
      const waiting = task.yieldIfDue();
      if (waiting) await waiting;
      try {
        const value = annotation.evaluate(values, budget);
        if (typeof value === 'string') add(`${this.name}/${annotation.key}`, value.slice(0, longestAnnotation));
        else if (value !== null)
          denial ??= this.unjudged({
            message: `valueExpression '${annotation.text.trim()}' resulted in unsupported return type: must be a string or null`,
          });
      } catch (error) {
        if (!ExpressionError.is(error)) throw error;
        denial ??= this.unjudged({message: `valueExpression '${annotation.text.trim()}' resulted in error: ${error.message}`});
      }
    }
    return denial;
  }

  #evaluate(expression: PolicyValidation, values: ExpressionValues, budget: ExpressionBudget): Denial | undefined {
    const {message, reason} = expression.validation;
    const text = expression.text.trim();
    const {problem} = expression;
    if (problem) return this.unjudged({message: `compilation error: ${problem.message}`});
    try {
      if (expression.evaluate(values, budget) === true) return undefined;
      const computed = computedMessage(expression.message, values, budget);
      return {
        message: computed ?? (message?.trim() || `failed expression: ${text}`),
        reason: (reason ?? undefined) as StatusReason | undefined,
      };
    } catch (error) {
      if (!ExpressionError.is(error)) throw error;
      if (error.code === 'CostExceeded' && budget.left <= 0)
        return this.unjudged({message: 'validation failed due to running out of cost budget, no further validation rules will be run'});
      return this.unjudged({message: `expression '${text}' resulted in error: ${error.message}`});
    }
  }
}

/** Of a message that an expression computes: one that is empty, too long or of several lines does not count. */
function computedMessage(expression: LazyExpression | undefined, values: ExpressionValues, budget: ExpressionBudget): string | undefined {
  if (!expression) return undefined;
  try {
    const text = (expression.evaluate(values, budget) as string).trim();
    return text === '' || text.length > longestMessage || /[\r\n]/.test(text) ? undefined : text;
  } catch (error) {
    if (!ExpressionError.is(error)) throw error;
    return undefined;
  }
}
