const brand = Symbol.for('orch.WebhookError');

/**
 * Why a webhook gave no answer that could be used.
 *
 * - `NoCaller`: no plugin makes such calls
 * - `Misconfigured`: the target itself is at fault: its URL, its CA bundle, its credentials
 * - `NoBackend`: the service is not there, or nothing stands behind it
 * - `Unreachable`: there is no connection, or it broke off before the answer was complete
 * - `Untrusted`: the server's certificate is not what it must be, or the TLS handshake failed otherwise
 * - `Timeout`: no complete answer within the time limit
 * - `Refused`: the answer has another status than 200 to 299; see `statusCode`
 * - `BadAnswer`: the body is no JSON object, or too large
 */
export type WebhookErrorCode =
  | 'NoCaller'
  | 'Misconfigured'
  | 'NoBackend'
  | 'Unreachable'
  | 'Untrusted'
  | 'Timeout'
  | 'Refused'
  | 'BadAnswer';

export interface WebhookErrorOptions {
  /** HTTP status of the answer, where there was one. */
  statusCode?: number;
  /** The start of the answer's body. */
  answer?: string;
  cause?: unknown;
}

/**
 * A call of a webhook that failed. The message names the target and says what is wrong; it holds no credentials and nothing of what the
 * target has answered: whoever reads it may have chosen the target.
 */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly statusCode: number | undefined;
  /** The start of what the target has answered, where that was no success: for logs, never for callers. */
  readonly answer: string | undefined;

  constructor(
    readonly code: WebhookErrorCode,
    message: string,
    options: WebhookErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : {cause: options.cause});
    this.statusCode = options.statusCode;
    this.answer = options.answer;
    Object.defineProperty(this, brand, {value: true});
  }

  /** Holds for errors of every loaded copy of this package. */
  static is(error: unknown): error is WebhookError {
    return typeof error === 'object' && error !== null && brand in error;
  }
}
