/**
 * The keys of one shard. They share a hash tag, so that a cluster keeps them on one node and a script may use them together.
 *
 * - head, a hash: `epoch`; `rev`, the counter; `floor`, the log is complete above it; `last`, the id of the last commit;
 *   `fence:SESSION`, the time when a lost connection was fenced
 * - log, a stream with the entry IDs `REVISION-0` and the fields o (operation: c, u, d), t (type), k (key), v (value),
 *   p (the previous record), m (time in ms), c (id of the commit)
 * - one hash per type: key → record, which is the decimal revision, a NUL byte and the value
 */
export class ShardKeys {
  readonly head: string;
  readonly log: string;
  readonly #records: string;

  constructor(prefix: string, shard: number) {
    const base = `${prefix}:{${prefix}.${shard}}`;
    this.head = `${base}:head`;
    this.log = `${base}:log`;
    this.#records = `${base}:t:`;
  }

  records(type: string): string {
    return this.#records + type;
  }
}

/** The key of what is fixed when a store is created. */
export function metaKey(prefix: string): string {
  return `${prefix}:meta`;
}

/** Spreads types over shards by a hash (FNV-1a) of their UTF-8 bytes; it is part of the storage format. */
export function shardOf(type: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(type)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0) % shards;
}
