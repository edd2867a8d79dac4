import {isJsonObject, type JsonObject, type JsonValue} from '../../../sdk/index.js';
import {badAnswer, fetchDocument, type Kept} from './fetched.js';
import type {RemoteServer} from './remote-server.js';

const maximumIndexBytes = 1024 * 1024;
/** Enough for a server with hundreds of types: merging documents takes time in proportion to their size. */
const maximumDocumentBytes = 4 * 1024 * 1024;
const maximumPaths = 2000;
const maximumDefinitions = 5000;
const timeoutMillis = 20_000;
const longestHash = 256;

/** Fingerprints of the documents of OpenAPI v3 by `apis/GROUP/VERSION`. */
export type OpenApiIndex = ReadonlyMap<string, string>;

/** Which documents of OpenAPI v3 a server has. They themselves are fetched when clients ask for them. @throws as `fetchDocument` */
export function fetchOpenApiIndex(
  server: RemoteServer,
  kept: Kept<OpenApiIndex> | undefined,
  signal: AbortSignal,
): Promise<Kept<OpenApiIndex> | undefined> {
  const request = {path: '/openapi/v3', accept: 'application/json', maximumBytes: maximumIndexBytes, timeoutMillis};
  return fetchDocument(server, request, kept, readIndex, signal);
}

/** A server's document of OpenAPI v2, as text. @throws as `fetchDocument` */
export function fetchOpenApiV2(
  server: RemoteServer,
  kept: Kept<string> | undefined,
  signal: AbortSignal,
): Promise<Kept<string> | undefined> {
  const request = {path: '/openapi/v2', accept: 'application/json', maximumBytes: maximumDocumentBytes, timeoutMillis};
  return fetchDocument(server, request, kept, soundText, signal);
}

function soundText({paths, definitions}: JsonObject, text: string): string {
  const count = (value: JsonValue | undefined) => (isJsonObject(value) ? Object.keys(value).length : 0);
  if (count(paths) > maximumPaths) badAnswer(`the document of OpenAPI v2 has more than ${maximumPaths} paths`);
  if (count(definitions) > maximumDefinitions) badAnswer(`the document of OpenAPI v2 has more than ${maximumDefinitions} definitions`);
  return text;
}

function readIndex({paths}: JsonObject): OpenApiIndex {
  const found = new Map<string, string>();
  for (const [name, entry] of Object.entries(isJsonObject(paths) ? paths : {})) {
    const address = isJsonObject(entry) ? entry['serverRelativeURL'] : undefined;
    if (typeof address !== 'string') continue;
    const hash = new URLSearchParams(address.slice(address.indexOf('?') + 1)).get('hash') ?? '';
    if (hash.length <= longestHash) found.set(name, hash);
  }
  return found;
}
