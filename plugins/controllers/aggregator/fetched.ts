import {WebhookError, type JsonObject} from '../../../sdk/index.js';
import {readAnswer, type HttpsResponse} from '../../../sdk/https/index.js';
import type {DocumentRequest, RemoteServer} from './remote-server.js';

/** A document from a server, and the value read from it. */
export interface Kept<T> {
  readonly etag: string | undefined;
  readonly value: T;
}

/** Answers that mean that a server has no such document. */
const absent = new Set([404, 406]);

/**
 * Fetches a JSON document, unless the known one is still current.
 *
 * @param read makes the value to keep of it
 * @returns the kept one if it is still the same; undefined if the server has none
 * @throws WebhookError, StatusError as `RemoteServer.read`, or what `read` throws; the signal's reason
 */
export function fetchDocument<T>(
  server: RemoteServer,
  request: Omit<DocumentRequest, 'etag'>,
  kept: Kept<T> | undefined,
  read: (document: JsonObject, text: string) => T,
  signal: AbortSignal,
): Promise<Kept<T> | undefined> {
  return server.read({...request, etag: kept?.etag}, signal, (answer) => {
    if (answer.statusCode === 304 && kept?.etag !== undefined) return kept;
    if (absent.has(answer.statusCode)) return undefined;
    const document = readAnswer(answer, 200);
    return {etag: etagOf(answer), value: read(document, answer.body.toString('utf8'))};
  });
}

/** Long ones are not worth sending back. */
function etagOf({headers: {etag}}: HttpsResponse): string | undefined {
  return etag !== undefined && etag.length <= 256 ? etag : undefined;
}

/** @throws WebhookError (`BadAnswer`) */
export function badAnswer(what: string): never {
  throw new WebhookError('BadAnswer', what);
}
