const brand = Symbol.for('orch.ExpressionError');

/**
 * Why an expression has no result.
 *
 * - `Invalid`: it has syntax or type errors
 * - `Failed`: the evaluation failed, for example because of a missing member
 * - `CostExceeded`: the evaluation exceeded its step limit
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
