import type {ApiObject} from '../../../sdk/index.js';
import type {Job} from '../../../sdk/types/unchecked/batch/v1.js';

/**
 * When a Job may be deleted, in milliseconds since 1970: `spec.ttlSecondsAfterFinished` after its condition `Complete` or `Failed` became true.
 * Undefined as long as it has not finished, if it is being deleted, and if it does not ask for it.
 */
export function expiryOfJob(object: ApiObject): number | undefined {
  const {metadata, spec, status} = object as Job;
  const seconds = spec?.ttlSecondsAfterFinished;
  if (typeof seconds !== 'number' || metadata.deletionTimestamp) return undefined;
  const finished = status?.conditions?.find((condition) => isFinal(condition.type) && condition.status === 'True');
  const time = Date.parse(finished?.lastTransitionTime ?? '');
  return Number.isNaN(time) ? undefined : time + seconds * 1000;
}

function isFinal(type: string | undefined): boolean {
  return type === 'Complete' || type === 'Failed';
}
