import {
  ExpressionError,
  type ExpressionBudget,
  type ExpressionType,
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
import {LazyExpression} from './lazy-expression.js';

/** Why a write is refused. */
export interface Denial {
  readonly message: string;
  readonly reason?: StatusReason | undefined;
  /** Of the validation. */
  readonly index?: number;
}

/** Maximum characters of an audit annotation, and of a message that an expression computes (Kubernetes' limits). */
const longestAnnotation = 10 * 1024;
const longestMessage = 5 * 1024;

type PolicyValidation = LazyExpression & {readonly validation: Validation; readonly message: LazyExpression | undefined};

/** A policy, ready to judge. */
export class Policy {
  readonly name: string;
  readonly matcher: RequestMatcher;
  readonly paramKind: ParamKind | undefined;
  /** Whether a write is let pass that the policy cannot judge. */
  readonly failsOpen: boolean;
  /** What its expressions refer to. */
  readonly scopes: PolicyScopes;
  /** Whether its expressions may refer to `variables`. */
  readonly isComposed: boolean;
  readonly #conditions: readonly LazyExpression[];
  readonly #variables: readonly (LazyExpression & {readonly name: string})[];
  readonly #validations: readonly PolicyValidation[];
  readonly #annotations: readonly (LazyExpression & {readonly key: string})[];

  constructor({metadata, spec}: ValidatingAdmissionPolicy, scopes: PolicyScopes, naming: NamingProfile) {
    this.name = metadata.name ?? '';
    this.matcher = new RequestMatcher(criteriaOf(spec?.matchConstraints ?? {}), naming);
    this.paramKind = spec?.paramKind ?? undefined;
    this.failsOpen = spec?.failurePolicy === 'Ignore';
    this.scopes = scopes;
    const lazy = (text: string | undefined, type: ExpressionType) => new LazyExpression(text ?? '', type, scopes, spec?.paramKind != null);
    this.#conditions = (spec?.matchConditions ?? []).map(({expression}) => lazy(expression, 'bool'));
    this.#annotations = (spec?.auditAnnotations ?? []).map(({key, valueExpression}) =>
      Object.assign(lazy(valueExpression, 'any'), {key: key ?? ''}),
    );
    this.#validations = (spec?.validations ?? []).map((validation) =>
      Object.assign(lazy(validation.expression, 'bool'), {
        validation,
        message: validation.messageExpression ? lazy(validation.messageExpression, 'string') : undefined,
      }),
    );
    const variables = (spec?.variables ?? []).map(({name, expression}) => Object.assign(lazy(expression, 'any'), {name: name ?? ''}));
    const texts = [...this.#annotations, ...this.#validations, ...this.#validations.map(({message}) => message)].map(
      (each) => each?.text ?? '',
    );
    this.#variables = usedVariables(variables, texts);
    this.isComposed = variables.length > 0;
  }

  /** Whether the match conditions hold; a denial if they cannot be evaluated. A single one that does not hold decides. */
  async applies(values: ExpressionValues, budget: ExpressionBudget, task: Task): Promise<boolean | Denial> {
    let problem: string | undefined;
    for (const condition of this.#conditions) {
      const waiting = task.yieldIfDue();
      if (waiting) await waiting;
      try {
        if (condition.evaluate(values, budget) !== true) return false;
      } catch (error) {
        if (!ExpressionError.is(error)) throw error;
        problem ??= `match condition '${condition.text.trim()}' resulted in error: ${error.message}`;
      }
    }
    return problem === undefined || (this.#unjudged({message: problem}) ?? false);
  }

  /** The values with the results of those variables that expressions refer to. One that cannot be computed is missing there. */
  async compose(values: ExpressionValues, budget: ExpressionBudget, task: Task): Promise<ExpressionValues> {
    if (!this.isComposed) return values;
    const results: Record<string, unknown> = {};
    for (const variable of this.#variables) {
      const waiting = task.yieldIfDue();
      if (waiting) await waiting;
      try {
        results[variable.name] = variable.evaluate(values.withResults('variables', results), budget);
      } catch (error) {
        if (!ExpressionError.is(error)) throw error;
      }
    }
    return values.withResults('variables', results);
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
          denial ??= this.#unjudged({
            message: `valueExpression '${annotation.text.trim()}' resulted in unsupported return type: must be a string or null`,
          });
      } catch (error) {
        if (!ExpressionError.is(error)) throw error;
        denial ??= this.#unjudged({message: `valueExpression '${annotation.text.trim()}' resulted in error: ${error.message}`});
      }
    }
    return denial;
  }

  #evaluate(expression: PolicyValidation, values: ExpressionValues, budget: ExpressionBudget): Denial | undefined {
    const {message, reason} = expression.validation;
    const text = expression.text.trim();
    const {problem} = expression;
    if (problem) return this.#unjudged({message: `compilation error: ${problem.message}`});
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
        return this.#unjudged({message: 'validation failed due to running out of cost budget, no further validation rules will be run'});
      return this.#unjudged({message: `expression '${text}' resulted in error: ${error.message}`});
    }
  }

  #unjudged(denial: Denial): Denial | undefined {
    return this.failsOpen ? undefined : denial;
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

/** Those variables that expressions refer to, directly or through others, in their order. */
function usedVariables<T extends {readonly name: string; readonly text: string}>(variables: readonly T[], texts: readonly string[]): T[] {
  const names = new Set<string>();
  let areAll = false;
  const note = (text: string) => {
    for (const [, name] of text.matchAll(/\bvariables\s*(?:\.\s*\??\s*(\w+)|\[)/g)) {
      if (name === undefined) areAll = true;
      else names.add(name);
    }
  };
  for (const text of texts) note(text);
  return variables
    .toReversed()
    .filter(({name, text}) => {
      const isUsed = areAll || names.has(name);
      if (isUsed) note(text);
      return isUsed;
    })
    .toReversed();
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
