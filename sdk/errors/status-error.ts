import type {Status, StatusDetails, StatusReason} from '../objects/status.js';

const brand = Symbol.for('orch.StatusError');

export interface StatusErrorOptions {
  details?: StatusDetails;
  /** The underlying error. It is logged, never sent to a client. */
  cause?: unknown;
}

/**
 * The only error that HTTP renders. Anything else thrown while a request is served is a bug: it is logged, and the response is a plain 500.
 */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly details: StatusDetails | undefined;

  constructor(
    readonly code: number,
    readonly reason: StatusReason,
    message: string,
    options: StatusErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : {cause: options.cause});
    this.details = options.details;
    Object.defineProperty(this, brand, {value: true});
  }

  /** True for errors of every loaded copy of this package: a plugin may have its own. */
  static is(error: unknown): error is StatusError {
    return typeof error === 'object' && error !== null && brand in error;
  }

  /** The body of the response. */
  toStatus(): Status {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
      // A webhook may reject without one.
      ...(this.reason ? {reason: this.reason} : {}),
      ...(this.details ? {details: this.details} : {}),
      code: this.code,
    };
  }
}
