import type {CacheFollower, ObjectCache, ObjectInCache} from '../contracts/object-cache.js';
import type {ResourceRef} from '../contracts/resource-client.js';
import {isNotFound} from '../errors/outcomes.js';

/** After a type has ended, before it is looked for again: it may have been replaced. */
const pauseMillis = 100;

/**
 * Follows a type in the server's cache until `signal` fires, also when the type goes and comes again: `ended` is called each time it goes, and
 * all of its objects are reported again when it is served again.
 */
export function followCache(cache: ObjectCache, ref: ResourceRef, follower: CacheFollower, signal: AbortSignal): void {
  let isFollowing = false;
  let pause: NodeJS.Timeout | undefined;
  const begin = (): void => {
    if (isFollowing || signal.aborted) return;
    isFollowing = true;
    try {
      cache.follow(ref, {...follower, ended}, signal);
    } catch (error) {
      isFollowing = false;
      // Not served now: it is tried again when types have changed.
      if (!isNotFound(error)) throw error;
    }
  };
  const ended = (known: Iterable<ObjectInCache>): void => {
    isFollowing = false;
    follower.ended(known);
    clearTimeout(pause);
    pause = setTimeout(begin, pauseMillis).unref();
  };
  const stopListening = cache.onTypesChanged(begin);
  const end = (): void => {
    stopListening();
    clearTimeout(pause);
  };
  if (signal.aborted) return end();
  signal.addEventListener('abort', end, {once: true});
  begin();
}
