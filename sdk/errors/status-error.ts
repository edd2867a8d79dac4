import type {Status, StatusCause, StatusDetails, StatusReason} from '../objects/status.js';
import {cutText, messageLimits} from './message-limits.js';

const brand = Symbol.for('orch.StatusError');

export interface StatusErrorOptions {
  details?: StatusDetails;
  /** The underlying error. It is logged, never sent to a client. */
  cause?: unknown;
}

/**
 * The only error that HTTP renders. Its message and causes are cut to what `messageLimits` allows: both may quote what a client sent. Anything else thrown while a request is served is a bug: it is logged, and the response is a plain 500.
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
    super(cutText(message, messageLimits.status), options.cause === undefined ? undefined : {cause: options.cause});
    this.details = boundedDetails(options.details);
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

function boundedDetails(details: StatusDetails | undefined): StatusDetails | undefined {
  // Fast path: most have no causes.
  return details?.causes ? {...details, causes: boundedCauses(details.causes)} : details;
}

function boundedCauses(causes: readonly StatusCause[]): StatusCause[] {
  let room: number = messageLimits.status;
  const bounded: StatusCause[] = [];
  for (const cause of causes) {
    const {message = '', field = ''} = cause;
    room -= message.length + field.length;
    if (room < 0 && bounded.length > 0) break;
    bounded.push(message.length > messageLimits.fault ? {...cause, message: cutText(message, messageLimits.fault)} : cause);
  }
  return bounded;
}
