import type {ApiObject, ObjectCache} from '../../../sdk/index.js';
import {CacheInformer, splitObjectKey} from '../../../sdk/controllers/index.js';
import {labelsMatch} from '../../../sdk/labels/index.js';
import {namespaced} from '../../../sdk/types/resource-handle.js';
import type {Pod, Service} from '../../../sdk/types/unchecked/core/v1.js';
import {endpointPod, type EndpointPod, type PodForm} from './endpoint-pod.js';
import {PodsByForm} from './pods-by-form.js';

const serviceType = namespaced<Service & ApiObject>('', 'v1', 'services', 'Service');
const podType = namespaced<Pod & ApiObject>('', 'v1', 'pods', 'Pod');

export interface ServiceBackendsOptions {
  readonly cache: ObjectCache;
  /** The key of a service whose endpoints may have to change, or that is gone. Called while changes are applied: put it into a queue. */
  readonly changed: (key: string) => void;
  /** An object cannot be read. */
  readonly failed: (key: string, error: unknown) => void;
}

/** Services and the pods that they select, in the server's cache. Pods are followed from the first service on that selects any. */
export class ServiceBackends {
  readonly #services: CacheInformer<Service & ApiObject>;
  readonly #informer: CacheInformer<Pod & ApiObject>;
  readonly #pods = new PodsByForm();
  /** Selectors by namespace, then by key. */
  readonly #selectors = new Map<string, Map<string, Readonly<Record<string, string>>>>();
  readonly #options: ServiceBackendsOptions;
  #signal: AbortSignal | undefined;
  #podsListed: Promise<void> | undefined;

  constructor(options: ServiceBackendsOptions) {
    const {cache, failed} = options;
    this.#options = options;
    this.#services = new CacheInformer(cache, serviceType, {
      changed: (key) => void this.#serviceChanged(key).catch((error: unknown) => failed(key, error)),
      deleted: (key) => this.#serviceGone(key),
      failed,
    });
    this.#informer = new CacheInformer(cache, podType, {
      changed: (key) => void this.#podChanged(key).catch((error: unknown) => failed(key, error)),
      deleted: (key) => this.#notice(key, this.#pods.put(key, undefined)),
      failed,
    });
  }

  /** Follows both until the signal fires. Resolves when all services that exist are known. */
  start(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    return this.#services.start(signal);
  }

  /** A service by its key; shared, not to be changed. If it selects pods, all of them are known when this resolves. */
  async service(key: string): Promise<Service | undefined> {
    const found = await this.#read(key);
    if (!selectorOf(found?.spec)) return found;
    await (this.#podsListed ??= this.#informer.start(this.#signal!));
    // It may have changed meanwhile.
    return this.#read(key);
  }

  /** The pods that a service selects; none for one without a selector. Only of one that `service` has answered. */
  podsOf({metadata, spec}: Service): EndpointPod[] {
    const selector = selectorOf(spec);
    return selector ? this.#pods.selected(metadata.namespace ?? '', (labels) => labelsMatch(selector, labels)) : [];
  }

  #read(key: string): Service | undefined | Promise<Service> {
    const [namespace, name] = splitObjectKey(key);
    return this.#services.get(name, namespace) as Service | undefined | Promise<Service>;
  }

  async #serviceChanged(key: string): Promise<void> {
    const [namespace] = splitObjectKey(key);
    const service = await this.service(key);
    const selector = selectorOf(service?.spec);
    if (selector) {
      const others = this.#selectors.get(namespace);
      if (others) others.set(key, selector);
      else this.#selectors.set(namespace, new Map([[key, selector]]));
    } else {
      this.#forget(namespace, key);
    }
    this.#options.changed(key);
  }

  #serviceGone(key: string): void {
    this.#forget(splitObjectKey(key)[0], key);
    this.#options.changed(key);
  }

  #forget(namespace: string, key: string): void {
    const others = this.#selectors.get(namespace);
    others?.delete(key);
    if (others?.size === 0) this.#selectors.delete(namespace);
  }

  async #podChanged(key: string): Promise<void> {
    const [namespace, name] = splitObjectKey(key);
    const found = this.#informer.get(name, namespace);
    // Nobody converts pods: there is nothing to wait for, and the order of changes is kept.
    const pod = found instanceof Promise ? await found : found;
    this.#notice(key, this.#pods.put(key, pod && endpointPod(pod as Pod)));
  }

  #notice(key: string, forms: readonly PodForm[]): void {
    if (forms.length === 0) return;
    const [namespace] = splitObjectKey(key);
    for (const [service, selector] of this.#selectors.get(namespace) ?? [])
      if (forms.some(({labels}) => labelsMatch(selector, labels))) this.#options.changed(service);
  }
}

/** The selector of a service that selects pods; an empty one selects none. */
export function selectorOf(spec: Service['spec']): Readonly<Record<string, string>> | undefined {
  const selector = spec?.selector as Record<string, string> | undefined | null;
  return selector && Object.keys(selector).length > 0 && spec?.type !== 'ExternalName' ? selector : undefined;
}
