import {
  ExpressionError,
  type Expression,
  type ExpressionBudget,
  type ExpressionValues,
  type NamingProfile,
  type StatusReason,
  type Task,
} from '../../../sdk/index.js';
import type {
  MatchResources,
  ParamKind,
  ValidatingAdmissionPolicy,
  Validation,
} from '../../../sdk/types/unchecked/admissionregistration/v1alpha1.js';
import type {MatchRule} from '../../families/admission-matching/match-rule.js';
import {RequestMatcher, type MatchCriteria} from '../../families/admission-matching/request-matcher.js';
import type {PolicyScopes} from '../../families/admission-policies/policy-scopes.js';

/** Why a write is refused. */
export interface Denial {
  readonly message: string;
  readonly reason?: StatusReason | undefined;
}

/** A policy, ready to judge. Each of its expressions is compiled when the first request comes to it: there may be very many. */
export class Policy {
  readonly name: string;
  readonly matcher: RequestMatcher;
  readonly paramKind: ParamKind | undefined;
  /** Whether a write is let pass that the policy cannot judge. */
  readonly failsOpen: boolean;
  readonly #validations: readonly Validation[];
  readonly #scopes: PolicyScopes;
  readonly #compiled: (Expression | ExpressionError)[] = [];

  constructor({metadata, spec}: ValidatingAdmissionPolicy, scopes: PolicyScopes, naming: NamingProfile) {
    this.name = metadata.name ?? '';
    this.matcher = new RequestMatcher(criteriaOf(spec?.matchConstraints ?? {}), naming);
    this.paramKind = spec?.paramKind ?? undefined;
    this.failsOpen = spec?.failurePolicy === 'Ignore';
    this.#validations = spec?.validations ?? [];
    this.#scopes = scopes;
  }

  /**
   * What the expressions say to a write; the first refusal counts.
   *
   * @param budget of the request
   */
  async judge(values: ExpressionValues, budget: ExpressionBudget, task: Task): Promise<Denial | undefined> {
    for (const [index, validation] of this.#validations.entries()) {
      const expression = (this.#compiled[index] ??= this.#scopes.compile(validation.expression ?? '', this.paramKind !== undefined));
      const denial = ExpressionError.is(expression)
        ? this.#unjudged(`compilation error: ${expression.message}`)
        : this.#evaluate(expression, validation, values, budget);
      if (denial) return denial;
      const waiting = task.yieldIfDue();
      if (waiting) await waiting;
    }
    return undefined;
  }

  #evaluate(expression: Expression, {message, reason}: Validation, values: ExpressionValues, budget: ExpressionBudget): Denial | undefined {
    const text = expression.text.trim();
    try {
      if (expression.evaluate(values, budget) === true) return undefined;
      return {message: message?.trim() || `failed expression: ${text}`, reason: (reason ?? undefined) as StatusReason | undefined};
    } catch (error) {
      if (!ExpressionError.is(error)) throw error;
      if (error.code === 'CostExceeded' && budget.left <= 0)
        return this.#unjudged('validation failed due to running out of cost budget, no further validation rules will be run');
      return this.#unjudged(`expression '${text}' resulted in error: ${error.message}`);
    }
  }

  #unjudged(message: string): Denial | undefined {
    return this.failsOpen ? undefined : {message};
  }
}

/** What policies and bindings say about requests. Without rules, all requests are meant. */
export function criteriaOf({
  resourceRules,
  excludeResourceRules,
  matchPolicy,
  objectSelector,
  namespaceSelector,
}: MatchResources): MatchCriteria {
  return {
    rules: resourceRules?.length ? resourceRules : everything,
    excludedRules: excludeResourceRules,
    matchPolicy,
    objectSelector,
    namespaceSelector,
  };
}

const everything: readonly MatchRule[] = [{operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*']}];
