import type {CacheFollower, ObjectCache, ObjectInCache} from '../contracts/object-cache.js';
import type {ApiObject} from '../objects/api-object.js';
import type {ObjectMeta} from '../objects/object-meta.js';
import type {ResourceHandle, ResourceObject, Subresources} from '../types/resource-handle.js';
import {followCache} from './follow-cache.js';

export interface CacheInformerOptions<T> {
  /** Indexes by name: each returns the values of an object. They must depend on the object alone and not change it. */
  readonly indexes?: Readonly<Record<string, (object: Readonly<T>) => readonly string[]>>;
  /** The same, by metadata only: the rest of the object is not parsed. */
  readonly metadataIndexes?: Readonly<Record<string, (metadata: Readonly<ObjectMeta>) => readonly string[]>>;
  /** An object is there, or has changed; `NAMESPACE/NAME` as `objectKey` makes it. */
  readonly changed?: (key: string) => void;
  readonly deleted?: (key: string) => void;
  /** An object could not be indexed: a function threw, or it cannot be converted. It is found by no index until it changes. */
  readonly failed: (key: string, error: unknown) => void;
}

/** The values that the objects have in an index. One is kept as it is: most have one, and there may be many objects. */
class ValueIndex {
  readonly #keys = new Map<string, Set<string>>();
  readonly #values = new Map<string, string | readonly string[]>();

  keys(value: string): Iterable<string> {
    return this.#keys.get(value) ?? [];
  }

  set(key: string, values: readonly string[]): void {
    if (values.length === 0) return;
    this.#values.set(key, values.length === 1 ? values[0]! : values);
    for (const value of values) {
      const keys = this.#keys.get(value);
      if (keys) keys.add(key);
      else this.#keys.set(value, new Set([key]));
    }
  }

  remove(key: string): void {
    const known = this.#values.get(key);
    if (known === undefined) return;
    this.#values.delete(key);
    for (const value of typeof known === 'string' ? [known] : known) {
      const keys = this.#keys.get(value);
      keys?.delete(key);
      if (keys?.size === 0) this.#keys.delete(value);
    }
  }
}

/**
 * The objects of a type in this server's cache: nothing is requested or copied, and only the values of indexes are kept. Objects are
 * shared and must not be changed. They are as current as the cache; `ResourceClient` reads live.
 */
export class CacheInformer<T extends ResourceObject = ApiObject> {
  readonly #cache: ObjectCache;
  readonly #type: ResourceHandle<T>;
  readonly #options: CacheInformerOptions<T>;
  readonly #indexes = new Map<string, ValueIndex>();
  /** Objects by key that a webhook is converting, to be indexed then. */
  readonly #converting = new Map<string, ObjectInCache>();
  /** Objects known before the history was lost that have not been reported again. */
  #doubtful: Set<string> | undefined;

  /** @param type a generated one, or one made with `namespaced` or `clusterWide` of `@orch-api/orch/types/resource-handle` */
  constructor(cache: ObjectCache, type: ResourceHandle<T, Subresources>, options: CacheInformerOptions<T>) {
    this.#cache = cache;
    this.#type = type as ResourceHandle<T>;
    this.#options = options;
    for (const name of [...Object.keys(options.indexes ?? {}), ...Object.keys(options.metadataIndexes ?? {})]) {
      if (this.#indexes.has(name)) throw new TypeError(`two indexes have the name ${name}`);
      this.#indexes.set(name, new ValueIndex());
    }
  }

  /** Follows the type until `signal` fires. Resolves when every object has been listed; a type that is not served may be later. */
  start(signal: AbortSignal): Promise<void> {
    const complete = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => complete.resolve(), {once: true});
    const lose = () => {
      for (const key of this.#doubtful ?? []) this.#remove(key);
      this.#doubtful = undefined;
    };
    const follower: CacheFollower = {
      changed: (object) => this.#take(object),
      deleted: (object) => this.#remove(keyOf(object)),
      reset: (known) => this.#doubt(known),
      listed: () => {
        lose();
        complete.resolve();
      },
      ended: (known) => {
        this.#doubt(known);
        lose();
      },
    };
    followCache(this.#cache, this.#type, follower, signal);
    return complete.promise;
  }

  /** An object; a promise only if a webhook must convert it. @throws StatusError if it cannot be converted */
  get(name: string, namespace = ''): Readonly<T> | undefined | Promise<Readonly<T>> {
    const found = this.metadataView(name, namespace);
    return found && (this.#cache.read(this.#type, found) as Readonly<T> | Promise<Readonly<T>>);
  }

  /** The same at once: undefined also for an object that a webhook would have to convert, as those of the platform's own types never are. */
  getNow(name: string, namespace = ''): Readonly<T> | undefined {
    const found = this.get(name, namespace);
    return found instanceof Promise ? undefined : found;
  }

  /** An object of which little is needed: `metadata()`, `mayBeOwnedOrDeleted`. */
  metadataView(name: string, namespace = ''): ObjectInCache | undefined {
    return this.#cache.find(this.#type, namespace, name);
  }

  /** All objects of a namespace, or of all. */
  list(namespace = ''): Iterable<ObjectInCache> {
    return this.#cache.list(this.#type, namespace);
  }

  /** Keys of the objects with a value in an index. @throws TypeError if there is no such index */
  by(index: string, value: string): string[] {
    const keys = this.#indexes.get(index);
    if (!keys) throw new TypeError(`there is no index ${index}`);
    return [...keys.keys(value)];
  }

  /** Those of a loss before may still be doubtful. */
  #doubt(known: Iterable<ObjectInCache>): void {
    this.#doubtful ??= new Set();
    for (const object of known) this.#doubtful.add(keyOf(object));
  }

  #take(object: ObjectInCache): void {
    const key = keyOf(object);
    this.#doubtful?.delete(key);
    this.#index(key, object);
    this.#options.changed?.(key);
  }

  #index(key: string, object: ObjectInCache): void {
    const {indexes, metadataIndexes = {}, failed} = this.#options;
    if (this.#indexes.size === 0) return;
    this.#forget(key);
    const add = (work: () => Iterable<readonly [string, readonly string[]]>) => {
      try {
        for (const [index, values] of work()) this.#indexes.get(index)!.set(key, values);
      } catch (error) {
        failed(key, error);
      }
    };
    add(() => valuesOf(metadataIndexes, object.metadata.bind(object)));
    if (!indexes) return;
    try {
      const whole = this.#cache.read(this.#type, object);
      if (!(whole instanceof Promise)) return add(() => valuesOf(indexes, () => whole as unknown as T));
      this.#converting.set(key, object);
      whole.then(
        (converted) => {
          // It may have changed, or gone, while it was converted.
          if (this.#converting.get(key) !== object) return;
          this.#converting.delete(key);
          add(() => valuesOf(indexes, () => converted as unknown as T));
          this.#options.changed?.(key);
        },
        (error: unknown) => {
          if (this.#converting.get(key) === object) this.#converting.delete(key);
          failed(key, error);
        },
      );
    } catch (error) {
      failed(key, error);
    }
  }

  #remove(key: string): void {
    this.#forget(key);
    this.#options.deleted?.(key);
  }

  #forget(key: string): void {
    this.#converting.delete(key);
    for (const index of this.#indexes.values()) index.remove(key);
  }
}

function valuesOf<V>(
  functions: Readonly<Record<string, (value: V) => readonly string[]>>,
  read: () => V,
): (readonly [index: string, values: readonly string[]])[] {
  const named = Object.entries(functions);
  if (named.length === 0) return [];
  const value = read();
  return named.map(([index, values]) => [index, [...new Set(values(value))]] as const);
}

/** As `objectKey` makes it. */
function keyOf({key, namespace}: ObjectInCache): string {
  return namespace === '' ? `/${key}` : key;
}
