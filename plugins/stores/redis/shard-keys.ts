/**
 * The keys of one shard. They share a hash tag, so that a cluster keeps them on one node and a script may use them together.
 *
 * - head, a hash: `store`, an id made at the creation; `epoch`; `rev`, the counter; `floor`, the log is complete above it; `last`, the id
 *   of the last commit; `bytes`, what the log alone holds; `run` and `node`, the process and the cluster node that wrote it; `n:TYPE`, the
 *   number of records of each type; `accepted`, when an operator last accepted a loss; `restoring`, the id of a restore that is not finished; `fence:SESSION`, when a lost connection was fenced
 * - log, a stream with the entry IDs `REVISION-0` and one or two fields (record-codec.ts); entries refer to values by their revisions
 * - for each type a hash of records, key → revision, and a hash of values, revision → value. A value stays until neither its record
 *   nor the log needs it.
 */
export class ShardKeys {
  readonly head: string;
  readonly log: string;
  /** Prefix of the keys of records and values. */
  readonly base: string;
  /** Prefix of the keys of values. */
  readonly valuesOf: string;

  /** @param tag the hash tag, see `Placement.keysOf` */
  constructor(prefix: string, tag: string) {
    this.base = `${prefix}:{${tag}}`;
    this.head = `${this.base}:head`;
    this.log = `${this.base}:log`;
    this.valuesOf = `${this.base}:v:`;
  }

  records(type: string): string {
    return `${this.base}:t:${type}`;
  }

  values(type: string): string {
    return this.valuesOf + type;
  }
}

/** The key of the description that is fixed when a store is created. */
export function metaKey(prefix: string): string {
  return `${prefix}:meta`;
}
