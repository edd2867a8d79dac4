import {notFound, StatusError} from '../../../sdk/index.js';
import type {ListQuery, ListResult} from '../../storage/read/list-query.js';
import type {DeleteResult} from '../result-object.js';
import {errorTarget, type ObjectTarget, type ServedVersion} from '../served-version.js';
import type {DeleteOptions} from './delete-options.js';
import {fromCurrent} from './change-object.js';
import {runWrite, type Admission} from './pipeline.js';
import {RemovedObject} from './removed-object.js';
import type {WriteContext} from '../request-context.js';
import {writeScope} from './write-scope.js';

/** Concurrent deletions for one request. */
const parallelism = 16;

const noAdmission: Admission = {admit: async () => false, validate: async () => undefined};

/**
 * Deletes an object, or marks it as terminating.
 *
 * @throws StatusError 403 (admission), 404, 409 (preconditions), 503
 */
export function deleteObject(
  served: ServedVersion,
  target: ObjectTarget,
  options: DeleteOptions,
  context: WriteContext,
): Promise<DeleteResult> {
  return fromCurrent(served, target, context, async (current) => {
    if (!current) throw notFound(errorTarget(served, target.name));
    const shown = await served.view.converted(current);
    const admission = options.withoutAdmission ? noAdmission : served.admission;
    return runWrite(new RemovedObject(writeScope(served, target, context), options, current, shown), admission);
  });
}

/**
 * Deletes every object that a list would return. Objects that disappear meanwhile count as deleted. Any other failure stops the work and is
 * thrown once the deletions in progress are done.
 *
 * @returns the list, so that a caller with a limit can continue after it
 */
export async function deleteObjects(
  served: ServedVersion,
  query: ListQuery,
  options: DeleteOptions,
  context: WriteContext,
): Promise<ListResult> {
  const list = await served.storage.list(query);
  const {items} = list;
  // In one step: each deletion reads its object in this version.
  await served.view.prepare(items);
  const each = {...options, ofCollection: true};
  let next = 0;
  /** With the place of their objects: which of several is known first is chance. */
  const failures: {readonly place: number; readonly error: unknown}[] = [];
  const work = async () => {
    while (next < items.length && failures.length === 0 && !context.cancellation?.().aborted) {
      const place = next++;
      const {namespace, name} = items[place]!;
      try {
        await deleteObject(served, {namespace, name, subresource: ''}, each, context);
      } catch (error) {
        if (!(StatusError.is(error) && error.reason === 'NotFound')) failures.push({place, error});
      }
    }
  };
  await Promise.all(Array.from({length: Math.min(parallelism, items.length)}, work));
  const [first] = failures.sort((one, other) => one.place - other.place);
  if (first) throw first.error;
  return list;
}
