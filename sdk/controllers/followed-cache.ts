import type {Logger} from '../contracts/logger.js';
import type {ObjectCache, ObjectInCache} from '../contracts/object-cache.js';
import type {ResourceClient} from '../contracts/resource-client.js';
import type {ApiObject} from '../objects/api-object.js';
import {pagesOf} from '../objects/pages-of.js';
import {taskOf} from '../values/cooperative-scheduler.js';
import {followCache} from './follow-cache.js';
import {ownKey} from './object-keys.js';
import type {FollowedType} from './followed-type.js';

interface Follower {
  add(keys: Iterable<string>): void;
  readonly logger: Logger;
  /** Of the type, for the log. */
  readonly name: string;
}

/** Follows a type of a `Reconciler` in the server's cache. */
export function followCachedType(cache: ObjectCache, type: FollowedType, follower: Follower, signal: AbortSignal): void {
  const {add, logger, name} = follower;
  const changed = type.changed ?? ownKey;
  const deleted = type.deleted ?? changed;
  let isBeginning = true;
  const take = (object: ObjectInCache, keysOf: (object: ApiObject) => Iterable<string>): void => {
    const failed = (err: unknown) => logger.warn({resource: name, key: object.key, err}, 'an object cannot be looked at');
    try {
      const read = shown(cache, type, object);
      if (read instanceof Promise) read.then((converted) => add(keysOf(converted))).catch(failed);
      else add(keysOf(read));
    } catch (error) {
      failed(error);
    }
  };
  followCache(
    cache,
    type.ref,
    {
      changed: (object, previous) => {
        if (!isBeginning || previous || !type.changesOnly) take(object, changed);
      },
      deleted: (object) => take(object, deleted),
      listed: () => {
        isBeginning = false;
        add(type.listed?.() ?? []);
      },
      reset: () => void (isBeginning = true),
      ended: () => void (isBeginning = true),
    },
    signal,
  );
}

/** Every object of a type: from the server's cache if there is one, else page by page. */
export async function* everyObject(
  resources: ResourceClient,
  cache: ObjectCache | undefined,
  type: FollowedType,
): AsyncGenerator<ApiObject> {
  const {ref, fieldSelector} = type;
  if (cache && fieldSelector === undefined) {
    const task = taskOf(resources, 'background', `objects of ${ref.resource}`);
    for (const object of cache.list(ref, '')) {
      yield await shown(cache, type, object);
      const turn = task.yieldIfDue();
      if (turn) await turn;
    }
    return;
  }
  for await (const {items} of pagesOf(resources, ref, '', fieldSelector === undefined ? {} : {fieldSelector})) yield* items;
}

function shown(cache: ObjectCache, {ref, metadataOnly}: FollowedType, object: ObjectInCache): ApiObject | Promise<ApiObject> {
  return metadataOnly ? {metadata: object.metadata()} : cache.read(ref, object);
}
