import type {ApiObject, ResourceClient, ResourceRef} from '../../../sdk/index.js';
import {followObjects} from '../../../sdk/controllers/index.js';

export interface FollowedType<T> {
  readonly ref: ResourceRef;
  compile(object: ApiObject): T | Promise<T>;
  /** Called after each change of `all`. */
  changed(): void;
  failed(error: unknown): void;
}

/** The compiled objects of a type. A change is processed when it arrives, and compiled once. */
export class FollowedObjects<T> {
  readonly #byName = new Map<string, T>();
  readonly #ended = new AbortController();
  #following: Promise<void> = Promise.resolve();

  readonly #resources: ResourceClient;
  readonly #type: FollowedType<T>;

  constructor(resources: ResourceClient, type: FollowedType<T>) {
    this.#resources = resources;
    this.#type = type;
  }

  /** Sorted by name. */
  get all(): T[] {
    return [...this.#byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, compiled]) => compiled);
  }

  /** Resolves when the existing objects have been compiled. */
  start(): Promise<void> {
    return new Promise((resolve) => {
      const follower = {
        listed: () => resolve(),
        changed: async (object: ApiObject) => {
          this.#byName.set(object.metadata.name!, await this.#type.compile(object));
          this.#type.changed();
        },
        deleted: ({metadata}: ApiObject) => {
          this.#byName.delete(metadata.name!);
          this.#type.changed();
        },
        failed: (error: unknown) => this.#type.failed(error),
      };
      this.#following = followObjects(this.#resources, this.#type.ref, follower, this.#ended.signal);
    });
  }

  async stop(): Promise<void> {
    this.#ended.abort();
    await this.#following;
  }
}
