import {
  groupResourceText,
  isNotFound,
  type CacheFollower,
  type ObjectCache,
  type ResourceClient,
  type ServedResource,
} from '../../../sdk/index.js';

interface Following {
  readonly type: ServedResource;
  readonly ended: () => void;
  readonly abort: AbortController;
}

/** Definitions come by the hundred: types are looked through once for all that come within this time. */
const settleMillis = 50;
const neededVerbs = ['list', 'watch', 'delete'];

/** Follows every type whose objects can be found and deleted, as types come and go. Events are left out: they have no dependents, and go by themselves. */
export class FollowedTypes {
  readonly #following = new Map<string, Following>();
  /** Served kinds by `GROUP/VERSION/KIND`. */
  #byKind = new Map<string, ServedResource>();
  /** Types that have not been listed completely, in the order in which they began, with their number in it. */
  readonly #unlisted = new Map<Following, number>();
  #begun = 0;
  /** Callers that wait for the types up to a number, in order. */
  readonly #waiting: {readonly upTo: number; readonly resolve: () => void}[] = [];
  #timer: NodeJS.Timeout | undefined;
  #stopListening: () => void = () => undefined;
  readonly #resources: ResourceClient;
  readonly #cache: ObjectCache;
  readonly #follow: (type: ServedResource) => CacheFollower;
  readonly #changed: () => void;

  /**
   * @param follow returns the follower of a newly served type
   * @param changed called after the served types have changed
   */
  constructor(resources: ResourceClient, cache: ObjectCache, follow: (type: ServedResource) => CacheFollower, changed: () => void) {
    this.#resources = resources;
    this.#cache = cache;
    this.#follow = follow;
    this.#changed = changed;
  }

  start(): void {
    this.#stopListening = this.#cache.onTypesChanged(() => this.#lookLater());
    this.#look();
  }

  stop(): void {
    this.#stopListening();
    clearTimeout(this.#timer);
    for (const {abort} of this.#following.values()) abort.abort();
    this.#following.clear();
    this.#unlisted.clear();
    this.#wake();
  }

  /**
   * Resolves once all types that are followed now have been listed. Types added later are not waited for: where they come
   * one after the other, all would be held up for as long as that goes on.
   */
  whenListed(): Promise<void> {
    if (this.#unlisted.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({upTo: this.#begun, resolve}));
  }

  /** The type that an owner reference means, if it is served. */
  ofKind(apiVersion: string, kind: string): ServedResource | undefined {
    return this.#byKind.get(`${apiVersion}/${kind}`);
  }

  /** Whether a type is served now. */
  isServed({group, version, resource}: ServedResource): boolean {
    return this.#resources.resources().some((other) => other.group === group && other.version === version && other.resource === resource);
  }

  #lookLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#look();
    }, settleMillis);
    this.#timer.unref();
  }

  #look(): void {
    const served = this.#resources.resources();
    const wanted = new Map<string, ServedResource>();
    this.#byKind = new Map();
    for (const type of served) {
      const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
      if (type.verbs.includes('get')) this.#byKind.set(`${apiVersion}/${type.kind}`, type);
      if (!neededVerbs.every((verb) => type.verbs.includes(verb)) || isEvents(type)) continue;
      const name = groupResourceText(type);
      if (!wanted.has(name)) wanted.set(name, type);
    }
    for (const [name, following] of this.#following) {
      const type = wanted.get(name);
      if (type && type.namespaced === following.type.namespaced && type.kind === following.type.kind) {
        // Another version may be the one that is served.
        Object.assign(following.type, type);
        continue;
      }
      following.abort.abort();
      this.#end(name, following);
    }
    for (const [name, type] of wanted) if (!this.#following.has(name)) this.#begin(name, type);
    this.#changed();
  }

  #begin(name: string, served: ServedResource): void {
    const type = {...served};
    const {changed, deleted, listed, reset, ended} = this.#follow(type);
    const abort = new AbortController();
    const follower: CacheFollower = {
      changed,
      deleted,
      listed: () => {
        listed();
        this.#unlisted.delete(following);
        this.#wake();
      },
      reset: (known) => {
        this.#await(following);
        reset(known);
      },
      // The type may be served again already, with other objects.
      ended: () => {
        this.#end(name, following);
        this.#lookLater();
      },
    };
    const following: Following = {type, ended: () => ended([]), abort};
    try {
      this.#cache.follow(type, follower, abort.signal);
    } catch (error) {
      // The objects of a handler are not stored, so they cannot be collected.
      if (!isNotFound(error)) throw error;
      return;
    }
    this.#following.set(name, following);
    this.#await(following);
  }

  #end(name: string, following: Following): void {
    if (this.#following.get(name) === following) this.#following.delete(name);
    this.#unlisted.delete(following);
    following.ended();
    this.#wake();
  }

  #await(following: Following): void {
    if (!this.#unlisted.has(following)) this.#unlisted.set(following, ++this.#begun);
  }

  #wake(): void {
    const [earliest = Infinity] = this.#unlisted.values();
    while (this.#waiting.length > 0 && this.#waiting[0]!.upTo < earliest) this.#waiting.shift()!.resolve();
  }
}

function isEvents({group, resource}: ServedResource): boolean {
  return resource === 'events' && (group === '' || group.startsWith('events.'));
}
