import {
  alreadyExists,
  conflict,
  expired,
  notFound,
  type ApiList,
  type ApiObject,
  type DeleteCallOptions,
  type ListOptions,
  type ReadOptions,
  type ResourceClient,
  type ResourceRef,
  type ResourceStrategy,
  type ServedResource,
  type StrategyContext,
  type WatchEvent,
} from '../../sdk/index.js';

interface MemoryType extends ServedResource {
  readonly strategy?: ResourceStrategy;
}

type Listener = (event: WatchEvent) => void;

/**
 * A `ResourceClient` over a map, with versions, conflicts, finalizers, two-phase deletion and watches, for plugins that are
 * tested without a server. `finalize` and `status` store the whole object.
 */
export class MemoryResources implements ResourceClient {
  /** Called before every operation; may throw to simulate a failure. */
  before: (verb: string, resource: string, name: string, options?: ReadOptions) => void | Promise<void> = () => undefined;
  private readonly objects = new Map<string, ApiObject>();
  private readonly log: {version: number; resource: string; event: WatchEvent}[] = [];
  private readonly listeners = new Set<{resource: string; send: Listener; end: (error?: Error) => void}>();
  private version = 0;

  constructor(private readonly types: readonly MemoryType[]) {}

  async get(ref: ResourceRef, namespace: string, name: string, options?: ReadOptions): Promise<ApiObject> {
    await this.before('get', ref.resource, name, options);
    return structuredClone(this.find(ref, namespace, name));
  }

  async list(ref: ResourceRef, namespace: string, options: ListOptions = {}): Promise<ApiList> {
    await this.before('list', ref.resource, '');
    const prefix = namespace === '' ? `${ref.resource}/` : `${ref.resource}/${namespace}/`;
    const all = [...this.objects].filter(([key]) => key.startsWith(prefix)).map(([, object]) => structuredClone(object));
    const from = Number(options.continue ?? 0);
    const to = options.limit === undefined ? all.length : from + options.limit;
    const metadata = {resourceVersion: String(this.version), ...(to < all.length ? {continue: String(to)} : {})};
    return {apiVersion: 'v1', kind: 'List', metadata, items: all.slice(from, to)};
  }

  async *watch(ref: ResourceRef, _namespace: string, options: ListOptions & {signal: AbortSignal}): AsyncGenerator<WatchEvent> {
    await this.before('watch', ref.resource, '');
    const queue: WatchEvent[] = this.log
      .filter((entry) => entry.resource === ref.resource && entry.version > Number(options.resourceVersion))
      .map(({event}) => event);
    let wake = () => {};
    let failure: Error | undefined;
    let open = !options.signal.aborted;
    const end = (error?: Error): void => {
      open = false;
      failure = error;
      wake();
    };
    const listener = {resource: ref.resource, send: (event: WatchEvent) => (queue.push(event), wake()), end};
    const stop = () => end();
    this.listeners.add(listener);
    options.signal.addEventListener('abort', stop);
    try {
      while (open || queue.length > 0) {
        const event = queue.shift();
        if (event) yield structuredClone(event);
        else await new Promise<void>((resolve) => (wake = resolve));
      }
      if (failure) throw failure;
    } finally {
      this.listeners.delete(listener);
      options.signal.removeEventListener('abort', stop);
    }
  }

  async create(ref: ResourceRef, namespace: string, object: ApiObject): Promise<ApiObject> {
    const name = object.metadata.name!;
    await this.before('create', ref.resource, name);
    if (this.objects.has(keyOf(ref, namespace, name))) throw alreadyExists({...ref, name});
    const made = structuredClone(object);
    made.metadata = {
      ...made.metadata,
      uid: crypto.randomUUID(),
      creationTimestamp: new Date().toISOString(),
      ...(namespace ? {namespace} : {}),
    };
    const {strategy} = this.typeOf(ref);
    strategy?.applyDefaults?.(made);
    await strategy?.prepareForCreate?.(made, context(namespace, ''));
    strategy?.canonicalize?.(made);
    return this.store(ref, namespace, made, 'ADDED');
  }

  async update(ref: ResourceRef, namespace: string, object: ApiObject, subresource = ''): Promise<ApiObject> {
    const name = object.metadata.name!;
    await this.before(subresource === '' ? 'update' : `update/${subresource}`, ref.resource, name);
    const old = this.find(ref, namespace, name);
    if (object.metadata.resourceVersion && object.metadata.resourceVersion !== old.metadata.resourceVersion)
      throw conflict({...ref, name}, 'it has changed');
    const made = structuredClone(object);
    await this.typeOf(ref).strategy?.prepareForUpdate?.(made, old, context(namespace, subresource));
    if (this.isFinished(ref, made)) return this.remove(ref, namespace, made);
    return this.store(ref, namespace, made, 'MODIFIED');
  }

  apply(): Promise<ApiObject> {
    return Promise.reject(new Error('apply is not part of this client'));
  }

  patch(): Promise<ApiObject> {
    return Promise.reject(new Error('patch is not part of this client'));
  }

  async delete(ref: ResourceRef, namespace: string, name: string, _options?: DeleteCallOptions): Promise<void> {
    await this.before('delete', ref.resource, name);
    const object = structuredClone(this.find(ref, namespace, name));
    const decision = this.typeOf(ref).strategy?.beforeDelete?.(object, undefined, context(namespace, '')) ?? {action: 'remove'};
    if (decision.action === 'remove' && !object.metadata.finalizers?.length) {
      this.remove(ref, namespace, object);
    } else if (!object.metadata.deletionTimestamp) {
      object.metadata.deletionTimestamp = new Date().toISOString();
      this.store(ref, namespace, object, 'MODIFIED');
    }
  }

  async deleteCollection(ref: ResourceRef, namespace: string): Promise<void> {
    await this.before('deletecollection', ref.resource, '');
    for (const {metadata} of (await this.list(ref, namespace)).items) await this.delete(ref, namespace, metadata.name!);
  }

  resources(): readonly ServedResource[] {
    return this.types;
  }

  /** Whether an object is there, without counting as an operation. */
  has(ref: ResourceRef, namespace: string, name: string): boolean {
    return this.objects.has(keyOf(ref, namespace, name));
  }

  /** Ends all watches, as a restart of the connection does; with `forget` their history is gone as well. */
  endWatches(forget = false): void {
    for (const {end} of this.listeners) end(forget ? expired('too old resource version') : undefined);
    this.listeners.clear();
  }

  private find(ref: ResourceRef, namespace: string, name: string): ApiObject {
    const object = this.objects.get(keyOf(ref, namespace, name));
    if (object === undefined) throw notFound({...ref, name});
    return object;
  }

  private typeOf(ref: ResourceRef): MemoryType {
    return this.types.find((type) => type.resource === ref.resource && type.group === ref.group)!;
  }

  private isFinished(ref: ResourceRef, object: ApiObject): boolean {
    if (!object.metadata.deletionTimestamp || object.metadata.finalizers?.length) return false;
    return this.typeOf(ref).strategy?.mayRemove?.(object) ?? true;
  }

  private store(ref: ResourceRef, namespace: string, object: ApiObject, type: 'ADDED' | 'MODIFIED'): ApiObject {
    this.version += 1;
    object.metadata.resourceVersion = String(this.version);
    this.objects.set(keyOf(ref, namespace, object.metadata.name!), object);
    return this.publish(ref, type, object);
  }

  private remove(ref: ResourceRef, namespace: string, object: ApiObject): ApiObject {
    this.version += 1;
    this.objects.delete(keyOf(ref, namespace, object.metadata.name!));
    return this.publish(ref, 'DELETED', {...object, metadata: {...object.metadata, resourceVersion: String(this.version)}});
  }

  private publish(ref: ResourceRef, type: 'ADDED' | 'MODIFIED' | 'DELETED', object: ApiObject): ApiObject {
    const event = {type, object: structuredClone(object)};
    this.log.push({version: this.version, resource: ref.resource, event});
    for (const listener of this.listeners) if (listener.resource === ref.resource) listener.send(event);
    return structuredClone(object);
  }
}

function keyOf(ref: ResourceRef, namespace: string, name: string): string {
  return namespace === '' ? `${ref.resource}/${name}` : `${ref.resource}/${namespace}/${name}`;
}

/** Circumstances of a write by an administrator in a namespace. */
export function context(namespace: string, subresource: string): StrategyContext {
  return {
    user: {username: 'admin', groups: ['system:masters']},
    namespace,
    subresource,
    verb: 'update',
    version: 'v1',
    dryRun: false,
    now: new Date(),
    warn: () => undefined,
  };
}
