import {
  isConflict,
  isNotFound,
  type ApiObject,
  type Logger,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import {done, objectKey, Reconciler, splitObjectKey, type WorkQueueOptions, type WorkResult} from '../../../sdk/controllers/index.js';

export interface FinalizerKeeperOptions {
  readonly resources: ResourceClient;
  readonly naming: NamingProfile;
  readonly logger: Logger;
  /** Where objects are followed; by default through `resources`. */
  readonly cache?: ObjectCache;
  /** Where its queue is counted. */
  readonly figures: NonNullable<WorkQueueOptions['figures']>;
  readonly ref: ResourceRef;
  /** Stands for this controller. */
  readonly finalizer: string;
  /** Whether an object that is being deleted is still needed. */
  isUsed(object: ApiObject): boolean | Promise<boolean>;
  /** Milliseconds until a used object is checked again, depending on how long it has waited. Undefined: when it changes. */
  readonly pauseAfter?: (waitedMillis: number) => number;
}

/**
 * Keeps a finalizer on all objects of a type, and removes it from those that are being deleted and not in use. Several servers may do this
 * at the same time: a conflict only causes another check.
 */
export abstract class FinalizerKeeper extends Reconciler {
  readonly #options: FinalizerKeeperOptions;
  /** When a used object was first seen being deleted, by `performance.now()`. */
  readonly #waitingSince = new Map<string, number>();

  constructor(options: FinalizerKeeperOptions) {
    const {resources, naming, logger, cache, figures, ref} = options;
    super({
      resources,
      ...(cache && {cache}),
      naming,
      logger,
      figures,
      concurrency: 4,
      types: [
        {
          ref,
          startFromCache: true,
          changed: (object) => (this.#needsWork(object) ? [objectKey(object)] : []),
          deleted: (object) => this.#forget(object),
        },
      ],
      reconcile: (key) => this.#sync(key),
    });
    this.#options = options;
  }

  #forget(object: ApiObject): string[] {
    this.#waitingSince.delete(objectKey(object));
    return [];
  }

  /** One that is being deleted and has the finalizer, or one that stays and lacks it. */
  #needsWork({metadata}: ApiObject): boolean {
    return Boolean(metadata.deletionTimestamp) === (metadata.finalizers ?? []).includes(this.#options.finalizer);
  }

  async #sync(key: string): Promise<WorkResult> {
    const [namespace, name] = splitObjectKey(key);
    const {resources, ref, finalizer, isUsed, pauseAfter} = this.#options;
    try {
      const object = await resources.get(ref, namespace, name);
      const {metadata} = object;
      if (!this.#needsWork(object)) return done;
      if (metadata.deletionTimestamp && (await isUsed(object))) {
        const since = this.#waitingSince.get(key) ?? performance.now();
        this.#waitingSince.set(key, since);
        return pauseAfter ? {again: pauseAfter(performance.now() - since)} : done;
      }
      this.#waitingSince.delete(key);
      const kept = metadata.finalizers ?? [];
      const finalizers = metadata.deletionTimestamp ? kept.filter((one) => one !== finalizer) : [...kept, finalizer];
      await resources.update(ref, namespace, {...object, metadata: {...metadata, finalizers}});
      return done;
    } catch (error) {
      if (isNotFound(error)) return done;
      if (isConflict(error)) return {again: 0};
      throw error;
    }
  }
}
