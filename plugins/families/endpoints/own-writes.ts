import type {Clock, ObjectMeta} from '../../../sdk/index.js';

/** After this time what was written counts as seen: the event that is awaited has been lost. */
const awaitedMillis = 300_000;

interface Awaited {
  /** The version that was replaced or deleted; undefined for a new object. */
  readonly version: string | undefined;
  readonly since: number;
}

/**
 * What a controller has written and the cache may not show yet, by the key of the object that it was written for. Deciding on what the cache shows meanwhile would do the same once more.
 */
export class OwnWrites {
  readonly #awaited = new Map<string, Map<string, Awaited>>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** An object was created. */
  created(owner: string, made: Readonly<ObjectMeta>): void {
    this.#await(owner, made.uid ?? '', undefined);
  }

  /** An object was replaced or deleted. @param before its metadata then */
  changed(owner: string, before: Readonly<ObjectMeta>): void {
    this.#await(owner, before.uid ?? '', before.resourceVersion ?? '');
  }

  /** Whether the cache shows all of it. @param shown the objects that it shows */
  areSeen(owner: string, shown: readonly Readonly<ObjectMeta>[]): boolean {
    const awaited = this.#awaited.get(owner);
    if (!awaited) return true;
    const versions = new Map(shown.map(({uid, resourceVersion}) => [uid ?? '', resourceVersion ?? '']));
    for (const [uid, {version, since}] of awaited) {
      const isAwaited = version === undefined ? !versions.has(uid) : versions.get(uid) === version;
      if (!isAwaited || this.#clock.now() - since > awaitedMillis) awaited.delete(uid);
    }
    if (awaited.size > 0) return false;
    this.#awaited.delete(owner);
    return true;
  }

  /** An object is gone. */
  gone(owner: string, uid: string): void {
    this.#awaited.get(owner)?.delete(uid);
  }

  /** Nothing is awaited. */
  forget(owner: string): void {
    this.#awaited.delete(owner);
  }

  #await(owner: string, uid: string, version: string | undefined): void {
    let awaited = this.#awaited.get(owner);
    if (!awaited) this.#awaited.set(owner, (awaited = new Map()));
    awaited.set(uid, {version, since: this.#clock.now()});
  }
}
