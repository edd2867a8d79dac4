const brand = Symbol.for('orch.ExpressionError');

/**
 * Why an expression has no result.
 *
 * - `Invalid`: it cannot be read, or its types do not fit
 * - `Failed`: the evaluation failed, such as for a member that is not there
 * - `CostExceeded`: the evaluation took more steps than it may
 */
export type ExpressionErrorCode = 'Invalid' | 'Failed' | 'CostExceeded';

/** An expression in the Common Expression Language that cannot be compiled or evaluated. The message is for the author of the expression. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';

  constructor(
    message: string,
    readonly code: ExpressionErrorCode = 'Invalid',
  ) {
    super(message);
    Object.defineProperty(this, brand, {value: true});
  }

  /** True for errors of every loaded copy of this package. */
  static is(error: unknown): error is ExpressionError {
    return typeof error === 'object' && error !== null && brand in error;
  }
}
