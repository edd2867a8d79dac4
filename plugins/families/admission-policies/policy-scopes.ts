import {
  ExpressionError,
  type Expression,
  type Expressions,
  type ExpressionScope,
  type ExpressionType,
  type ExpressionValues,
  type JsonValue,
} from '../../../sdk/index.js';
import {requestSchema} from './request-variable.js';

/**
 * What the expressions of policies can refer to: `object`, `oldObject` and `request`, `params` if the policy has a parameter kind, and
 * `variables` if it has any.
 */
export class PolicyScopes {
  readonly #plain: ExpressionScope;
  readonly #withParams: ExpressionScope;

  private constructor(plain: ExpressionScope, withParams: ExpressionScope) {
    this.#plain = plain;
    this.#withParams = withParams;
  }

  /** @param composed whether the expressions may refer to `variables`, of any form */
  static async load(expressions: Expressions, composed = false): Promise<PolicyScopes> {
    const variables = {
      object: undefined,
      oldObject: undefined,
      request: requestSchema,
      ...(composed ? {variables: undefined} : {}),
    };
    return new PolicyScopes(await expressions.scope(variables), await expressions.scope({...variables, params: undefined}));
  }

  /** Returns the problem if an expression does not compile. */
  compile(text: string, hasParams: boolean, type: ExpressionType = 'bool'): Expression | ExpressionError {
    try {
      return this.#scope(hasParams).compile(text, type);
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
