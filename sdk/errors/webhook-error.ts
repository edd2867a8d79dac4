const brand = Symbol.for('orch.WebhookError');

/**
 * Why a webhook call gave no usable response.
 *
 * - `NoCaller`: no plugin makes such calls
 * - `Misconfigured`: the target itself is invalid: its URL, its CA bundle, its credentials
 * - `NoBackend`: the service does not exist, or has no ready endpoints
 * - `Unreachable`: the connection failed, or broke off before the response was complete
 * - `Untrusted`: the server's certificate is not valid for the target, or the TLS handshake failed
 * - `Timeout`: no complete response within the time limit
 * - `Refused`: the status is not that of a valid response (200 to 299, or the required one); see `statusCode`
 * - `BadAnswer`: the body is not a JSON object, or is too large
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
  /** HTTP status of the response, if there was one. */
  statusCode?: number;
  /** The start of the response's body. */
  answer?: string;
  cause?: unknown;
}

/**
 * A failed webhook call. The message names the target and says what is wrong; it contains no credentials and no part of the target's
 * response, because whoever reads the message may have chosen the target.
 */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly statusCode: number | undefined;
  /** The start of an unsuccessful response: for logs, never for callers. */
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

  /** True for errors of every loaded copy of this package. */
  static is(error: unknown): error is WebhookError {
    return typeof error === 'object' && error !== null && brand in error;
  }
}
