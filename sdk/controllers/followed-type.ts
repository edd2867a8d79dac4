import type {ResourceRef} from '../contracts/resource-client.js';
import type {ApiObject} from '../objects/api-object.js';
import type {FollowOptions} from './follow-objects.js';

/** A type whose objects determine what must be reconciled. */
export interface FollowedType extends FollowOptions {
  readonly ref: ResourceRef;
  /** Keys to reconcile because an object exists or has changed. By default: the key of the object itself. */
  readonly changed?: (object: ApiObject) => Iterable<string>;
  /** Keys to reconcile because an object was deleted. By default: the same as for a change. */
  readonly deleted?: (object: ApiObject) => Iterable<string>;
  /** `changed` and `deleted` need no more than metadata: they get objects that have nothing else. Spares the server parsing them. Only with `cache`. */
  readonly metadataOnly?: boolean;
  /** Keys to reconcile because changes may have been missed; also called after the first list. By default: none. */
  readonly listed?: () => Iterable<string>;
}
