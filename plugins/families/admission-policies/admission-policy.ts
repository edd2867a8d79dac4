import type {ApiObject, ExpressionType, ExpressionValues, NamingProfile} from '../../../sdk/index.js';
import type {MatchCondition, MatchResources, ParamKind, Variable} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import type {MatchRule} from '../admission-matching/match-rule.js';
import {RequestMatcher, type MatchCriteria} from '../admission-matching/request-matcher.js';
import type {ConditionCounter} from './condition-metrics.js';
import type {Evaluation} from './evaluation.js';
import {LazyExpression} from './lazy-expression.js';
import {MatchConditions} from './match-conditions.js';
import {looksAtNamespace} from './namespace-variable.js';
import type {PolicyScopes} from './policy-scopes.js';
import {PolicyVariables, VariableValues} from './policy-variables.js';

/** What the policies of all kinds say. */
export interface PolicySpec {
  readonly paramKind?: ParamKind | null;
  readonly matchConstraints?: MatchResources | null;
  readonly failurePolicy?: string | null;
  readonly matchConditions?: readonly MatchCondition[] | null;
  readonly variables?: readonly Variable[] | null;
}

/** What a policy is made with. */
export interface PolicyParts {
  readonly scopes: PolicyScopes;
  readonly naming: NamingProfile;
  readonly conditionCounter: (policy: string) => ConditionCounter;
  /** Whether it is from a file. */
  readonly isStatic?: boolean;
}

/** A policy of any kind: whom it is for, and what its expressions refer to. */
export class AdmissionPolicy {
  readonly name: string;
  readonly matcher: RequestMatcher;
  readonly paramKind: ParamKind | undefined;
  /** Whether a write is let pass that the policy cannot judge. */
  readonly failsOpen: boolean;
  readonly conditions: MatchConditions;
  /** Whether one of its expressions refers to `namespaceObject`. */
  readonly looksAtNamespace: boolean;
  readonly #variables: PolicyVariables;
  readonly #scopes: PolicyScopes;

  /** @param texts of the expressions that it has beside those of its variables */
  constructor(
    {metadata}: ApiObject,
    spec: PolicySpec,
    {scopes, naming, conditionCounter, isStatic}: PolicyParts,
    texts: readonly string[],
  ) {
    this.name = metadata.name ?? '';
    this.matcher = new RequestMatcher(criteriaOf(spec.matchConstraints ?? {}), naming, isStatic);
    this.paramKind = spec.paramKind ?? undefined;
    this.failsOpen = spec.failurePolicy === 'Ignore';
    const hasParams = this.paramKind !== undefined;
    this.conditions = new MatchConditions(spec.matchConditions, scopes, hasParams, conditionCounter(this.name));
    this.#variables = new PolicyVariables(spec.variables ?? [], scopes, hasParams);
    this.#scopes = scopes;
    this.looksAtNamespace = [...texts, ...this.#variables.texts].some(looksAtNamespace);
  }

  /** The values of a request with the variables of the policy. */
  withVariables(values: ExpressionValues, evaluation: Evaluation): ExpressionValues {
    return new VariableValues(this.#variables, values, evaluation).values;
  }

  protected lazy(text: string, type: ExpressionType, hasAuthorizer = true): LazyExpression {
    const hasVariables = this.#variables.names.length > 0;
    return new LazyExpression(text, type, this.#scopes, () => ({
      hasParams: this.paramKind !== undefined,
      hasAuthorizer,
      variables: hasVariables ? this.#variables.types : undefined,
    }));
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
