import type {ApiObject} from '../../../sdk/index.js';
import type {ServedVersion} from '../served-version.js';

/**
 * Whether a terminating object can be removed: it has no finalizers, no grace period is running, and its strategy no longer holds it
 * (docs/semantics/deletion.md#finalizers).
 */
export function readyToRemove(served: ServedVersion, object: ApiObject): boolean {
  const {metadata} = object;
  if (!metadata.deletionTimestamp) return false;
  if (metadata.finalizers && metadata.finalizers.length > 0) return false;
  if ((metadata.deletionGracePeriodSeconds ?? 0) > 0) return false;
  return served.type.strategy?.mayRemove?.(object) ?? true;
}
