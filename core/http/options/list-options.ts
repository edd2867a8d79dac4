import type {ListRequest} from '../../registry/read/list-request.js';
import {queryInteger} from '../../registry/query-integer.js';
import {isTrue} from '../request/request-info.js';

/** Parameters as a client sent them; they are interpreted later. */
export interface ListParameters extends ListRequest {
  readonly timeoutSeconds: number | undefined;
}

/**
 * Reads the parameters of a list, a watch or a deletion of a collection.
 *
 * @throws 400 for invalid numbers
 */
export function listRequest(query: URLSearchParams): ListParameters {
  const timeoutSeconds = count(query, 'timeoutSeconds');
  const limit = count(query, 'limit');
  return {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    ...(limit === undefined ? {} : {limit}),
    continue: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    allowWatchBookmarks: isTrue(query.get('allowWatchBookmarks')),
    sendInitialEvents: query.has('sendInitialEvents') ? isTrue(query.get('sendInitialEvents')) : undefined,
    timeoutSeconds,
  };
}

/** A number that is missing, 0 or negative is no limit. */
function count(query: URLSearchParams, name: string): number | undefined {
  const value = queryInteger(query, name);
  return value !== undefined && value > 0n ? Number(value) : undefined;
}
