import type {ListMeta} from '../../../sdk/index.js';
import type {ListResult} from '../../storage/read/list-query.js';

/** The `metadata` of a list. */
export function listMetadata({revision, continueToken, remaining}: ListResult): ListMeta {
  return {
    resourceVersion: String(revision),
    ...(continueToken === undefined ? {} : {continue: continueToken}),
    ...(remaining === undefined ? {} : {remainingItemCount: remaining}),
  };
}
