import type {
  Commit,
  LogFollower,
  LogListener,
  Logger,
  Store,
  StoredRecord,
  StoreError,
  TypeContents,
  TypeHistory,
} from '../../../sdk/index.js';
import type {LineageFile} from '../../../sdk/stores/index.js';
import type {Connector} from './connector.js';
import {closedError} from './link.js';
import type {Shard} from './shard.js';
import {shardOf} from './shard-keys.js';

/** `Store` over Redis. What it does is done by its shards; this finds the shard and keeps the order of closing. */
export class RedisStore implements Store {
  #closed: Promise<void> | undefined;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #trimming: NodeJS.Timeout;
  readonly #all: readonly Shard[];
  readonly #logger: Logger;
  readonly #lineage: LineageFile;
  readonly #connector: Connector;

  /** `historyMillis`: log entries older than that are dropped from time to time. `lineage` and `connector` are closed with the store. */
  constructor(
    readonly durability: string,
    all: readonly Shard[],
    historyMillis: number,
    logger: Logger,
    lineage: LineageFile,
    connector: Connector,
  ) {
    this.#connector = connector;
    this.#lineage = lineage;
    this.#all = all;
    this.#logger = logger;
    const period = Math.min(Math.max(historyMillis / 20, 1000), 15_000);
    this.#trimming = setInterval(() => void this.#trim(historyMillis), period).unref();
  }

  get shards(): number {
    return this.#all.length;
  }

  shardOf(type: string): number {
    return shardOf(type, this.#all.length);
  }

  async read(type: string, key: string): Promise<StoredRecord | undefined> {
    return this.#shard(this.shardOf(type)).reader.read(type, key);
  }

  async list(type: string): Promise<TypeContents> {
    return this.#shard(this.shardOf(type)).reader.list(type);
  }

  async types(): Promise<readonly string[]> {
    this.#checkOpen();
    return (await Promise.all(this.#all.map((shard) => shard.reader.types()))).flat();
  }

  /** All records of a type in pieces, as `ShardReader.pieces`. */
  pieces(type: string): AsyncGenerator<readonly StoredRecord[]> {
    return this.#shard(this.shardOf(type)).reader.pieces(type);
  }

  async history(type: string): Promise<TypeHistory> {
    return this.#shard(this.shardOf(type)).reader.history(type);
  }

  async commit(change: Commit): Promise<number> {
    const commit = this.#shard(this.shardOf(change.type)).commit(change);
    this.#underWay.add(commit);
    try {
      return await commit;
    } finally {
      this.#underWay.delete(commit);
    }
  }

  async revision(shard: number): Promise<number> {
    return this.#shard(shard).revision();
  }

  async follow(shard: number, after: number, listener: LogListener): Promise<LogFollower> {
    return this.#shard(shard).follow(after, listener);
  }

  async compact(shard: number, upTo: number): Promise<void> {
    await this.#shard(shard).compact({upTo});
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
    clearInterval(this.#trimming);
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

  #shard(index: number): Shard {
    this.#checkOpen();
    const shard = this.#all[index];
    if (shard === undefined) throw new RangeError(`there is no shard ${index}`);
    return shard;
  }

  #checkOpen(): void {
    if (this.#closed !== undefined) throw closedError();
  }
}
