import {StatusError} from '../../../sdk/index.js';
import type {ListQuery, ListResult} from '../../storage/read/list-query.js';
import {deleteObject} from './delete-object.js';
import type {DeleteOptions} from './delete-options.js';
import type {ServedVersion} from '../served-version.js';
import type {WriteContext} from './write-context.js';

/** Deletions that are under way at once for one request. */
const parallelism = 16;

/**
 * Deletes every object that a list would answer. Objects that vanish meanwhile count as deleted; any other failure ends
 * the work and is thrown once the deletions under way are done.
 *
 * @returns the list, so that a caller with a limit can go on where it ends
 */
export async function deleteCollection(
  served: ServedVersion,
  query: ListQuery,
  options: DeleteOptions,
  context: WriteContext,
): Promise<ListResult> {
  const list = await served.storage.list(query);
  const {items} = list;
  // In one step: each deletion looks at its object as the version has it.
  await served.view.prepare(items);
  let next = 0;
  let failure: unknown;
  const work = async () => {
    while (next < items.length && failure === undefined && !context.signal?.aborted) {
      const item = items[next++]!;
      try {
        await deleteObject(served, {namespace: item.namespace, name: item.name}, options, context);
      } catch (error) {
        if (!(StatusError.is(error) && error.reason === 'NotFound')) failure ??= error;
      }
    }
  };
  await Promise.all(Array.from({length: Math.min(parallelism, items.length)}, work));
  if (failure !== undefined) throw failure;
  return list;
}
