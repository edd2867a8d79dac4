import {isNotFound, StatusError, type ApiObject, type Logger, type ResourceClient, type ResourceRef} from '../../../sdk/index.js';
import {followObjects, WorkQueue, type WorkResult} from '../../../sdk/controllers/index.js';

export interface FinalizerKeeperOptions {
  readonly resources: ResourceClient;
  readonly logger: Logger;
  readonly ref: ResourceRef;
  /** Stands for this controller. */
  readonly finalizer: string;
  /** Whether an object that is being deleted is still needed. */
  isUsed(object: ApiObject): boolean | Promise<boolean>;
  /** When one that is used is looked at again, in milliseconds, by how long it has been waited for. Undefined: when it changes. */
  readonly pauseAfter?: (waitedMillis: number) => number;
}

const done: WorkResult = {done: true};

/**
 * Keeps a finalizer on all objects of a type, and takes it away from those that are being deleted and are not used. Several servers may do
 * so at the same time: a conflict only means another look.
 */
export class FinalizerKeeper {
  readonly #options: FinalizerKeeperOptions;
  readonly #queue: WorkQueue;
  /** When a used object was first seen being deleted, by `performance.now()`. */
  readonly #waitingSince = new Map<string, number>();
  #following: Promise<void> | undefined;

  constructor(options: FinalizerKeeperOptions) {
    this.#options = options;
    const {logger, ref} = options;
    this.#queue = new WorkQueue((key) => this.#sync(key), {
      concurrency: 4,
      onError: (key, error) =>
        logger.warn({[ref.resource]: key, err: error}, 'protecting storage that is in use failed; it is tried again'),
    });
  }

  start(signal: AbortSignal): void {
    const {resources, ref, logger} = this.#options;
    this.#following = followObjects(
      resources,
      ref,
      {
        changed: (object) => {
          if (this.#needsWork(object)) this.#queue.add(keyOf(object));
        },
        deleted: (object) => void this.#waitingSince.delete(keyOf(object)),
        failed: (error) => logger.warn({resource: ref.resource, err: error}, 'following failed; it is tried again'),
      },
      signal,
      {startFromCache: true},
    );
  }

  async stop(): Promise<void> {
    await this.#queue.close();
    await this.#following;
  }

  /** One that is being deleted and has the finalizer, or one that stays and lacks it. */
  #needsWork({metadata}: ApiObject): boolean {
    return Boolean(metadata.deletionTimestamp) === (metadata.finalizers ?? []).includes(this.#options.finalizer);
  }

  async #sync(key: string): Promise<WorkResult> {
    const [namespace, name] = key.split('/') as [string, string];
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
      if (StatusError.is(error) && error.reason === 'Conflict') return {again: 0};
      throw error;
    }
  }
}

function keyOf({metadata}: ApiObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
