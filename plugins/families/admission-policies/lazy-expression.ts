import type {Expression, ExpressionError, ExpressionType} from '../../../sdk/index.js';
import type {ExpressionPlace, PolicyScopes} from './policy-scopes.js';

/** An expression of a policy, compiled when the first request comes to it: there may be very many. */
export class LazyExpression {
  readonly text: string;
  readonly #type: ExpressionType;
  readonly #scopes: PolicyScopes;
  readonly #placeOf: () => ExpressionPlace;
  #compiled: Expression | ExpressionError | undefined;

  /** @param placeOf what it may refer to, asked when it is compiled */
  constructor(text: string, type: ExpressionType, scopes: PolicyScopes, placeOf: () => ExpressionPlace) {
    this.text = text;
    this.#type = type;
    this.#scopes = scopes;
    this.#placeOf = placeOf;
  }

  /** The expression, or why it does not compile. */
  get compiled(): Expression | ExpressionError {
    return (this.#compiled ??= this.#scopes.compile(this.text, this.#type, this.#placeOf()));
  }
}
