import {
  ExpressionError,
  inject,
  injectable,
  invalid,
  Tokens,
  type Expressions,
  type ExpressionType,
  type FeatureGates,
  type FieldError,
  type FieldPath,
  type Scheduler,
  type Task,
} from '../../../sdk/index.js';
import type {MatchCondition} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {PolicyScopes, type ExpressionPlace} from '../../families/admission-policies/policy-scopes.js';
import {matchConditionFaults} from './match-condition-faults.js';

/** An expression of a policy. */
export interface PolicyExpression {
  readonly path: FieldPath;
  readonly text: string;
  /** As errors show it, if that is not the text. */
  readonly shown?: string;
  readonly type: ExpressionType;
  /** Whether it may refer to `authorizer`. */
  readonly hasAuthorizer?: boolean;
  /** The variable that it defines for the expressions after it. */
  readonly defines?: string;
}

/** Compiles the expressions of policies and webhooks and reports their errors. There may be very many: others get their turn in between. */
@injectable()
export class ExpressionFaults {
  /** Loaded for the first expression: most servers never have one. */
  #scopes: Promise<PolicyScopes> | undefined;

  readonly #expressions: Expressions;

  readonly #scheduler: Scheduler;
  readonly #hasShortDetails: boolean;

  constructor(
    @inject(Tokens.Expressions) expressions: Expressions,
    @inject(Tokens.Scheduler) scheduler: Scheduler,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
  ) {
    this.#hasShortDetails = gates.enabled('ShortPolicyDetails');
    this.#expressions = expressions;
    this.#scheduler = scheduler;
  }

  /**
   * The expressions of one policy, in the order in which they see the variables.
   *
   * @param hasParams whether they may refer to `params`
   * @param hasVariables whether there is such a thing as `variables`
   */
  async ofPolicy(hasParams: boolean, hasVariables: boolean): Promise<PolicyExpressions> {
    const scopes = await this.#load();
    const task = this.#scheduler.task('request', 'validation of a policy');
    return new PolicyExpressions(scopes, task, {hasParams, hasVariables, hasShortDetails: this.#hasShortDetails});
  }

  /** Errors in match conditions, which cannot refer to variables. */
  async ofConditions(conditions: readonly MatchCondition[] | null | undefined, path: FieldPath, hasParams: boolean): Promise<FieldError[]> {
    if (!conditions || conditions.length === 0) return [];
    const scopes = await this.#load();
    const problemOf = (text: string) => {
      const compiled = scopes.compile(text, ['bool'], {hasParams, hasAuthorizer: true});
      return ExpressionError.is(compiled) ? compiled : undefined;
    };
    return matchConditionFaults(conditions, path, problemOf, this.#scheduler.task('request', 'validation of match conditions'));
  }

  #load(): Promise<PolicyScopes> {
    return (this.#scopes ??= PolicyScopes.load(this.#expressions));
  }
}

/** What the expressions of a policy may refer to, and in which words they are refused. */
interface PolicyPlaces {
  readonly hasParams: boolean;
  readonly hasVariables: boolean;
  readonly hasShortDetails: boolean;
}

/** Compiles the expressions of one policy. */
export class PolicyExpressions {
  readonly #scopes: PolicyScopes;
  readonly #task: Task;
  readonly #hasParams: boolean;
  readonly #variables: Record<string, string> | undefined;

  /** Whether faults do not repeat the name of their field. */
  readonly hasShortDetails: boolean;

  constructor(scopes: PolicyScopes, task: Task, {hasParams, hasVariables, hasShortDetails}: PolicyPlaces) {
    this.hasShortDetails = hasShortDetails;
    this.#scopes = scopes;
    this.#task = task;
    this.#hasParams = hasParams;
    this.#variables = hasVariables ? {} : undefined;
  }

  /** Errors in an expression. One that is missing is reported elsewhere. */
  async faults({path, text, shown = text, type, hasAuthorizer = true, defines}: PolicyExpression): Promise<FieldError[]> {
    if (text.trim() === '') return [];
    const waiting = this.#task.yieldIfDue();
    if (waiting) await waiting;
    const place: ExpressionPlace = {hasParams: this.#hasParams, hasAuthorizer, variables: this.#variables};
    const compiled = this.#scopes.compile(text, type, place);
    const isFaulty = ExpressionError.is(compiled);
    if (defines !== undefined && this.#variables) this.#variables[defines] = isFaulty ? 'dyn' : compiled.resultType;
    return isFaulty ? [invalid(path, shown, compiled.message)] : [];
  }
}
