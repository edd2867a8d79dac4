import {slotOf, slots} from './hash-slot.js';
import {RevisionStride} from './revision-stride.js';
import {ShardKeys} from './shard-keys.js';

/**
 * How the records of a store are distributed over its shards:
 *
 * - `namespaces`: each type by the hash of the namespace, or of the name if there is none. All shards have a common order.
 * - `types`: each type in one shard, each shard with its own order. Used by older stores of several shards.
 */
export type Layout = 'namespaces' | 'types';

/** Which shard holds a record, and which shards have an order in common (a *group*). Fixed when the store is created. */
export class Placement {
  constructor(
    readonly layout: Layout,
    readonly shards: number,
  ) {}

  /** Number of groups, which the contract of stores calls shards. */
  get groups(): number {
    return this.layout === 'namespaces' ? 1 : this.shards;
  }

  groupOf(type: string): number {
    return this.layout === 'namespaces' ? 0 : hashOf(type) % this.shards;
  }

  shardOf(type: string, key: string): number {
    if (this.shards === 1) return 0;
    if (this.layout === 'types') return hashOf(type) % this.shards;
    const slash = key.indexOf('/');
    return hashOf(`${type}\n${slash < 0 ? key : key.slice(0, slash)}`) % this.shards;
  }

  shardsOf(group: number): number[] {
    return this.layout === 'namespaces' ? Array.from({length: this.shards}, (_, shard) => shard) : [group];
  }

  /**
   * The keys of a shard. Where all shards hold a part of each type, their slots are spread evenly: shard 2 of 12 has one of the third twelfth of the slots. Part
   * of the storage format.
   */
  keysOf(prefix: string, shard: number): ShardKeys {
    const tag = `${prefix}.${shard}`;
    if (this.layout === 'types' || this.shards === 1) return new ShardKeys(prefix, tag);
    for (let count = 0; ; count++) {
      const spread = count === 0 ? tag : `${tag}.${count}`;
      if (Math.floor((slotOf(spread) * this.shards) / slots) === shard) return new ShardKeys(prefix, spread);
    }
  }

  strideOf(shard: number): RevisionStride {
    return this.layout === 'namespaces' ? new RevisionStride(shard, this.shards) : new RevisionStride(0, 1);
  }
}

/** FNV-1a of the UTF-8 bytes; part of the storage format. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
