import {
  ExpressionError,
  type Expression,
  type Expressions,
  type ExpressionScope,
  type ExpressionValues,
  type JsonValue,
} from '../../../sdk/index.js';
import {requestSchema} from './request-variable.js';

/** What the expressions of policies can refer to: `object`, `oldObject` and `request`, and `params` if the policy has a parameter kind. */
export class PolicyScopes {
  readonly #plain: ExpressionScope;
  readonly #withParams: ExpressionScope;

  private constructor(plain: ExpressionScope, withParams: ExpressionScope) {
    this.#plain = plain;
    this.#withParams = withParams;
  }

  static async load(expressions: Expressions): Promise<PolicyScopes> {
    const variables = {object: undefined, oldObject: undefined, request: requestSchema};
    return new PolicyScopes(await expressions.scope(variables), await expressions.scope({...variables, params: undefined}));
  }

  /** Returns the problem if an expression does not compile. */
  compile(text: string, hasParams: boolean): Expression | ExpressionError {
    try {
      return this.#scope(hasParams).compile(text, 'bool');
    } catch (error) {
      if (ExpressionError.is(error)) return error;
      throw error;
    }
  }

  bind(values: Readonly<Record<string, JsonValue | undefined>>, hasParams: boolean): ExpressionValues {
    return this.#scope(hasParams).bind(values);
  }

  #scope(hasParams: boolean): ExpressionScope {
    return hasParams ? this.#withParams : this.#plain;
  }
}
