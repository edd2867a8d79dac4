import {groupResourceText, type ApiObject, type Logger, type ResourceClient} from '../../../sdk/index.js';
import {followObjects} from '../../../sdk/controllers/index.js';
import type {CountedType} from './namespace-count.js';

/** Receives changes of the objects of followed types. */
export interface TypeFollower {
  /** Changes may have been missed. */
  lost(type: CountedType): void;
  changed(type: CountedType, object: ApiObject): void;
  deleted(type: CountedType, object: ApiObject): void;
}

interface Following {
  readonly version: string;
  readonly abort: AbortController;
  readonly running: Promise<void>;
}

/** Watches only the types that some quota counts. */
export class FollowedTypes {
  readonly #following = new Map<string, Following>();
  readonly #ended = new Set<Promise<void>>();

  readonly #resources: ResourceClient;
  readonly #logger: Logger;
  readonly #follower: TypeFollower;

  constructor(resources: ResourceClient, logger: Logger, follower: TypeFollower) {
    this.#resources = resources;
    this.#logger = logger;
    this.#follower = follower;
  }

  /** From now on, watches exactly these types. */
  set(types: readonly CountedType[]): void {
    const wanted = new Map(types.map((type) => [groupResourceText(type.ref), type]));
    for (const [name, {version, abort, running}] of this.#following) {
      if (wanted.get(name)?.ref.version === version) continue;
      abort.abort();
      this.#following.delete(name);
      this.#ended.add(running);
      void running.finally(() => this.#ended.delete(running));
    }
    for (const [name, type] of wanted) if (!this.#following.has(name)) this.#following.set(name, this.#follow(type));
  }

  async close(): Promise<void> {
    this.set([]);
    await Promise.all(this.#ended);
  }

  #follow(type: CountedType): Following {
    const abort = new AbortController();
    const running = followObjects(
      this.#resources,
      type.ref,
      {
        listed: () => this.#follower.lost(type),
        changed: (object) => this.#follower.changed(type, object),
        deleted: (object) => this.#follower.deleted(type, object),
        failed: (error) =>
          this.#logger.warn({err: error, resource: type.ref.resource}, 'objects that quotas count cannot be watched; retrying'),
      },
      abort.signal,
      {changesOnly: true},
    );
    return {version: type.ref.version, abort, running};
  }
}
