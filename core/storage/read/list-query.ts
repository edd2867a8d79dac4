import type {FieldSelector} from '../../api/selectors/field-selector.js';
import type {LabelSelector} from '../../api/selectors/label-selector.js';
import type {CachedObject} from '../cache/cached-object.js';
import type {Freshness} from '../follow/type-feed.js';
import type {ObjectView} from './object-view.js';

/** Selects objects of a type. Absent members select all. */
export interface Selection {
  readonly namespace?: string;
  readonly name?: string;
  readonly labelSelector?: LabelSelector;
  readonly fieldSelector?: FieldSelector;
  /** The view through which selectors and output see the objects; absent if nothing must be prepared. */
  readonly view?: ObjectView;
}

export interface ListQuery extends Selection {
  /** Ignored when there is a continue token: the token's revision counts. */
  readonly freshness: Freshness | {readonly exact: number};
  /** Maximum number of items returned; 0 or absent for all. */
  readonly limit?: number;
  readonly continueToken?: string;
}

export interface ListResult {
  /** Version of the collection. A watch from it delivers exactly the changes made afterwards. */
  readonly revision: number;
  /** In order of their keys. */
  readonly items: readonly CachedObject[];
  /** Present when there is more. */
  readonly continueToken?: string;
  /** How many items follow this chunk. Absent if nothing follows, and with selectors. */
  readonly remaining?: number;
}
