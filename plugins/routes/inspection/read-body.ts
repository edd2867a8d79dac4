import type {IncomingMessage} from 'node:http';
import {badRequest, isJsonObject, parseJson, requestEntityTooLarge, unsupportedMediaType, type JsonObject} from '../../../sdk/index.js';
import * as bounds from './bounds.js';

/**
 * The body of a request, an object in JSON.
 *
 * @param most bytes
 * @throws StatusError 400, 413, 415
 */
export async function readJsonBody(incoming: IncomingMessage, most: number): Promise<JsonObject> {
  const [type = ''] = (incoming.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json') throw unsupportedMediaType(['application/json']);
  const text = (await received(incoming, most)).toString('utf8');
  if (depthOf(text) > bounds.bodyDepth) throw badRequest(`the body is nested deeper than ${bounds.bodyDepth} levels`);
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw badRequest(`the body is no JSON: ${(error as Error).message}`);
  }
  if (!isJsonObject(value)) throw badRequest('the body has to be an object');
  return value;
}

/** What is left of a body that is too large stays with the server, which deals with it. */
function received(incoming: IncomingMessage, most: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    const take = (part: Buffer) => {
      bytes += part.length;
      parts.push(part);
      if (bytes <= most) return;
      incoming.off('data', take).pause();
      reject(requestEntityTooLarge(most));
    };
    incoming
      .on('data', take)
      .once('end', () => resolve(Buffer.concat(parts)))
      .once('error', reject)
      .once('close', () => reject(badRequest('the body ended before its end')));
  });
}

/** How deep lists and objects are nested in a text, before anything is made of it. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [mark] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (mark === '[' || mark === '{') deepest = Math.max(deepest, (depth += 1));
    else if (mark === ']' || mark === '}') depth -= 1;
  }
  return deepest;
}
