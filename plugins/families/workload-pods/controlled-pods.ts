import type {ApiObject, ObjectCache} from '../../../sdk/index.js';
import {CacheInformer, splitObjectKey} from '../../../sdk/controllers/index.js';
import {namespaced} from '../../../sdk/types/resource-handle.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';
import {controllerOf} from './controller-reference.js';

const pods = namespaced<Pod & ApiObject>('', 'v1', 'pods', 'Pod');

/** A pod, with what is kept of it. */
export interface KeptPod<T> {
  /** `NAMESPACE/NAME`. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The object that controls it; undefined for an orphan. */
  readonly controller: {readonly name: string; readonly uid: string} | undefined;
  /** Whether it is being deleted. */
  readonly isDeleted: boolean;
  readonly summary: T;
}

export interface ControlledPodsOptions<T> {
  readonly cache: ObjectCache;
  /** Kind of the controlling objects. Pods that others control are not kept. */
  readonly kind: string;
  readonly summarize: (pod: Pod) => T;
  /**
   * A pod has come, changed or gone, as far as it was or is kept. Called while the change is applied: put keys into a queue.
   *
   * @param pod undefined if it is gone, or others control it now
   * @param before undefined if it was not kept
   */
  readonly changed: (pod: KeptPod<T> | undefined, before: KeptPod<T> | undefined) => void;
  /** A pod cannot be read. It is not kept. */
  readonly failed: (key: string, error: unknown) => void;
}

/**
 * The pods that the objects of a kind control, and those that nobody controls, in the server's cache: of each only a summary is kept, so that looking at the pods of an object
 * parses none of them.
 */
export class ControlledPods<T> {
  readonly #kept = new Map<string, KeptPod<T>>();
  /** The same by the uid of the controller, of orphans by namespace; then by key. */
  readonly #groups = new Map<string, Map<string, KeptPod<T>>>();
  readonly #informer: CacheInformer<Pod & ApiObject>;
  readonly #options: ControlledPodsOptions<T>;

  constructor(options: ControlledPodsOptions<T>) {
    this.#options = options;
    this.#informer = new CacheInformer(options.cache, pods, {
      changed: (key) => this.#look(key),
      deleted: (key) => this.#put(key, undefined),
      failed: options.failed,
    });
  }

  /** Follows pods until the signal fires. Resolves when all that exist are known. */
  start(signal: AbortSignal): Promise<void> {
    return this.#informer.start(signal);
  }

  /** One that is kept, by its key. */
  get(key: string): KeptPod<T> | undefined {
    return this.#kept.get(key);
  }

  /** Those that the object with a uid controls. */
  controlledBy(uid: string): KeptPod<T>[] {
    return this.#group(uid);
  }

  /** Those of a namespace that nobody controls. */
  orphans(namespace: string): KeptPod<T>[] {
    return this.#group(`${namespace}/`);
  }

  #group(group: string): KeptPod<T>[] {
    return [...(this.#groups.get(group)?.values() ?? [])];
  }

  #look(key: string): void {
    const [namespace, name] = splitObjectKey(key);
    const failed = (error: unknown): void => {
      this.#put(key, undefined);
      this.#options.failed(key, error);
    };
    try {
      const pod = this.#informer.get(name, namespace);
      // Nobody converts pods: there is nothing to wait for.
      if (pod instanceof Promise) pod.then((read) => this.#put(key, this.#summary(key, read as Pod)), failed);
      else this.#put(key, pod && this.#summary(key, pod as Pod));
    } catch (error) {
      failed(error);
    }
  }

  #summary(key: string, pod: Pod): KeptPod<T> | undefined {
    const {kind, summarize} = this.#options;
    const controller = controllerOf(pod);
    if (controller && controller.kind !== kind) return undefined;
    const {name = '', namespace = '', uid = '', labels = {}, deletionTimestamp} = pod.metadata;
    return {
      key,
      namespace,
      name,
      uid,
      labels: labels as Record<string, string>,
      controller: controller && this.#controller(controller),
      isDeleted: Boolean(deletionTimestamp),
      summary: summarize(pod),
    };
  }

  /** One for all pods of an object. */
  #controller({name, uid}: {readonly name: string; readonly uid: string}): KeptPod<T>['controller'] {
    const [first] = this.#groups.get(uid)?.values() ?? [];
    const known = first?.controller;
    return known?.name === name ? known : {name, uid};
  }

  #put(key: string, pod: KeptPod<T> | undefined): void {
    const before = this.#kept.get(key);
    if (!pod && !before) return;
    if (before) this.#leave(before);
    if (pod) {
      this.#kept.set(key, pod);
      const group = groupOf(pod);
      const others = this.#groups.get(group);
      if (others) others.set(key, pod);
      else this.#groups.set(group, new Map([[key, pod]]));
    }
    this.#options.changed(pod, before);
  }

  #leave(pod: KeptPod<T>): void {
    this.#kept.delete(pod.key);
    const group = groupOf(pod);
    const others = this.#groups.get(group);
    others?.delete(pod.key);
    if (others?.size === 0) this.#groups.delete(group);
  }
}

function groupOf({controller, namespace}: KeptPod<unknown>): string {
  return controller?.uid ?? `${namespace}/`;
}
