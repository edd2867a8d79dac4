import {isNotFound, type ApiObject, type Clock, type NamingProfile, type ObjectCache, type ResourceClient} from '../../../sdk/index.js';
import {CacheInformer, objectKey, splitObjectKey} from '../../../sdk/controllers/index.js';
import {namespaced} from '../../../sdk/types/resource-handle.js';
import type {EndpointSlice} from '../../../sdk/types/unchecked/discovery/v1.js';
import {OwnWrites} from './own-writes.js';

const sliceType = namespaced<EndpointSlice & ApiObject>('discovery.orch', 'v1', 'endpointslices', 'EndpointSlice');

export interface ManagedSlicesOptions {
  readonly resources: ResourceClient;
  readonly cache: ObjectCache;
  readonly clock: Clock;
  readonly naming: NamingProfile;
  /** Name of the controller, which the slices that it has made carry. */
  readonly managedBy: string;
  /** The key of a service whose slices have changed or gone. */
  readonly changed: (key: string) => void;
  readonly failed: (key: string, error: unknown) => void;
}

/** The slices that one controller keeps for services. */
export class ManagedSlices {
  readonly #informer: CacheInformer<EndpointSlice & ApiObject>;
  readonly #resources: ResourceClient;
  readonly #writes: OwnWrites;
  /** For which service a slice was, and its uid: it may have been relabelled since. */
  readonly #known = new Map<string, {readonly service: string; readonly uid: string}>();
  readonly #options: ManagedSlicesOptions;
  readonly #serviceLabel: string;
  readonly #managerLabel: string;

  constructor(options: ManagedSlicesOptions) {
    const {resources, cache, clock, naming, failed} = options;
    this.#options = options;
    this.#resources = resources;
    this.#writes = new OwnWrites(clock);
    this.#serviceLabel = naming.key('orch/service-name');
    this.#managerLabel = naming.key('endpointslice.orch/managed-by');
    this.#informer = new CacheInformer(cache, sliceType, {
      metadataIndexes: {service: (metadata) => this.#serviceOf({metadata})},
      changed: (key) => this.#changed(key),
      deleted: (key) => this.#gone(key),
      failed,
    });
  }

  /** Follows slices until the signal fires. Resolves when all that exist are known. */
  start(signal: AbortSignal): Promise<void> {
    return this.#informer.start(signal);
  }

  /** The slices of a service that are not being deleted; undefined as long as the cache does not show what was written last. */
  async of(service: string): Promise<EndpointSlice[] | undefined> {
    const slices: EndpointSlice[] = [];
    for (const key of this.#informer.by('service', service)) {
      const [namespace, name] = splitObjectKey(key);
      const slice = (await this.#informer.get(name, namespace)) as EndpointSlice | undefined;
      if (slice && !slice.metadata.deletionTimestamp) slices.push(slice);
    }
    const seen = slices.map(({metadata}) => metadata);
    return this.#writes.areSeen(service, seen) ? slices : undefined;
  }

  /** The labels by which a slice belongs to a service and to this controller. */
  labelsFor(serviceName: string): Record<string, string> {
    return {[this.#serviceLabel]: serviceName, [this.#managerLabel]: this.#options.managedBy};
  }

  /** Whether a label is one of those. */
  isOwnLabel(key: string): boolean {
    return key === this.#serviceLabel || key === this.#managerLabel;
  }

  async create(service: string, slice: EndpointSlice): Promise<void> {
    const [namespace] = splitObjectKey(service);
    const made = await this.#resources.create(sliceType, namespace, withoutEmptyLists(slice));
    this.#writes.created(service, made.metadata);
  }

  async replace(service: string, before: EndpointSlice, slice: EndpointSlice): Promise<void> {
    const [namespace] = splitObjectKey(service);
    const made = await this.#resources.update(sliceType, namespace, withoutEmptyLists(slice));
    if (made.metadata.resourceVersion !== before.metadata.resourceVersion) this.#writes.changed(service, before.metadata);
  }

  /** One that is gone already counts as deleted. */
  async delete(service: string, before: EndpointSlice): Promise<void> {
    const {namespace = '', name = ''} = before.metadata;
    try {
      await this.#resources.delete(sliceType, namespace, name);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    this.#writes.changed(service, before.metadata);
  }

  /** The service is gone. */
  forget(service: string): void {
    this.#writes.forget(service);
  }

  #changed(key: string): void {
    const [namespace, name] = splitObjectKey(key);
    const metadata = this.#informer.metadataView(name, namespace)?.metadata();
    const [service] = metadata ? this.#serviceOf({metadata}) : [];
    const before = this.#known.get(key)?.service;
    if (service === undefined) this.#known.delete(key);
    else this.#known.set(key, {service, uid: metadata?.uid ?? ''});
    if (service !== undefined) this.#options.changed(service);
    if (before !== undefined && before !== service) {
      this.#writes.gone(before, metadata?.uid ?? '');
      this.#options.changed(before);
    }
  }

  #gone(key: string): void {
    const known = this.#known.get(key);
    if (!known) return;
    this.#known.delete(key);
    this.#writes.gone(known.service, known.uid);
    this.#options.changed(known.service);
  }

  #serviceOf({metadata}: Pick<ApiObject, 'metadata'>): string[] {
    const {labels = {}, namespace} = metadata;
    const name = labels[this.#serviceLabel];
    return name && labels[this.#managerLabel] === this.#options.managedBy ? [objectKey({metadata: {namespace, name}} as ApiObject)] : [];
  }
}

/** Kubernetes' controller writes in the binary form, in which empty lists are none: clients see null. */
function withoutEmptyLists({endpoints, ports, ...rest}: EndpointSlice): ApiObject {
  return {...rest, ...(endpoints?.length ? {endpoints} : {}), ...(ports?.length ? {ports} : {})} as ApiObject;
}
