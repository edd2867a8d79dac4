import {createHash} from 'node:crypto';
import type {OpenApiNode} from './openapi-input.js';
import {pathPrefix} from './group-version-document.js';

/** The fingerprint of a document's text: its ETag and the `hash` in its address. Upper-case hexadecimal. */
export function documentHash(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex').toUpperCase();
}

/** What `/openapi/v3` answers: for each group version (`api/v1`, `apis/apps/v1`) the address of its document. */
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
