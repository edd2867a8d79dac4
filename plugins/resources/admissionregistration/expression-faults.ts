import {
  ExpressionError,
  inject,
  injectable,
  invalid,
  Tokens,
  type Expressions,
  type FieldError,
  type FieldPath,
  type Scheduler,
} from '../../../sdk/index.js';
import type {Validation} from '../../../sdk/types/unchecked/admissionregistration/v1alpha1.js';
import {PolicyScopes} from '../../families/admission-policies/policy-scopes.js';

/** Compiles the expressions of policies and reports their errors. There may be very many: others get their turn in between. */
@injectable()
export class ExpressionFaults {
  /** Loaded for the first policy: most servers never have one. */
  #scopes: Promise<PolicyScopes> | undefined;

  readonly #expressions: Expressions;

  readonly #scheduler: Scheduler;

  constructor(@inject(Tokens.Expressions) expressions: Expressions, @inject(Tokens.Scheduler) scheduler: Scheduler) {
    this.#expressions = expressions;
    this.#scheduler = scheduler;
  }

  /** @param hasParams whether the expressions may refer to `params` */
  async of(validations: readonly Validation[], hasParams: boolean, path: FieldPath): Promise<FieldError[]> {
    const scopes = await (this.#scopes ??= PolicyScopes.load(this.#expressions));
    const task = this.#scheduler.task('request', 'validation of a policy');
    const faults: FieldError[] = [];
    for (const [index, {expression = ''}] of validations.entries()) {
      // A missing expression is reported elsewhere.
      if (expression.trim() === '') continue;
      const compiled = scopes.compile(expression, hasParams);
      if (ExpressionError.is(compiled)) faults.push(invalid(path.index(index).child('expression'), expression, compiled.message));
      const waiting = task.yieldIfDue();
      if (waiting) await waiting;
    }
    return faults;
  }
}
