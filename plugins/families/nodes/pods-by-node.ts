import type {ApiObject, ObjectCache} from '../../../sdk/index.js';
import {CacheInformer, splitObjectKey} from '../../../sdk/controllers/index.js';
import {namespaced} from '../../../sdk/types/resource-handle.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';

const podType = namespaced<Pod & ApiObject>('', 'v1', 'pods', 'Pod');

export interface PodsByNodeOptions {
  readonly cache: ObjectCache;
  /** A pod with a node is there, or has changed. Called while the change is applied. */
  readonly changed?: (key: string, pod: Pod) => void;
  readonly deleted?: (key: string) => void;
  /** An object cannot be read. */
  readonly failed: (key: string, error: unknown) => void;
}

/** The pods of each node, in the server's cache: of each no more than its key is kept. */
export class PodsByNode {
  readonly #informer: CacheInformer<Pod & ApiObject>;

  constructor({cache, changed, deleted, failed}: PodsByNodeOptions) {
    this.#informer = new CacheInformer(cache, podType, {
      indexes: {node: ({spec}) => [spec?.nodeName ?? ''].filter(Boolean)},
      ...(changed ? {changed: (key: string) => void this.#report(key, changed).catch((error: unknown) => failed(key, error))} : {}),
      ...(deleted ? {deleted} : {}),
      failed,
    });
  }

  /** Follows pods until the signal fires. Resolves when all that exist are known. */
  start(signal: AbortSignal): Promise<void> {
    return this.#informer.start(signal);
  }

  /** A pod by its key; shared, not to be changed. */
  async get(key: string): Promise<Pod | undefined> {
    const [namespace, name] = splitObjectKey(key);
    return this.#informer.get(name, namespace) as Pod | undefined | Promise<Pod>;
  }

  /** The pods of a node; shared, not to be changed. */
  async on(nodeName: string): Promise<Pod[]> {
    const pods = await Promise.all(this.keysOn(nodeName).map((key) => this.get(key)));
    return pods.filter((pod) => pod !== undefined);
  }

  /** Keys of the pods of a node. */
  keysOn(nodeName: string): string[] {
    return this.#informer.by('node', nodeName);
  }

  async #report(key: string, changed: (key: string, pod: Pod) => void): Promise<void> {
    const [namespace, name] = splitObjectKey(key);
    const found = this.#informer.get(name, namespace);
    // Nobody converts pods: there is nothing to wait for.
    const pod = (found instanceof Promise ? await found : found) as Pod | undefined;
    if (pod?.spec?.nodeName) changed(key, pod);
  }
}
