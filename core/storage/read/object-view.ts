import type {CachedObject} from '../cache/cached-object.js';

/**
 * How requests in one version of a type see its objects, if conversion is asynchronous because it happens outside the process.
 * Callers must make objects ready before they show them through a view.
 */
export interface ObjectView {
  /** Whether `convertedNow` can answer. Once ready, an object stays ready for as long as it is held. */
  isReady(object: CachedObject): boolean;
  /** Makes objects ready, all in one step; undefined if they already are. Rejects with a `StatusError` if they cannot be shown. */
  prepare(objects: readonly CachedObject[]): Promise<void> | undefined;
  /** The object as it is shown; an object that already went through this view is returned unchanged. */
  convertedNow(object: CachedObject): CachedObject;
}
