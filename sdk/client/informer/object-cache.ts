import type {ResourceObject} from '../../types/resource-handle.js';
import {ObjectIndex} from './object-index.js';

/** The values of an object in each index, by the index's name. Must depend only on the object. */
export type IndexFunctions<T> = Readonly<Record<string, (object: T) => readonly string[]>>;

/** An informer's cache. Objects are shared: never modify them. */
export interface CacheReader<T> {
  readonly size: number;
  get(name: string, namespace?: string): T | undefined;
  list(): T[];
  inNamespace(namespace: string): T[];
  /** Objects with a label, with any value unless one is given. */
  withLabel(key: string, value?: string): T[];
  /** Objects with a value in one of the informer's own indexes. @throws TypeError if there is no such index */
  by(index: string, value: string): T[];
}

/** Objects by namespace and name, with look-ups by namespace, by label and by the caller's indexes. */
export class ObjectCache<T extends ResourceObject> implements CacheReader<T> {
  readonly #objects = new Map<string, T>();
  readonly #namespaces = new ObjectIndex<T>((object) => [object.metadata?.namespace ?? '']);
  /** One for each label key that has been looked up, created on first use. */
  readonly #labels = new Map<string, ObjectIndex<T>>();
  readonly #indexes: ReadonlyMap<string, ObjectIndex<T>>;

  constructor(functions: IndexFunctions<T> = {}) {
    this.#indexes = new Map(Object.entries(functions).map(([name, valuesOf]) => [name, new ObjectIndex(valuesOf)]));
  }

  get size(): number {
    return this.#objects.size;
  }

  get(name: string, namespace = ''): T | undefined {
    return this.#objects.get(`${namespace}/${name}`);
  }

  list(): T[] {
    return [...this.#objects.values()];
  }

  inNamespace(namespace: string): T[] {
    return this.#found(this.#namespaces.keys(namespace));
  }

  withLabel(key: string, value?: string): T[] {
    let index = this.#labels.get(key);
    if (!index) {
      index = new ObjectIndex((object) => labelValue(object, key));
      for (const [name, object] of this.#objects) index.add(name, object);
      this.#labels.set(key, index);
    }
    if (value !== undefined) return this.#found(index.keys(value));
    return [...index.values()].flatMap((each) => this.#found(index.keys(each)));
  }

  by(index: string, value: string): T[] {
    const found = this.#indexes.get(index);
    if (!found) throw new TypeError(`the informer has no index ${JSON.stringify(index)}`);
    return this.#found(found.keys(value));
  }

  /** Adds an object and returns the one it replaces. */
  set(object: T): T | undefined {
    const key = keyOf(object);
    const old = this.#objects.get(key);
    for (const index of this.#all()) {
      if (old) index.remove(key, old);
      index.add(key, object);
    }
    this.#objects.set(key, object);
    return old;
  }

  /** Removes an object and returns it. */
  remove(object: T): T | undefined {
    const key = keyOf(object);
    const old = this.#objects.get(key);
    if (!old) return undefined;
    for (const index of this.#all()) index.remove(key, old);
    this.#objects.delete(key);
    return old;
  }

  #found(keys: Iterable<string>): T[] {
    return [...keys].map((key) => this.#objects.get(key)!);
  }

  *#all(): Iterable<ObjectIndex<T>> {
    yield this.#namespaces;
    yield* this.#labels.values();
    yield* this.#indexes.values();
  }
}

/** Namespace and name, which identify an object among those of its type. */
export function keyOf(object: ResourceObject): string {
  return `${object.metadata?.namespace ?? ''}/${object.metadata?.name ?? ''}`;
}

function labelValue(object: ResourceObject, key: string): readonly string[] {
  const labels = object.metadata?.labels ?? {};
  return Object.hasOwn(labels, key) ? [labels[key]!] : [];
}
