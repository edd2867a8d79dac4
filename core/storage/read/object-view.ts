import type {CachedObject} from '../cache/cached-object.js';

/**
 * How requests in one version of a type see its objects, where that takes more than the moment: something outside the process
 * converts them. Whoever shows objects through a view first has them made ready.
 */
export interface ObjectView {
  /** Whether `convertedNow` can answer. What was ready once stays ready for as long as the object is held. */
  isReady(object: CachedObject): boolean;
  /** Makes objects ready, all in one step; undefined when they are. Rejects with a `StatusError` when they cannot be shown. */
  prepare(objects: readonly CachedObject[]): Promise<void> | undefined;
  /** The object as it is shown; itself for one that was seen through this view before. */
  convertedNow(object: CachedObject): CachedObject;
}
