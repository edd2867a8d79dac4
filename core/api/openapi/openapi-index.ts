import {createHash} from 'node:crypto';
import type {OpenApiNode} from './openapi-input.js';
import {pathPrefix} from './group-version-document.js';

/** The hash of a document's text: its ETag and the `hash` in its URL. Upper-case hexadecimal. */
export function documentHash(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex').toUpperCase();
}

/** The response of `/openapi/v3`: the URL of the document of each group version (`api/v1`, `apis/apps/v1`). */
export function buildOpenApiIndex(
  entries: Iterable<{readonly group: string; readonly version: string; readonly hash: string}>,
): OpenApiNode {
  const paths: OpenApiNode = {};
  for (const entry of entries) {
    const path = pathPrefix(entry).slice(1);
    paths[path] = {serverRelativeURL: `/openapi/v3/${path}?hash=${entry.hash}`};
  }
  return {paths};
}
