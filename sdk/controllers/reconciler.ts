import type {Clock} from '../contracts/clock.js';
import type {Controller} from '../contracts/controller.js';
import type {Logger} from '../contracts/logger.js';
import type {NamingProfile} from '../contracts/naming.js';
import type {ObjectCache, ObjectInCache} from '../contracts/object-cache.js';
import {pagesOf, type ResourceClient, type ResourceRef} from '../contracts/resource-client.js';
import type {ApiObject} from '../objects/api-object.js';
import {taskOf} from '../values/cooperative-scheduler.js';
import {systemClock} from '../values/system-clock.js';
import {followCache} from './follow-cache.js';
import {followObjects, type FollowOptions} from './follow-objects.js';
import {ownKey} from './object-keys.js';
import {WorkQueue, type WorkQueueOptions, type WorkResult} from './work-queue.js';

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

/** Parts of a controller, inside or outside of the server. */
export type ControllerParts = Pick<ReconcilerOptions, 'resources' | 'naming' | 'logger'>;

export interface ReconcilerOptions {
  readonly resources: ResourceClient;
  /** Clock of pauses and `resyncMillis`; by default that of `resources`, which tests can move. */
  readonly clock?: Clock;
  readonly naming: Pick<NamingProfile, 'group'>;
  readonly logger: Logger;
  /** Types to follow from the start; others can be added later. */
  readonly types: readonly FollowedType[];
  /**
   * The server's cache (`Tokens.ObjectCache`): types are followed there, without requests. The objects that `changed` and `deleted` get are the
   * cache's own and must not be changed. Types with a selector are still followed through `resources`.
   */
  readonly cache?: ObjectCache;
  /** How often the keys of all objects are queued again, up to a tenth later; never by default. */
  readonly resyncMillis?: number;
  /** Number of keys that are reconciled concurrently. */
  readonly concurrency: number;
  /** Pauses after failures, and a limit to how many keys are begun; see `WorkQueueOptions`. */
  readonly retries?: WorkQueueOptions['retries'];
  readonly rate?: WorkQueueOptions['rate'];
  /** The metrics and name of the queue; without them it is not counted. */
  readonly figures?: WorkQueueOptions['figures'];
  /** Brings the object of a key a step closer to its desired state. If it throws, it is retried after a growing delay. */
  reconcile(key: string): Promise<WorkResult>;
}

/**
 * The loop of a controller, or the controller itself for a class that extends it: follows types, maps their objects to keys, and reconciles
 * each key at most once at a time. Types that are not served are not followed.
 */
export class Reconciler implements Controller {
  readonly #options: ReconcilerOptions;
  readonly #queue: WorkQueue;
  readonly #following = new Map<string, Promise<void>>();
  readonly #types: FollowedType[] = [];
  readonly #clock: Clock;
  #callOffResync: () => void = () => undefined;
  #resyncing: Promise<void> = Promise.resolve();
  #signal: AbortSignal | undefined;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? options.resources.clock ?? systemClock;
    this.#queue = new WorkQueue((key) => options.reconcile(key), {
      clock: this.#clock,
      scheduler: options.resources.scheduler,
      concurrency: options.concurrency,
      ...(options.figures ? {figures: options.figures} : {}),
      ...(options.retries ? {retries: options.retries} : {}),
      ...(options.rate ? {rate: options.rate} : {}),
      onError: (key, error) => options.logger.warn({key, err: error}, 'an object could not be reconciled; retrying'),
    });
  }

  /** Follows the types until the signal fires. */
  start(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    for (const type of this.#options.types) this.follow(type);
    this.#resyncLater();
    return Promise.resolve();
  }

  /** Follows another type; no effect if it is followed already or not served. For types that matter only once something else exists. */
  follow(type: FollowedType): void {
    const {resources, naming, logger} = this.#options;
    const {ref} = type;
    const name = `${ref.resource}.${ref.group}`;
    if (!this.#signal || this.#signal.aborted || this.#following.has(name) || !isServed(resources, naming, ref)) return;
    this.#types.push(type);
    const {cache} = this.#options;
    if (cache && type.fieldSelector === undefined) {
      this.#following.set(name, Promise.resolve());
      return followCachedType(cache, type, {add: (keys) => this.#addAll(keys), logger, name}, this.#signal);
    }
    const changed = type.changed ?? ownKey;
    const deleted = type.deleted ?? changed;
    const follower = {
      listed: () => this.#addAll(type.listed?.() ?? []),
      changed: (object: ApiObject) => this.#addAll(changed(object)),
      // Of a missed one too little is known for a function that looks at more than its key; `listed` is there for these.
      deleted: (object: ApiObject, missed: boolean) => {
        if (!missed || deleted === ownKey) this.#addAll(deleted(object));
      },
      failed: (error: unknown) => logger.warn({resource: name, err: error}, 'objects cannot be watched; retrying'),
    };
    this.#following.set(name, followObjects(resources, ref, follower, this.#signal, type));
  }

  /** Queues a key. */
  add(key: string): void {
    this.#queue.add(key);
  }

  /** Resolves when no work is left; the signal must have fired. */
  async stop(): Promise<void> {
    this.#callOffResync();
    await this.#queue.close();
    await this.#resyncing;
    await Promise.all(this.#following.values());
  }

  #resyncLater(): void {
    const {resyncMillis = 0} = this.#options;
    if (resyncMillis <= 0 || this.#signal?.aborted) return;
    // Not all controllers at once.
    this.#callOffResync = this.#clock.after(resyncMillis * (1 + Math.random() / 10), () => {
      this.#resyncing = this.#resync().finally(() => this.#resyncLater());
    });
  }

  async #resync(): Promise<void> {
    const {resources, cache, logger} = this.#options;
    for (const type of this.#types) {
      try {
        for await (const object of everyObject(resources, cache, type)) {
          if (this.#signal?.aborted) return;
          this.#addAll((type.changed ?? ownKey)(object));
        }
      } catch (error) {
        logger.warn({resource: type.ref.resource, err: error}, 'objects cannot be looked through again; it is tried at the next resync');
      }
    }
  }

  #addAll(keys: Iterable<string>): void {
    for (const key of keys) this.#queue.add(key);
  }
}

/** Served types have the names of the profile. */
function isServed(resources: ResourceClient, naming: ReconcilerOptions['naming'], ref: ResourceRef): boolean {
  const wanted = naming.group(ref.group);
  return resources
    .resources()
    .some(({group, version, resource}) => group === wanted && version === ref.version && resource === ref.resource);
}

interface KeyTaker {
  add(keys: Iterable<string>): void;
  readonly logger: Logger;
  /** Of the type, for the log. */
  readonly name: string;
}

/** Follows a type of a `Reconciler` in the server's cache. */
function followCachedType(cache: ObjectCache, type: FollowedType, {add, logger, name}: KeyTaker, signal: AbortSignal): void {
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
async function* everyObject(resources: ResourceClient, cache: ObjectCache | undefined, type: FollowedType): AsyncGenerator<ApiObject> {
  const {ref, fieldSelector} = type;
  if (cache && fieldSelector === undefined) {
    const task = taskOf(resources, 'background', `objects of ${ref.resource}`);
    for (const object of cache.list(ref, '')) {
      yield await shown(cache, type, object);
      await task.yieldIfDue();
    }
    return;
  }
  for await (const {items} of pagesOf(resources, ref, '', fieldSelector === undefined ? {} : {fieldSelector})) yield* items;
}

function shown(cache: ObjectCache, {ref, metadataOnly}: FollowedType, object: ObjectInCache): ApiObject | Promise<ApiObject> {
  return metadataOnly ? {metadata: object.metadata()} : cache.read(ref, object);
}
