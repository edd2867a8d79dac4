import type {ApiObject, ResourceClient, ResourceRef} from '../../../sdk/index.js';
import {followObjects} from '../../../sdk/controllers/index.js';

export interface FollowedType<T> {
  readonly ref: ResourceRef;
  compile(object: ApiObject): T | Promise<T>;
  /** Called after each change of `all`, with what the object was before and is now; undefined where it was or is none. */
  changed(name: string, before: T | undefined, now: T | undefined): void;
  failed(error: unknown): void;
}

/** The compiled objects of a type. A change is processed when it arrives, and compiled once. */
export class FollowedObjects<T> {
  #all: NamedList<T> = NamedList.empty;
  readonly #ended = new AbortController();
  #following: Promise<void> = Promise.resolve();

  readonly #resources: ResourceClient;
  readonly #type: FollowedType<T>;

  constructor(resources: ResourceClient, type: FollowedType<T>) {
    this.#resources = resources;
    this.#type = type;
  }

  get all(): NamedList<T> {
    return this.#all;
  }

  /** Resolves when the existing objects have been compiled. */
  start(): Promise<void> {
    return new Promise((resolve) => {
      const follower = {
        listed: () => resolve(),
        changed: async (object: ApiObject) => this.#change(object, await this.#type.compile(object)),
        deleted: (object: ApiObject) => this.#change(object, undefined),
        failed: (error: unknown) => this.#type.failed(error),
      };
      this.#following = followObjects(this.#resources, this.#type.ref, follower, this.#ended.signal);
    });
  }

  #change({metadata}: ApiObject, now: T | undefined): void {
    const name = metadata.name!;
    const before = this.#all.get(name);
    this.#all = this.#all.with(name, now);
    this.#type.changed(name, before, now);
  }

  async stop(): Promise<void> {
    this.#ended.abort();
    await this.#following;
  }
}

/** Values by name, in the order of their names. Never changes: a change makes another list. */
export class NamedList<T> {
  readonly names: readonly string[];
  readonly values: readonly T[];

  private constructor(names: readonly string[], values: readonly T[]) {
    this.names = names;
    this.values = values;
  }

  static readonly empty: NamedList<never> = new NamedList<never>([], []);

  /** @param values undefined for a name that is to be left out */
  static of<T>(names: readonly string[], valueOf: (name: string) => T | undefined): NamedList<T> {
    const found = names
      .toSorted(compareNames)
      .map((name) => ({name, value: valueOf(name)}))
      .filter((one): one is {name: string; value: T} => one.value !== undefined);
    return new NamedList(
      found.map(({name}) => name),
      found.map(({value}) => value),
    );
  }

  get size(): number {
    return this.names.length;
  }

  get(name: string): T | undefined {
    const at = this.#place(name);
    return this.names[at] === name ? this.values[at] : undefined;
  }

  /** The list with another value of a name, or without it if that is undefined; the same list where nothing changes. */
  with(name: string, value: T | undefined): NamedList<T> {
    const at = this.#place(name);
    const there = this.names[at] === name ? 1 : 0;
    if (value === undefined) {
      return there === 0 ? this : new NamedList(this.names.toSpliced(at, 1), this.values.toSpliced(at, 1));
    }
    return new NamedList(there === 0 ? this.names.toSpliced(at, 0, name) : this.names, this.values.toSpliced(at, there, value));
  }

  /** Where a name is, or belongs. */
  #place(name: string): number {
    let low = 0;
    let high = this.names.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareNames(this.names[middle]!, name) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function compareNames(a: string, b: string): number {
  return a < b ? -1 : a === b ? 0 : 1;
}
