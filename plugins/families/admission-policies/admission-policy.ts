import {
  ExpressionError,
  type ApiObject,
  type ExpressionBudget,
  type ExpressionType,
  type ExpressionValues,
  type NamingProfile,
  type StatusReason,
  type Task,
} from '../../../sdk/index.js';
import type {MatchCondition, MatchResources, ParamKind, Variable} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import type {MatchRule} from '../admission-matching/match-rule.js';
import {RequestMatcher, type MatchCriteria} from '../admission-matching/request-matcher.js';
import {LazyExpression} from './lazy-expression.js';
import type {PolicyScopes} from './policy-scopes.js';

/** Why a write is refused. */
export interface Denial {
  readonly message: string;
  readonly reason?: StatusReason | undefined;
  /** Of the validation. */
  readonly index?: number;
}

/** What the policies of all kinds say. */
export interface PolicySpec {
  readonly paramKind?: ParamKind | null;
  readonly matchConstraints?: MatchResources | null;
  readonly failurePolicy?: string | null;
  readonly matchConditions?: readonly MatchCondition[] | null;
  readonly variables?: readonly Variable[] | null;
}

/** A policy of any kind: whom it is for, and what its expressions refer to. */
export class AdmissionPolicy {
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

  /** @param texts of the expressions that may refer to variables */
  constructor({metadata}: ApiObject, spec: PolicySpec, scopes: PolicyScopes, naming: NamingProfile, texts: readonly string[]) {
    this.name = metadata.name ?? '';
    this.matcher = new RequestMatcher(criteriaOf(spec.matchConstraints ?? {}), naming);
    this.paramKind = spec.paramKind ?? undefined;
    this.failsOpen = spec.failurePolicy === 'Ignore';
    this.scopes = scopes;
    this.#conditions = (spec.matchConditions ?? []).map(({expression}) => this.lazy(expression, 'bool'));
    const variables = (spec.variables ?? []).map(({name, expression}) => Object.assign(this.lazy(expression, 'any'), {name: name ?? ''}));
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
        problem ??= `expression '${condition.text.trim()}' resulted in error: ${error.message}`;
      }
    }
    return problem === undefined || (this.unjudged({message: problem}) ?? false);
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

  protected lazy(text: string | undefined, type: ExpressionType): LazyExpression {
    return new LazyExpression(text ?? '', type, this.scopes, this.paramKind !== undefined);
  }

  /** What follows from an error of the policy. */
  protected unjudged(denial: Denial): Denial | undefined {
    return this.failsOpen ? undefined : denial;
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
