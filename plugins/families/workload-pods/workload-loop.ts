import type {ApiObject, Clock, Controller, Logger, Metrics, ObjectCache, ResourceClient, ResourceRef} from '../../../sdk/index.js';
import {
  CacheInformer,
  type CacheInformerOptions,
  done,
  EventRecorder,
  splitObjectKey,
  systemClock,
  WorkQueue,
  type WorkQueueOptions,
  type WorkResult,
} from '../../../sdk/controllers/index.js';
import {namespaced} from '../../../sdk/types/resource-handle.js';
import {Expectations} from './expectations.js';

/** A workload, as far as changes of what it owns are concerned. */
export interface KnownWorkload {
  readonly uid: string;
  /** What it would adopt; nothing for one that adopts nothing. */
  readonly selects?: (labels: Readonly<Record<string, string>>) => boolean;
}

/** The type of workloads. */
export interface WorkloadType {
  readonly ref: ResourceRef;
  /** Its group and version, as references to its objects have them. */
  readonly apiVersion: string;
  readonly kind: string;
}

/** What the server gives to a controller of workloads. */
export interface WorkloadParts {
  readonly resources: ResourceClient;
  readonly cache: ObjectCache;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** How many workloads are worked on at the same time. */
  readonly concurrency: number;
}

export interface WorkloadLoopOptions<W extends ApiObject, K extends KnownWorkload> {
  readonly type: WorkloadType;
  /** The source of its events. */
  readonly component: string;
  /** The name of its queue in metrics. */
  readonly queue: string;
  readonly retries: NonNullable<WorkQueueOptions['retries']>;
  readonly know: (workload: Readonly<W>) => K;
  /** Indexes of the workloads, as those of `CacheInformer`. */
  readonly metadataIndexes?: CacheInformerOptions<W>['metadataIndexes'];
  /** A workload has come or changed, and is looked at next unless `'later'` is answered. @param before undefined for a new one */
  readonly changed?: (key: string, known: K, before: K | undefined) => 'later' | void;
  /** A workload is gone, or another one has its name. */
  readonly gone?: (key: string, known: K) => void;
  /** Brings a workload, which must not be changed, a step closer to what it should be. Retried if it throws. */
  readonly reconcile: (key: string, workload: Readonly<W>) => Promise<WorkResult>;
}

/**
 * Follows the workloads of a type in the server's cache and works on those that change, each at most once at a time. Knows of each what decides which of them a change of something
 * else concerns.
 */
export class WorkloadLoop<W extends ApiObject, K extends KnownWorkload = KnownWorkload> implements Controller {
  readonly clock: Clock;
  readonly events: EventRecorder;
  /** What has been done for workloads and is not seen in the cache yet. */
  readonly expectations: Expectations;
  readonly #queue: WorkQueue;
  readonly #workloads: CacheInformer<W>;
  /** By namespace, then by key. */
  readonly #known = new Map<string, Map<string, K>>();
  readonly #options: WorkloadLoopOptions<W, K>;
  readonly #logger: Logger;
  #listed: Promise<unknown> = Promise.resolve();

  constructor({resources, cache, logger, metrics, concurrency}: WorkloadParts, options: WorkloadLoopOptions<W, K>) {
    this.#options = options;
    this.#logger = logger;
    const {type, component, queue, retries} = options;
    this.clock = resources.clock ?? systemClock;
    this.events = new EventRecorder({resources, logger, controller: component, form: 'core'});
    this.expectations = new Expectations(this.clock);
    this.#queue = new WorkQueue((key) => this.#reconcile(key), {
      clock: this.clock,
      scheduler: resources.scheduler,
      concurrency,
      figures: {metrics, name: queue},
      retries,
      onError: (key, err) => logger.warn({key, err}, `a ${type.kind} could not be brought in order; retrying`),
    });
    const {group, version, resource} = type.ref;
    this.#workloads = new CacheInformer(cache, namespaced<W>(group, version, resource, type.kind), {
      ...(options.metadataIndexes ? {metadataIndexes: options.metadataIndexes} : {}),
      changed: (key) => this.#look(key),
      deleted: (key) => this.#gone(key),
      failed: this.failed,
    });
  }

  start(signal: AbortSignal): Promise<void> {
    this.waitFor(this.#workloads.start(signal));
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    await this.#queue.close();
    await this.events.close();
  }

  /** No workload is worked on before this has resolved: other objects that must be known. */
  waitFor(listed: Promise<unknown>): void {
    this.#listed = Promise.all([this.#listed, listed]);
  }

  /** What was waited for. */
  get listed(): Promise<unknown> {
    return this.#listed;
  }

  /** Notes in the log that an object cannot be read. */
  readonly failed = (key: string, err: unknown): void => this.#logger.warn({key, err}, 'an object cannot be read');

  /** Has a workload be looked at. */
  add(key: string): void {
    this.#queue.add(key);
  }

  known(key: string): K | undefined {
    return this.#known.get(splitObjectKey(key)[0])?.get(key);
  }

  /** The whole workload, which must not be changed; undefined if it is gone. */
  async read(key: string): Promise<Readonly<W> | undefined> {
    const [namespace, name] = splitObjectKey(key);
    return this.#workloads.get(name, namespace);
  }

  /** Keys of the workloads with a value in an index. */
  by(index: string, value: string): string[] {
    return this.#workloads.by(index, value);
  }

  /** All workloads, by key. */
  *all(): Iterable<readonly [string, K]> {
    for (const known of this.#known.values()) yield* known;
  }

  /** The key of the workload that controls something. */
  ownerOf({namespace, controller}: {namespace: string; controller: {name: string; uid: string} | undefined}): string | undefined {
    const key = controller && `${namespace}/${controller.name}`;
    return key !== undefined && this.#known.get(namespace)?.get(key)?.uid === controller?.uid ? key : undefined;
  }

  /** Has the workload that controls something be looked at. */
  addOwner(owned: Parameters<this['ownerOf']>[0]): void {
    const key = this.ownerOf(owned);
    if (key !== undefined) this.add(key);
  }

  /** Nobody controls something with these labels: whoever would adopt it is looked at. */
  orphaned(namespace: string, labels: Readonly<Record<string, string>>): void {
    for (const [key, {selects}] of this.#known.get(namespace) ?? []) if (selects?.(labels)) this.add(key);
  }

  #look(key: string): void {
    const [namespace, name] = splitObjectKey(key);
    const failed = (error: unknown): void => this.failed(key, error);
    try {
      const workload = this.#workloads.get(name, namespace);
      if (workload instanceof Promise) workload.then((read) => this.#take(key, read), failed);
      else if (workload) this.#take(key, workload);
    } catch (error) {
      failed(error);
    }
  }

  #take(key: string, workload: Readonly<W>): void {
    const [namespace] = splitObjectKey(key);
    const known = this.#options.know(workload);
    const before = this.#known.get(namespace)?.get(key);
    const isSame = before?.uid === known.uid;
    if (before && !isSame) this.#gone(key);
    let others = this.#known.get(namespace);
    if (!others) this.#known.set(namespace, (others = new Map()));
    others.set(key, known);
    if (this.#options.changed?.(key, known, isSame ? before : undefined) !== 'later') this.add(key);
  }

  #gone(key: string): void {
    const [namespace] = splitObjectKey(key);
    const others = this.#known.get(namespace);
    const known = others?.get(key);
    others?.delete(key);
    if (others?.size === 0) this.#known.delete(namespace);
    this.expectations.forget(key);
    if (known) this.#options.gone?.(key, known);
  }

  async #reconcile(key: string): Promise<WorkResult> {
    let listed: Promise<unknown> | undefined;
    // What it waits for may have become more meanwhile.
    while (listed !== this.#listed) {
      listed = this.#listed;
      await listed;
    }
    const workload = await this.read(key);
    return workload ? this.#options.reconcile(key, workload) : done;
  }
}
