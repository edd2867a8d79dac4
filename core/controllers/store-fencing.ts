import {StoreError, type CommitGuard, type Store} from '../../sdk/index.js';
import type {Fencing, LeaderTerm} from '../../sdk/controllers/index.js';

/** No resource type can have such a name, because of its characters. */
const typeName = (count: number) => `~leader.${count}`;

/**
 * One record per place of the store, changed by every new leader. Writes of a leader require the record unchanged, which the store checks in the commit:
 * late writes of an earlier leader, sent before or after a pause, have no effect.
 */
export class StoreFencing implements Fencing {
  readonly #store: Store;
  readonly #key: string;
  readonly #types: readonly string[];
  #revisions: readonly number[] = [];

  /** @param name of the lease */
  constructor(store: Store, name: string) {
    this.#store = store;
    this.#key = name;
    this.#types = typesByPlace(store, name);
  }

  async raise(term: LeaderTerm): Promise<boolean> {
    const revisions = await Promise.all(this.#types.map((type) => this.#raiseOne(type, term)));
    if (revisions.includes(undefined)) return false;
    this.#revisions = revisions as number[];
    return true;
  }

  /** The condition for a write of a record. */
  guard(type: string, key: string): CommitGuard {
    const place = placeOf(this.#store, type, key);
    return {type: this.#types[place]!, key: this.#key, revision: this.#revisions[place]!};
  }

  /** The new revision; undefined when the term was over before. */
  async #raiseOne(type: string, term: LeaderTerm): Promise<number | undefined> {
    const value = Buffer.from(JSON.stringify({holder: term.holder}));
    while (term.isValid) {
      const found = await this.#store.read(type, this.#key);
      // Between the read and the commit the term may have ended; a later leader has changed the record then.
      if (!term.isValid) return undefined;
      try {
        return await this.#store.commit({type, key: this.#key, expected: found?.revision ?? 0, value});
      } catch (error) {
        if (!StoreError.is(error) || !['Exists', 'Missing', 'Mismatch'].includes(error.code)) throw error;
      }
    }
    return undefined;
  }
}

/** A type for each place, found by trying: which record lies where is the store's own affair. */
function typesByPlace(store: Store, key: string): string[] {
  const types: string[] = [];
  let missing = store.places ?? store.shards;
  for (let count = 0; missing > 0; count++) {
    const place = placeOf(store, typeName(count), key);
    if (types[place] !== undefined) continue;
    types[place] = typeName(count);
    missing--;
  }
  return types;
}

function placeOf(store: Store, type: string, key: string): number {
  return store.placeOf?.(type, key) ?? store.shardOf(type);
}
