import {badRequest} from '../../../sdk/index.js';
import type {ListRequest} from '../../registry/read/list-request.js';
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
    timeoutSeconds: count(query, 'timeoutSeconds'),
  };
}

/** A 64-bit integer. If it is missing, 0 or negative, there is no limit. */
function count(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = /^[+-]?\d{1,19}$/.test(text) ? BigInt(text.replace('+', '')) : undefined;
  if (value === undefined || BigInt.asIntN(64, value) !== value)
    throw badRequest(`parameter ${name} must be an integer, not ${JSON.stringify(text)}`);
  return value > 0n ? Number(value) : undefined;
}
