import {
  ExpressionError,
  inject,
  injectable,
  invalid,
  Tokens,
  type Expressions,
  type ExpressionType,
  type FieldError,
  type FieldPath,
  type Scheduler,
} from '../../../sdk/index.js';
import type {MatchCondition} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {PolicyScopes} from '../../families/admission-policies/policy-scopes.js';
import {matchConditionFaults} from './match-condition-faults.js';

/** An expression of a policy. */
export interface PolicyExpression {
  readonly path: FieldPath;
  readonly text: string;
  readonly type: ExpressionType;
  /** Whether it may refer to the variables of the policy. */
  readonly composed: boolean;
}

/** Compiles the expressions of policies and reports their errors. There may be very many: others get their turn in between. */
@injectable()
export class ExpressionFaults {
  /** Loaded for the first policy: most servers never have one. */
  #scopes: Promise<PolicyScopes> | undefined;
  #composed: Promise<PolicyScopes> | undefined;

  readonly #expressions: Expressions;

  readonly #scheduler: Scheduler;

  constructor(@inject(Tokens.Expressions) expressions: Expressions, @inject(Tokens.Scheduler) scheduler: Scheduler) {
    this.#expressions = expressions;
    this.#scheduler = scheduler;
  }

  /**
   * @param hasParams whether the expressions may refer to `params`
   * @param hasVariables whether the composed ones may refer to `variables`. What these are is seen only when the policy is evaluated
   */
  async of(expressions: readonly PolicyExpression[], hasParams: boolean, hasVariables: boolean): Promise<FieldError[]> {
    if (expressions.length === 0) return [];
    const plain = await (this.#scopes ??= PolicyScopes.load(this.#expressions));
    const withVariables = hasVariables ? await (this.#composed ??= PolicyScopes.load(this.#expressions, true)) : plain;
    const task = this.#scheduler.task('request', 'validation of a policy');
    const faults: FieldError[] = [];
    for (const {path, text, type, composed} of expressions) {
      // A missing expression is reported elsewhere.
      if (text.trim() === '') continue;
      const compiled = (composed ? withVariables : plain).compile(text, hasParams, type);
      if (ExpressionError.is(compiled)) faults.push(invalid(path, text, compiled.message));
      const waiting = task.yieldIfDue();
      if (waiting) await waiting;
    }
    return faults;
  }

  /** Errors in match conditions, which cannot refer to variables. */
  async ofConditions(conditions: readonly MatchCondition[] | null | undefined, path: FieldPath, hasParams: boolean): Promise<FieldError[]> {
    if (!conditions || conditions.length === 0) return [];
    const scopes = await (this.#scopes ??= PolicyScopes.load(this.#expressions));
    const problemOf = (text: string) => {
      const compiled = scopes.compile(text, hasParams, 'bool');
      return ExpressionError.is(compiled) ? compiled : undefined;
    };
    return matchConditionFaults(conditions, path, problemOf, this.#scheduler.task('request', 'validation of a policy'));
  }
}
