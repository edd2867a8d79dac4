import type {CachedObject} from './cached-object.js';

/** A resource type as storage sees it. */
export interface TypeOptions {
  /** `plural.group`, or `plural` in the core group: the store's name for it. */
  readonly type: string;
  readonly namespaced: boolean;
  /** Values for field selectors beyond `metadata.name` and `metadata.namespace`. Must not change the object. */
  selectableFields(object: CachedObject): Record<string, string>;
  /** Objects are deleted this many seconds after their last write. */
  readonly ttlSeconds?: number;
}
