import {documentHash} from '../../api/openapi/openapi-index.js';
import type {Exchange} from '../exchange.js';
import {respond, respondNotModified} from '../respond.js';

/** A document as it is sent, with the fingerprint that its ETag is made of. */
export interface ServedDocument {
  readonly body: Buffer;
  readonly hash: string;
}

export function servedDocument(body: Buffer): ServedDocument {
  return {body, hash: documentHash(body)};
}

/** Sends a document, or tells a client that has it already so. */
export async function sendDocument(exchange: Exchange, contentType: string, {body, hash}: ServedDocument): Promise<void> {
  const etag = `"${hash}"`;
  exchange.response.setHeader('ETag', etag);
  exchange.response.setHeader('Vary', 'Accept, Accept-Encoding');
  if (exchange.header('if-none-match') === etag) return respondNotModified(exchange);
  await respond(exchange, 200, contentType, body);
}
