import {
  ExpressionError,
  inject,
  injectable,
  invalid,
  Tokens,
  type Expressions,
  type FieldError,
  type FieldPath,
} from '../../../sdk/index.js';
import type {Validation} from '../../../sdk/types/unchecked/admissionregistration/v1alpha1.js';
import {PolicyScopes} from '../../families/admission-policies/policy-scopes.js';

/** Compiles the expressions of policies and reports their errors. */
@injectable()
export class ExpressionFaults {
  /** Loaded for the first policy: most servers never have one. */
  #scopes: Promise<PolicyScopes> | undefined;

  readonly #expressions: Expressions;

  constructor(@inject(Tokens.Expressions) expressions: Expressions) {
    this.#expressions = expressions;
  }

  /** @param hasParams whether the expressions may refer to `params` */
  async of(validations: readonly Validation[], hasParams: boolean, path: FieldPath): Promise<FieldError[]> {
    const scopes = await (this.#scopes ??= PolicyScopes.load(this.#expressions));
    return validations.flatMap(({expression = ''}, index) => {
      // A missing expression is reported elsewhere.
      if (expression.trim() === '') return [];
      const compiled = scopes.compile(expression, hasParams);
      return ExpressionError.is(compiled) ? [invalid(path.index(index).child('expression'), expression, compiled.message)] : [];
    });
  }
}
