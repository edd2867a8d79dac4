import {
  every,
  type Commit,
  type Lineage,
  type LogFollower,
  type LogListener,
  type Logger,
  type Store,
  type StoredRecord,
  type StoreError,
  type TypeContents,
  type TypeHistory,
} from '../../../sdk/index.js';
import type {LineageFile} from '../../../sdk/stores/index.js';
import type {Connector} from './connector.js';
import {closedError} from './link.js';
import type {Shard} from './shard.js';
import type {Placement} from './placement.js';
import {ShardGroup} from './shard-group.js';

/**
 * `Store` over Redis. The work is done by its shards, and by groups of shards with a common order; this class finds them and closes them in
 * order. A shard of the contract is a group here, and a place is a shard.
 */
export class RedisStore implements Store {
  #closed: Promise<void> | undefined;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #stopTrimming: () => void;
  readonly #all: readonly Shard[];
  readonly #groups: readonly ShardGroup[];
  readonly #placement: Placement;
  readonly #logger: Logger;
  readonly #lineage: LineageFile;
  readonly #connector: Connector;

  /** `historyMillis`: log entries older than that are dropped from time to time. `lineage` and `connector` are closed with the store. */
  constructor(
    readonly durability: string,
    placement: Placement,
    all: readonly Shard[],
    historyMillis: number,
    logger: Logger,
    lineage: LineageFile,
    connector: Connector,
  ) {
    this.#connector = connector;
    this.#lineage = lineage;
    this.#all = all;
    this.#placement = placement;
    this.#groups = Array.from({length: placement.groups}, (_, group) => {
      return new ShardGroup(
        placement.shardsOf(group).map((shard) => all[shard]!),
        logger,
      );
    });
    this.#logger = logger;
    const period = Math.min(Math.max(historyMillis / 20, 1000), 15_000);
    this.#stopTrimming = every(period, () => void this.#trim(historyMillis));
  }

  get shards(): number {
    return this.#groups.length;
  }

  get places(): number {
    return this.#all.length;
  }

  lineages(): readonly Lineage[] {
    return this.#all.map((_, place) => this.#lineage.get(place)).filter((one) => one !== undefined);
  }

  shardOf(type: string): number {
    return this.#placement.groupOf(type);
  }

  placeOf(type: string, key: string): number {
    return this.#placement.shardOf(type, key);
  }

  async read(type: string, key: string): Promise<StoredRecord | undefined> {
    this.#checkOpen();
    return this.#all[this.placeOf(type, key)]!.reader.read(type, key);
  }

  async list(type: string): Promise<TypeContents> {
    return this.#group(this.shardOf(type)).list(type);
  }

  async types(): Promise<readonly string[]> {
    this.#checkOpen();
    return [...new Set((await Promise.all(this.#all.map((shard) => shard.reader.types()))).flat())];
  }

  /** All records of a type in pieces, as `ShardReader.pieces`. */
  pieces(type: string): AsyncGenerator<readonly StoredRecord[]> {
    return this.#group(this.shardOf(type)).pieces(type);
  }

  async history(type: string): Promise<TypeHistory> {
    return this.#group(this.shardOf(type)).history(type);
  }

  async commit(change: Commit): Promise<number> {
    const {type, key, guard} = change;
    const group = this.#group(this.shardOf(type));
    const place = this.placeOf(type, key);
    if (guard !== undefined && this.placeOf(guard.type, guard.key) !== place) {
      throw new RangeError(`${guard.type} ${guard.key} cannot guard ${type} ${key}: they are in different places of the store`);
    }
    const commit = group.commit(this.#all[place]!, change);
    this.#underWay.add(commit);
    try {
      return await commit;
    } finally {
      this.#underWay.delete(commit);
    }
  }

  async revision(shard: number): Promise<number> {
    return this.#group(shard).revision();
  }

  async follow(shard: number, after: number, listener: LogListener): Promise<LogFollower> {
    return this.#group(shard).follow(after, listener);
  }

  async compact(shard: number, upTo: number): Promise<void> {
    await this.#group(shard).compact(upTo);
  }

  /** Servers may share a Redis: its clock counts, not theirs. */
  now(): number {
    return this.#all[0]!.now();
  }

  async ping(): Promise<void> {
    this.#checkOpen();
    await Promise.all(this.#all.map((shard) => shard.ping()));
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#stopTrimming();
    for (const group of this.#groups) group.close();
    for (const shard of this.#all) shard.endFollowers(closedError());
    await Promise.allSettled(this.#underWay);
    await Promise.all(this.#all.map((shard) => shard.close()));
    await Promise.all([this.#lineage.close(), this.#connector.close()]);
  }

  async #trim(olderThanMillis: number): Promise<void> {
    for (const shard of this.#all) {
      try {
        await shard.compact({olderThanMillis});
      } catch (error) {
        // The next turn tries again; requests report an absent Redis loudly enough.
        if ((error as StoreError).code !== 'Closed') this.#logger.debug({err: error}, 'the log could not be trimmed');
      }
    }
  }

  #group(index: number): ShardGroup {
    this.#checkOpen();
    const group = this.#groups[index];
    if (group === undefined) throw new RangeError(`there is no shard ${index}`);
    return group;
  }

  #checkOpen(): void {
    if (this.#closed !== undefined) throw closedError();
  }
}
