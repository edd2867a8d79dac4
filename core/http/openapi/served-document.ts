import {documentHash} from '../../api/openapi/openapi-index.js';
import type {Exchange} from '../request/exchange.js';
import {respond, respondMoved, respondNotModified} from '../response/respond.js';
import {addVary} from '../response/vary.js';

/** A serialized document, with the hash that its ETag is made of. */
export interface ServedDocument {
  readonly body: Buffer;
  readonly hash: string;
}

export function servedDocument(body: Buffer): ServedDocument {
  return {body, hash: documentHash(body)};
}

/**
 * Answers a request that names the fingerprint of the document that it wants: the document at that address never changes, so that
 * caches may keep it for a year; a client that names another one is sent to the present address.
 *
 * @param address of the document, without a fingerprint
 */
export async function sendHashedDocument(
  exchange: Exchange,
  contentType: string,
  document: ServedDocument,
  address: string,
  hash: string,
): Promise<void> {
  if (hash !== document.hash) return respondMoved(exchange, `${address}?hash=${document.hash}`);
  const expires = new Date();
  expires.setUTCFullYear(expires.getUTCFullYear() + 1);
  exchange.response.setHeader('Cache-Control', 'public, immutable');
  exchange.response.setHeader('Expires', expires.toUTCString());
  await sendDocument(exchange, contentType, document);
}

/** Sends a document, or 304 if the client already has it. */
export async function sendDocument(exchange: Exchange, contentType: string, {body, hash}: ServedDocument): Promise<void> {
  const etag = `"${hash}"`;
  exchange.response.setHeader('ETag', etag);
  addVary(exchange.response, 'Accept');
  addVary(exchange.response, 'Accept-Encoding');
  if (exchange.header('if-none-match') === etag) return respondNotModified(exchange);
  await respond(exchange, 200, contentType, body);
}
