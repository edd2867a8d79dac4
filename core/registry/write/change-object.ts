import {notFound, StatusError, StoreError, type ApiObject} from '../../../sdk/index.js';
import type {CachedObject} from '../../storage/cache/cached-object.js';
import type {WriteResult} from '../result-object.js';
import {errorTarget, type ObjectTarget, type ServedVersion} from '../served-version.js';
import {toStatusError} from '../store-errors.js';
import {ChangedObject, type ObjectChange} from './changed-object.js';
import {NewObject} from './new-object.js';
import {runWrite} from './pipeline.js';
import {checkUid} from './preconditions.js';
import type {WriteContext} from '../request-context.js';
import {writeScope} from './write-scope.js';

/** Attempts of an unconditional write while others change the same object. */
const maximumAttempts = 20;

/**
 * Changes an object: the one path of update, patch and apply, on objects and on subresources. Commits only if the object has not changed
 * since it was read; otherwise it starts again from the new state, unless the wanted object names a `resourceVersion`.
 *
 * @throws StatusError 400, 403 (admission), 404, 409 `Conflict`, 413, 422, 503
 */
export function changeObject(
  served: ServedVersion,
  target: ObjectTarget,
  change: ObjectChange,
  context: WriteContext,
): Promise<WriteResult> {
  return fromKnown(served, target, context, async (current) => {
    if (current) return runWrite(new ChangedObject(writeScope(served, target, context), change, current), served.admission);
    if (change.uid) checkUid(served, target.name, change.uid);
    if (!change.mayCreate) throw notFound(errorTarget(served, target.name));
    await change.mayCreate();
    const write = new NewObject(writeScope(served, target, context), () => missing(served, target, change), change.ownersRecorded);
    return runWrite(write, served.admission);
  });
}

/** If the object does not exist, a given version is ignored, but a given uid is not: that object has been deleted. */
async function missing(served: ServedVersion, {name}: ObjectTarget, change: ObjectChange): Promise<ApiObject> {
  const object = await change.compute(undefined);
  if (object.metadata.uid) checkUid(served, name, object.metadata.uid);
  delete object.metadata.resourceVersion;
  return object;
}

/**
 * As `fromCurrent`, but the first attempt is based on the object as this server knows it: that it is the latest state is shown by the commit, which replaces no other, so a store that servers share need not be
 * asked for it before. An attempt that fails, and may have failed because it was based on an older state, is made again from the latest.
 */
async function fromKnown<T>(
  served: ServedVersion,
  target: ObjectTarget,
  context: WriteContext,
  work: (current: CachedObject | undefined) => Promise<T>,
): Promise<T> {
  const {namespace, name} = target;
  const known = context.dryRun ? undefined : served.storage.known(namespace, name);
  if (!known) return fromCurrent(served, target, context, work);
  let failure: unknown;
  try {
    return await work(known);
  } catch (error) {
    // What else the store refuses has nothing to do with the state, and may even have taken effect.
    const isFinal = StoreError.is(error) && !isOvertaken(error);
    if (isFinal || context.cancellation?.().aborted) throw toStatusError(error, errorTarget(served, name));
    failure = error;
  }
  return fromCurrent(served, target, context, async (current) => {
    if (current?.revision === known.revision && !isOvertaken(failure)) throw failure;
    return work(current);
  });
}

/** Applies a change to the current object, and again if another write came first. @throws StatusError instead of any `StoreError` */
export async function fromCurrent<T>(
  served: ServedVersion,
  {namespace, name}: ObjectTarget,
  {cancellation}: WriteContext,
  work: (current: CachedObject | undefined) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(await served.storage.get(namespace, name, 'recent'));
    } catch (error) {
      if (isOvertaken(error) && attempt < maximumAttempts && !cancellation?.().aborted) continue;
      throw toStatusError(error, errorTarget(served, name));
    }
  }
}

/** The object was changed, deleted or created in the meantime. */
function isOvertaken(error: unknown): boolean {
  return StoreError.is(error)
    ? error.code === 'Mismatch' || error.code === 'Missing'
    : StatusError.is(error) && error.reason === 'AlreadyExists';
}
