import type {ApiObject, ExpressionValues, StatusReason} from '../../../sdk/index.js';
import type {ValidatingAdmissionPolicy, Validation} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {AdmissionPolicy, type PolicyParts} from '../../families/admission-policies/admission-policy.js';
import {
  Evaluation,
  EvaluationFault,
  OutOfBudget,
  stepsOfExpressions,
  type RequestWork,
} from '../../families/admission-policies/evaluation.js';
import type {LazyExpression} from '../../families/admission-policies/lazy-expression.js';

/** Maximum bytes of an audit annotation, and of a message that an expression computes (Kubernetes' limits). */
const longestAnnotation = 10 * 1024;
const longestMessage = 5 * 1024;

type PolicyValidation = LazyExpression & {readonly validation: Validation; readonly message: LazyExpression | undefined};

/** What a policy has against a write. */
export interface Refusal {
  readonly message: string;
  readonly reason?: StatusReason | undefined;
  /** Of the validation. */
  readonly index: number;
  /** Whether it could not be evaluated; the failure policy decides then. */
  readonly isError: boolean;
  /** How long that took. */
  readonly seconds: number;
}

/** What a policy adds to the audit events of a write. */
export interface Annotation {
  readonly key: string;
  readonly value?: string;
  /** Why there is none. */
  readonly problem?: string;
  readonly seconds: number;
}

/** What a policy says to a write. */
export interface Judgement {
  readonly refusals: readonly Refusal[];
  readonly annotations: readonly Annotation[];
}

/** A policy, ready to judge. */
export class Policy extends AdmissionPolicy {
  readonly #validations: readonly PolicyValidation[];
  readonly #annotations: readonly (LazyExpression & {readonly key: string})[];

  constructor(policy: ValidatingAdmissionPolicy, parts: PolicyParts) {
    const {validations, auditAnnotations} = policy.spec ?? {};
    const texts = [
      ...(auditAnnotations ?? []).map(({valueExpression}) => valueExpression),
      ...(validations ?? []).flatMap(({expression, messageExpression}) => [expression, messageExpression]),
    ];
    super(
      policy as unknown as ApiObject,
      policy.spec ?? {},
      parts,
      texts.map((text) => text ?? ''),
    );
    this.#annotations = (auditAnnotations ?? []).map(({key, valueExpression}) =>
      Object.assign(this.lazy(valueExpression ?? '', ['string', 'null']), {key: key ?? ''}),
    );
    this.#validations = (validations ?? []).map((validation) =>
      Object.assign(this.lazy(validation.expression ?? '', ['bool']), {
        validation,
        message: validation.messageExpression ? this.lazy(validation.messageExpression, ['string'], false) : undefined,
      }),
    );
  }

  /** What the policy says to a write that its conditions select. What it cannot say because it takes too much is one refusal in place of all else. */
  async judge(values: ExpressionValues, work: RequestWork): Promise<Judgement> {
    const since = performance.now();
    try {
      return {refusals: await this.#refusals(values, work), annotations: await this.#annotate(values, work)};
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error;
      return {refusals: [{message: error.message, index: 0, isError: true, seconds: secondsSince(since)}], annotations: []};
    }
  }

  async #refusals(given: ExpressionValues, work: RequestWork): Promise<Refusal[]> {
    const evaluation = new Evaluation(stepsOfExpressions, work);
    const values = this.withVariables(given, evaluation);
    const refusals: Refusal[] = [];
    for (const [index, validation] of this.#validations.entries()) {
      const since = performance.now();
      try {
        if ((await evaluation.evaluate(validation, values)) === true) continue;
        const seconds = secondsSince(since);
        const message = (await computedMessage(validation.message, values, evaluation)) ?? writtenMessage(validation);
        refusals.push({
          message,
          reason: (validation.validation.reason ?? undefined) as StatusReason | undefined,
          index,
          isError: false,
          seconds,
        });
      } catch (error) {
        if (!(error instanceof EvaluationFault)) throw error;
        refusals.push({message: error.message, index, isError: true, seconds: secondsSince(since)});
      }
    }
    return refusals;
  }

  async #annotate(given: ExpressionValues, work: RequestWork): Promise<Annotation[]> {
    if (this.#annotations.length === 0) return [];
    const evaluation = new Evaluation(stepsOfExpressions, work);
    const values = this.withVariables(given, evaluation);
    const annotations: Annotation[] = [];
    for (const annotation of this.#annotations) {
      const since = performance.now();
      try {
        const value = await evaluation.evaluate(annotation, values);
        const text = typeof value === 'string' ? value.trim() : '';
        if (text !== '') annotations.push({key: annotation.key, value: cut(text), seconds: secondsSince(since)});
      } catch (error) {
        if (!(error instanceof EvaluationFault)) throw error;
        annotations.push({key: annotation.key, problem: error.message, seconds: secondsSince(since)});
      }
    }
    return annotations;
  }
}

function writtenMessage({text, validation: {message}}: PolicyValidation): string {
  return message?.trim() || `failed expression: ${text.trim()}`;
}

/**
 * Of a message that an expression computes: one that is empty, too long or of several lines does not count.
 *
 * @throws EvaluationFault if there is nothing left to compute it with
 */
async function computedMessage(
  expression: LazyExpression | undefined,
  values: ExpressionValues,
  evaluation: Evaluation,
): Promise<string | undefined> {
  if (!expression) return undefined;
  try {
    const text = ((await evaluation.evaluate(expression, values)) as string).trim();
    return text === '' || Buffer.byteLength(text) > longestMessage || text.includes('\n') ? undefined : text;
  } catch (error) {
    if (error instanceof OutOfBudget) throw new EvaluationFault(`failed messageExpression: ${error.message}`);
    if (!(error instanceof EvaluationFault)) throw error;
    return undefined;
  }
}

function cut(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.length > longestAnnotation ? bytes.subarray(0, longestAnnotation).toString() : text;
}

function secondsSince(since: number): number {
  return (performance.now() - since) / 1000;
}
