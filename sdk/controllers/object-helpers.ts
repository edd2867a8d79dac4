import {secondTime} from '../values/second-time.js';
import type {ApiObject} from '../objects/api-object.js';
import type {OwnerReference} from '../objects/object-meta.js';

/** A reference to the one owner that manages an object: the object goes when the owner does. The owner has been read from the server. */
export function controllerReference({apiVersion, kind, metadata}: ApiObject): OwnerReference {
  return {apiVersion: apiVersion!, kind: kind!, name: metadata.name!, uid: metadata.uid!, controller: true, blockOwnerDeletion: true};
}

/** What the `status.conditions` of most types contain. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string;
}

/**
 * The conditions with one of them set. Its `lastTransitionTime` changes only with its `status`; the same list is returned if nothing has changed, so that
 * nothing needs to be written.
 *
 * @param now in milliseconds since 1970
 */
export function withCondition<T extends Condition>(conditions: readonly T[], condition: T, now = Date.now()): readonly T[] {
  const before = conditions.find(({type}) => type === condition.type);
  const isSame = (['status', 'reason', 'message', 'observedGeneration'] as const).every((member) => before?.[member] === condition[member]);
  if (before && isSame) return conditions;
  const lastTransitionTime =
    before?.status === condition.status && before.lastTransitionTime !== undefined ? before.lastTransitionTime : secondTime(now);
  const changed = {...condition, lastTransitionTime};
  return before ? conditions.map((each) => (each === before ? changed : each)) : [...conditions, changed];
}

/** The finalizers of an object with one more, or without it. Undefined if there is nothing to change. */
export function changedFinalizers({metadata}: ApiObject, finalizer: string, wanted: boolean): string[] | undefined {
  const finalizers = metadata.finalizers ?? [];
  if (finalizers.includes(finalizer) === wanted) return undefined;
  return wanted ? [...finalizers, finalizer] : finalizers.filter((each) => each !== finalizer);
}
