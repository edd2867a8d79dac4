import {isUtf8} from 'node:buffer';
import {parseJson, WebhookError, type JsonObject, type JsonValue} from '../../../sdk/index.js';
import type {WebhookResponse} from './exchange.js';

/** How much of a refusal's body is kept for the log. */
const shownCharacters = 512;
/** Deepest nesting of objects and lists, as for bodies of requests: all that walks values may recurse so far. */
const maximumDepth = 1000;
const [quote, backslash, openBrace, openBracket, closeBrace, closeBracket] = Buffer.from('"\\{[}]');

/** The object that a service answers. @throws WebhookError (`Refused`, `BadAnswer`) */
export function readAnswer({statusCode, body}: WebhookResponse): JsonObject {
  if (statusCode < 200 || statusCode > 299) {
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
    // The parser's words hold a part of the text.
    throw bad(text.trim() === '' ? 'the answer is empty' : 'the answer is no JSON', error);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw bad('the answer is no JSON object');
  return value;
}

/** Looks at brackets outside of strings only; whether they match is for the parser to say. */
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
