const brand = Symbol.for('orch.ExpressionPending');

/**
 * An evaluation has come to something that is not known yet: what an authorizer decides, or what another expression evaluates to. It ended there; once
 * `ready` has resolved it can begin anew. What a result of other expressions throws may be one, too.
 */
export class ExpressionPending extends Error {
  override readonly name = 'ExpressionPending';

  /** @param ready waits for it. It does not reject: what went wrong is found by the next evaluation */
  constructor(readonly ready: () => Promise<void>) {
    super('the evaluation has to wait');
    Object.defineProperty(this, brand, {value: true});
  }

  /** True for those of every loaded copy of this package. */
  static is(error: unknown): error is ExpressionPending {
    return typeof error === 'object' && error !== null && brand in error;
  }
}
