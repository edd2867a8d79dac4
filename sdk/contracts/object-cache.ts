import type {ApiObject} from '../objects/api-object.js';
import type {ObjectMeta} from '../objects/object-meta.js';
import type {ChangeBounds, ObjectChanges} from './object-changes.js';
import type {ResourceRef} from './resource-client.js';

/** An object as the server's cache has it. Nothing is copied: nobody may change what it answers, or keep it longer than needed. */
export interface ObjectInCache {
  /** `NAMESPACE/NAME`, or `NAME` in no namespace. */
  readonly key: string;
  /** Empty for a cluster-scoped type. */
  readonly namespace: string;
  readonly name: string;
  /**
   * Whether it may have owners or be under deletion, which most objects do not: a look that costs nearly nothing, before `metadata`.
   * Always true of those that have or are.
   */
  readonly mayBeOwnedOrDeleted: boolean;
  /** The object's metadata. Parses the object unless it was used just now. */
  metadata(): Readonly<ObjectMeta>;
  /** Its labels. They are kept: the object is parsed once for all who ask. */
  labels(): Readonly<Record<string, string>> | undefined;
}

/**
 * What takes the objects of a type as they change. Called while the change is applied, before anybody else learns of it, so it has to be
 * quick: put names into a queue.
 */
export interface CacheFollower {
  /** An object that is there: from the beginning, or added or changed since, then with the state before. */
  changed(object: ObjectInCache, previous?: ObjectInCache): void;
  /** An object that is gone, in its last state. */
  deleted(object: ObjectInCache): void;
  /** Every object that existed at the beginning has been reported. */
  listed(): void;
  /**
   * The history was lost: all objects are reported again, then `listed`. An object that is not reported again has been deleted.
   *
   * @param known all objects as they were until now; some of them may not have been reported yet
   */
  reset(known: Iterable<ObjectInCache>): void;
  /** The type is no longer served, or the server stops: nothing follows. @param known as of `reset` */
  ended(known: Iterable<ObjectInCache>): void;
}

/**
 * The objects of this server as it keeps them in memory, for code that looks at many and needs little of each. Following a type has the
 * server keep it in memory. Objects that cannot be read are left out. What is here is as new as the server's copy of the store; `ResourceClient` reads what is true now.
 */
export interface ObjectCache {
  /** Follows a type until `signal` fires. @throws StatusError 404 if the type is not served or stores nothing */
  follow(ref: ResourceRef, follower: CacheFollower, signal: AbortSignal): void;
  /** An object, if the cache has it. */
  find(ref: ResourceRef, namespace: string, name: string): ObjectInCache | undefined;
  /** All objects that the cache has now, of one namespace or (empty) of all, in the order of their keys. None before the type is followed. */
  list(ref: ResourceRef, namespace: string): Iterable<ObjectInCache>;
  /** How many objects of a type there are, those that cannot be read included; undefined while the cache does not have them all. */
  count(ref: ResourceRef): number | undefined;
  /**
   * The whole object in the version of `ref`, not copied. It is parsed, unless it was used just now; where a webhook converts it, that may
   * have to be asked first.
   *
   * @throws StatusError 404 if the type is not served or stores nothing, 500 if it cannot be converted
   */
  read(ref: ResourceRef, object: ObjectInCache): Readonly<ApiObject> | Promise<Readonly<ApiObject>>;
  /**
   * Has the server keep the type in memory, and resolves once the cache has all of its objects with every change that was made before this call.
   *
   * @throws StatusError 404 if the type is not served or stores nothing, 503 if the store cannot be asked
   */
  caughtUp(ref: ResourceRef): Promise<void>;
  /**
   * The versions that an object had lately, also if it is gone. What a watch from an old version would show, at once.
   *
   * @throws as `caughtUp`, and 500 if versions cannot be converted
   */
  changes(ref: ResourceRef, namespace: string, name: string, bounds: ChangeBounds): Promise<ObjectChanges>;
  /** Calls whenever types were added, removed or changed. Answers what ends that. */
  onTypesChanged(call: () => void): () => void;
}
