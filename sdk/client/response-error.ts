import {StatusError} from '../errors/status-error.js';
import type {Status, StatusReason} from '../objects/status.js';
import {parseJson} from '../values/json-text.js';

/** The reasons of responses without one: from a proxy in between, or another kind of server. */
const reasons: ReadonlyMap<number, StatusReason> = new Map([
  [400, 'BadRequest'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [405, 'MethodNotAllowed'],
  [406, 'NotAcceptable'],
  [409, 'Conflict'],
  [410, 'Gone'],
  [413, 'RequestEntityTooLarge'],
  [415, 'UnsupportedMediaType'],
  [422, 'Invalid'],
  [429, 'TooManyRequests'],
  [500, 'InternalError'],
  [503, 'ServiceUnavailable'],
  [504, 'Timeout'],
]);

/** Longer response texts that are not a Status are truncated in messages. */
const shownCharacters = 1024;

/** The error for a Status, which may also be the object of an `ERROR` watch event. */
export function statusError(status: Partial<Status>, code = status.code ?? 500): StatusError {
  const options = status.details ? {details: status.details} : {};
  return new StatusError(
    code,
    status.reason || (reasons.get(code) ?? 'Unknown'),
    status.message || `the server responded with ${code}`,
    options,
  );
}

/** The error for an unsuccessful response. */
export function responseError(code: number, body: Buffer): StatusError {
  const text = body.toString('utf8');
  const status = parsedStatus(text);
  if (status) return statusError(status, code);
  const shown = text.trim().slice(0, shownCharacters);
  return statusError(
    {message: shown === '' ? `the server responded with ${code} without a body` : `the server responded with ${code}: ${shown}`},
    code,
  );
}

function parsedStatus(text: string): Partial<Status> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value = parseJson(text) as Partial<Status> | undefined;
    return value?.kind === 'Status' ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
