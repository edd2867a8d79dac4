import type {Clock} from '../../../sdk/index.js';

/** After this time nothing is expected any more: an event that is awaited has been lost. As in Kubernetes. */
const expectedMillis = 300_000;

interface Expected {
  creations: number;
  readonly deletions: Set<string>;
  readonly since: number;
}

/**
 * What a controller has done to pods and has not yet seen in the cache, by the key of the object that it works for. As long as something is expected the cache does not show the
 * results of what was done before, and the same would be done twice.
 */
export class Expectations {
  readonly #expected = new Map<string, Expected>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether everything has been seen, or should have been long ago. */
  areMet(key: string): boolean {
    const expected = this.#expected.get(key);
    if (!expected) return true;
    return (expected.creations <= 0 && expected.deletions.size === 0) || this.#clock.now() - expected.since > expectedMillis;
  }

  expectCreations(key: string, count: number): void {
    this.expect(key, count, []);
  }

  /** @param uids of the objects that are deleted */
  expectDeletions(key: string, uids: Iterable<string>): void {
    this.expect(key, 0, uids);
  }

  /** Expects both, in place of what was expected before. @param uids of the objects that are deleted */
  expect(key: string, creations: number, uids: Iterable<string>): void {
    this.#expected.set(key, {creations, deletions: new Set(uids), since: this.#clock.now()});
  }

  /** One was created, or will not be. */
  created(key: string, count = 1): void {
    const expected = this.#expected.get(key);
    if (expected) expected.creations -= count;
  }

  /** One is being deleted or gone, or will not be deleted. */
  deleted(key: string, uid: string): void {
    this.#expected.get(key)?.deletions.delete(uid);
  }

  /** Nothing is expected. */
  forget(key: string): void {
    this.#expected.delete(key);
  }
}
