import {StoreError, type CommitGuard, type Store} from '../../../sdk/index.js';
import type {Fencing, LeaderTerm} from '../../../sdk/controllers/index.js';

/** No resource type can have such a name, because of its characters. */
const typeName = (count: number) => `~leader.${count}`;

/**
 * One record in each shard of the store that every new leader changes. Writes of a leader depend on the records being as it left them, and the store
 * checks that in the commit: what a leader of before has sent, or still sends because it was paused, has no effect.
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
    this.#types = typesByShard(store);
  }

  async raise(term: LeaderTerm): Promise<boolean> {
    const revisions = await Promise.all(this.#types.map((type) => this.#raiseOne(type, term)));
    if (revisions.includes(undefined)) return false;
    this.#revisions = revisions as number[];
    return true;
  }

  /** What a write of a type must be made to depend on. */
  guard(type: string): CommitGuard {
    const shard = this.#store.shardOf(type);
    return {type: this.#types[shard]!, key: this.#key, revision: this.#revisions[shard]!};
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

/** A type for each shard, found by trying: which type lives where is the store's own affair. */
function typesByShard(store: Store): string[] {
  const types: string[] = [];
  let missing = store.shards;
  for (let count = 0; missing > 0; count++) {
    const shard = store.shardOf(typeName(count));
    if (types[shard] !== undefined) continue;
    types[shard] = typeName(count);
    missing--;
  }
  return types;
}
