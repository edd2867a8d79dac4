import type {Clock} from '../contracts/clock.js';
import type {ListOptions, ResourceClient, ResourceRef} from '../contracts/resource-client.js';
import {StatusError} from '../errors/status-error.js';
import type {ApiObject} from '../objects/api-object.js';
import type {Status} from '../objects/status.js';
import {objectKey, splitObjectKey} from './object-keys.js';
import {Backoff} from '../values/backoff.js';

/** Receives a list and its changes. */
export interface ObjectFollower {
  /**
   * All existing objects; each of them has been passed to `changed`, and what is no longer there to `deleted`. Called again if the history was
   * lost. Changes wait until the returned promise resolves.
   */
  listed?(objects: readonly ApiObject[]): void | Promise<void>;
  /**
   * An existing object: from the list, or added or changed since. May be called again for the same state. Further objects wait until the
   * returned promise resolves.
   */
  changed(object: ApiObject): void | Promise<void>;
  /**
   * A deleted object, in its last state; once for each deletion of an object that `changed` has had, unless it came again with the same name.
   *
   * @param missed it went while the history was lost: no more is known of it than name, namespace and uid
   */
  deleted?(object: ApiObject, missed: boolean): void;
  /** Listing or watching failed; it is retried after a delay. */
  failed(error: unknown): void;
}

export interface FollowOptions {
  /** The first list comes from the server's cache; the watch reports changes since then. */
  readonly startFromCache?: boolean;
  /** Objects that exist at the start are not reported: `listed` is called with none, and only later changes follow. */
  readonly changesOnly?: boolean;
  /** Only objects that it matches. */
  readonly fieldSelector?: string;
}

/** What of a client is needed to follow objects. */
export type ObjectSource = Pick<ResourceClient, 'list' | 'watch' | 'clock'>;

/** Delay before a watch that ended is resumed. */
const pauseMillis = 100;

/**
 * Reports every object of a type, every change and every deletion until `signal` fires: lists, then watches from there. A watch that ends
 * is resumed where it was; if its history is gone, it starts over with a list.
 */
export async function followObjects(
  resources: ObjectSource,
  ref: ResourceRef,
  follower: ObjectFollower,
  signal: AbortSignal,
  options: FollowOptions = {},
): Promise<void> {
  let {startFromCache = false} = options;
  const {changesOnly = false} = options;
  const {clock = wakefulClock} = resources;
  const selection = options.fieldSelector === undefined ? {} : {fieldSelector: options.fieldSelector};
  let version: string | undefined;
  const known = new KnownObjects();
  const backoff = new Backoff({initialMillis: pauseMillis, maximumMillis: 10_000});
  while (!signal.aborted) {
    try {
      const cached = startFromCache ? {resourceVersion: '0'} : {};
      version ??= changesOnly
        ? await begin(resources, ref, follower, {...selection, ...cached, limit: 1})
        : await list(resources, ref, follower, {...selection, ...cached}, known);
      startFromCache = false;
      for await (const event of resources.watch(ref, '', {...selection, resourceVersion: version, signal})) {
        if (event.type === 'ERROR') throw errorOf(event.object as unknown as Status);
        version = event.object.metadata.resourceVersion ?? version;
        backoff.reset();
        if (event.type === 'DELETED') {
          known.remove(event.object);
          follower.deleted?.(event.object, false);
        } else if (event.type !== 'BOOKMARK') {
          if (!changesOnly && follower.deleted) known.add(event.object);
          await follower.changed(event.object);
        }
      }
      await wait(clock, pauseMillis, signal);
    } catch (error) {
      if (signal.aborted) return;
      version = undefined;
      if (!StatusError.is(error) || error.code !== 410) follower.failed(error);
      await wait(clock, backoff.next(), signal);
    }
  }
}

async function list(
  resources: ObjectSource,
  ref: ResourceRef,
  follower: ObjectFollower,
  options: ListOptions,
  known: KnownObjects,
): Promise<string> {
  const {items, metadata} = await resources.list(ref, '', options);
  for (const object of items) await follower.changed(object);
  if (follower.deleted) for (const object of known.replace(items)) follower.deleted(object, true);
  const takenIn = follower.listed?.(items);
  if (takenIn) await takenIn;
  return metadata.resourceVersion ?? '';
}

/** Which objects a follower has had: a list tells which of them are gone. */
class KnownObjects {
  #uids = new Map<string, string | undefined>();

  add(object: ApiObject): void {
    this.#uids.set(objectKey(object), object.metadata.uid);
  }

  remove(object: ApiObject): void {
    this.#uids.delete(objectKey(object));
  }

  /** Knows these from now on. Answers the others, of which nothing but name, namespace and uid is known. */
  replace(objects: readonly ApiObject[]): ApiObject[] {
    const before = this.#uids;
    this.#uids = new Map();
    for (const object of objects) this.add(object);
    return [...before].flatMap(([key, uid]) => {
      if (this.#uids.has(key)) return [];
      const [namespace, name] = splitObjectKey(key);
      return [{metadata: {name, ...(namespace === '' ? {} : {namespace}), ...(uid === undefined ? {} : {uid})}}];
    });
  }
}

/** Determines the version after which changes are reported. */
async function begin(resources: ObjectSource, ref: ResourceRef, follower: ObjectFollower, options: ListOptions): Promise<string> {
  const {metadata} = await resources.list(ref, '', options);
  await follower.listed?.([]);
  return metadata.resourceVersion ?? '';
}

function errorOf(status: Status): StatusError {
  return new StatusError(status.code ?? 500, status.reason ?? 'Unknown', status.message ?? 'the watch failed');
}

/** For programs of their own: nothing but this pause may keep one alive. */
const wakefulClock: Pick<Clock, 'after'> = {
  after: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Resolves after the time, or immediately when the signal fires. */
function wait(clock: Pick<Clock, 'after'>, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const callOff = clock.after(milliseconds, () => {
      signal.removeEventListener('abort', end);
      resolve();
    });
    const end = (): void => {
      callOff();
      resolve();
    };
    signal.addEventListener('abort', end, {once: true});
  });
}
