import type {ApiObject, ObjectCache, ResourceRef} from '../../../sdk/index.js';
import {CacheInformer, type CacheInformerOptions, done, splitObjectKey, type WorkResult} from '../../../sdk/controllers/index.js';
import {namespaced} from '../../../sdk/types/resource-handle.js';
import {KeyLoop, type KeyLoopOptions, type KeyLoopParts} from '../queues/key-loop.js';
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
export interface WorkloadParts extends KeyLoopParts {
  readonly cache: ObjectCache;
}

export interface WorkloadLoopOptions<W extends ApiObject, K extends KnownWorkload> extends Pick<
  KeyLoopOptions,
  'component' | 'queue' | 'retries'
> {
  readonly type: WorkloadType;
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
export class WorkloadLoop<W extends ApiObject, K extends KnownWorkload = KnownWorkload> extends KeyLoop {
  /** What has been done for workloads and is not seen in the cache yet. */
  readonly expectations: Expectations;
  readonly #workloads: CacheInformer<W>;
  /** By namespace, then by key. */
  readonly #known = new Map<string, Map<string, K>>();
  readonly #options: WorkloadLoopOptions<W, K>;

  constructor({cache, ...parts}: WorkloadParts, options: WorkloadLoopOptions<W, K>) {
    const {type, component, queue, retries} = options;
    super(parts, {
      component,
      queue,
      ...(retries ? {retries} : {}),
      failure: `a ${type.kind} could not be brought in order`,
      reconcile: (key) => this.#reconcile(key),
    });
    this.#options = options;
    this.expectations = new Expectations(this.clock);
    const {group, version, resource} = type.ref;
    this.#workloads = new CacheInformer(cache, namespaced<W>(group, version, resource, type.kind), {
      ...(options.metadataIndexes ? {metadataIndexes: options.metadataIndexes} : {}),
      changed: (key) => this.#look(key),
      deleted: (key) => this.#gone(key),
      failed: this.failed,
    });
  }

  override start(signal: AbortSignal): Promise<void> {
    return super.start(signal, this.#workloads);
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
    const workload = await this.read(key);
    return workload ? this.#options.reconcile(key, workload) : done;
  }
}
