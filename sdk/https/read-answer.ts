import {isUtf8} from 'node:buffer';
import {WebhookError, type WebhookErrorOptions} from '../errors/webhook-error.js';
import type {JsonObject, JsonValue} from '../objects/api-object.js';
import {outlineJson} from '../values/json-outline.js';
import {parseJson} from '../values/json-text.js';
import type {HttpsResponse} from './exchange.js';

/** How much of the body of an unsuccessful response is kept for the log. */
const shownCharacters = 512;
/** Deepest nesting of objects and lists, as for request bodies: code that walks values recurses. */
const maximumDepth = 1000;
/** Most values in an answer, as in a request body: the time to read one grows with them, whatever their bytes are. */
const maximumValues = 150_000;

/**
 * The JSON object in a response.
 *
 * @param only the only accepted status; any of 200 to 299 if absent
 * @throws WebhookError (`Refused`, `BadAnswer`)
 */
export function readAnswer({statusCode, body}: Pick<HttpsResponse, 'statusCode' | 'body'>, only?: number): JsonObject {
  if (only === undefined ? statusCode < 200 || statusCode > 299 : statusCode !== only) {
    const answer = body
      .subarray(0, 4 * shownCharacters)
      .toString('utf8')
      .trim()
      .slice(0, shownCharacters);
    throw new WebhookError('Refused', `the service answers with status ${statusCode}`, {statusCode, ...(answer === '' ? {} : {answer})});
  }
  const value = parseAnswer(body, {statusCode});
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new WebhookError('BadAnswer', 'the answer is not a JSON object', {statusCode});
  return value;
}

/**
 * Parses JSON that a called service has sent, within the bounds of what takes no more than a turn of the event loop may.
 *
 * @throws WebhookError (`BadAnswer`) with the given options
 */
export function parseAnswer(body: Buffer, options: WebhookErrorOptions = {}): JsonValue {
  const bad = (what: string, cause?: unknown) => new WebhookError('BadAnswer', what, {...options, cause});
  if (!isUtf8(body)) throw bad('the answer is not valid UTF-8');
  const {tooDeep, values} = outlineJson(body, maximumDepth);
  if (tooDeep) throw bad(`the answer is nested deeper than ${maximumDepth} levels`);
  if (values > maximumValues) throw bad(`the answer has more than ${maximumValues} values`);
  const text = body.toString('utf8');
  try {
    return parseJson(text);
  } catch (error) {
    // The parser's message quotes the text, so it is only the cause.
    throw bad(text.trim() === '' ? 'the answer is empty' : 'the answer is not JSON', error);
  }
}
