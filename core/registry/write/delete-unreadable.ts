import {FieldPath, invalid, invalidObject, StoreError} from '../../../sdk/index.js';
import type {WriteContext} from '../request-context.js';
import {errorTarget, type ObjectTarget, type ServedVersion} from '../served-version.js';
import {toStatusError} from '../store-errors.js';

const path = FieldPath.of('ignoreStoreReadErrorWithClusterBreakingPotential');

/**
 * Takes an object out of the store whose content cannot be had: nobody knows its finalizers, whether preconditions hold, or what admission would say. The caller has been
 * authorized for that.
 *
 * @throws StatusError 422 for an object that can be read, or is not there; 503
 */
export async function deleteUnreadable(served: ServedVersion, {namespace, name}: ObjectTarget, {guard}: WriteContext): Promise<void> {
  const {storage, type} = served;
  try {
    const revision = await storage.unreadableRevision(namespace, name);
    if (revision === undefined) {
      const fault = invalid(path, true, 'is exclusively used to delete corrupt object(s), try again by removing this option');
      throw invalidObject({group: type.group, kind: type.plural}, name, [fault]);
    }
    served.checkServed('delete');
    await storage.delete(namespace, name, revision, guard);
  } catch (error) {
    // Another deletion came first.
    if (StoreError.is(error) && error.code === 'Missing') return;
    throw toStatusError(error, errorTarget(served, name));
  }
}
