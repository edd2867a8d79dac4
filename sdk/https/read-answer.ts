import {isUtf8} from 'node:buffer';
import {WebhookError} from '../errors/webhook-error.js';
import type {JsonObject, JsonValue} from '../objects/api-object.js';
import {parseJson} from '../values/json-text.js';
import type {HttpsResponse} from './exchange.js';

/** How much of the body of an unsuccessful response is kept for the log. */
const shownCharacters = 512;
/** Deepest nesting of objects and lists, as for request bodies: code that walks values recurses. */
const maximumDepth = 1000;
const [quote, backslash, openBrace, openBracket, closeBrace, closeBracket] = Buffer.from('"\\{[}]');

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
  const bad = (what: string, cause?: unknown) => new WebhookError('BadAnswer', what, {statusCode, cause});
  if (!isUtf8(body)) throw bad('the answer is not valid UTF-8');
  if (isTooDeep(body)) throw bad(`the answer is nested deeper than ${maximumDepth} levels`);
  const text = body.toString('utf8');
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (error) {
    // The parser's message quotes the text, so it is only the cause.
    throw bad(text.trim() === '' ? 'the answer is empty' : 'the answer is not JSON', error);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw bad('the answer is not a JSON object');
  return value;
}

/** Counts brackets outside strings; whether they match is the parser's concern. */
function isTooDeep(body: Buffer): boolean {
  let depth = 0;
  let isString = false;
  for (let position = 0; position < body.length; position += 1) {
    const byte = body[position];
    if (byte === quote) isString = !isString;
    else if (isString) position += byte === backslash ? 1 : 0;
    else if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) depth -= 1;
    if (depth > maximumDepth) return true;
  }
  return false;
}
