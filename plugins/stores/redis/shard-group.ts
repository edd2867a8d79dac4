import type {Commit, LogFollower, LogListener, Logger, StoredRecord, TypeContents, TypeHistory} from '../../../sdk/index.js';
import {MergedFollower} from './merged-follower.js';
import type {Shard} from './shard.js';
import {epochChangedError} from './shard-head.js';
import {compactedError} from './shard-reader.js';

/** Milliseconds to let the server that wrote advance the other shards. It does so before it answers, unless it was killed. */
const othersMillis = 25;
/** How long until a shard that could not be advanced is tried again. */
const retryMillis = 500;
/** Maximum attempts while the history keeps being replaced. */
const attempts = 3;

/**
 * Shards with a common order of revisions, which appear as one. Each gives out revisions of its own remainder, so no two are the same. A
 * shard that lags behind another one is *advanced*: it then gives out no lower revision. This is done before a write is answered and before a revision
 * is read, so later operations on any server come later in the order. The state at a revision is that of all shards once all have reached it.
 */
export class ShardGroup {
  /** Revision to which shards are to be advanced for a waiting follower. */
  #target = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  readonly #shards: readonly Shard[];
  readonly #logger: Logger;

  constructor(shards: readonly Shard[], logger: Logger) {
    this.#shards = shards;
    this.#logger = logger;
  }

  async commit(shard: Shard, change: Commit): Promise<number> {
    const revision = await shard.commit(change);
    // A write does not fail because another shard is unreachable: the latest state cannot be read then anyway.
    await this.#advance(revision).catch((error: unknown) => this.#logFailure(error));
    return revision;
  }

  /** The highest revision, after all shards have come to it. */
  async revision(): Promise<number> {
    const revisions = await Promise.all(this.#shards.map((shard) => shard.revision()));
    const latest = revisions.reduce((highest, revision) => Math.max(highest, revision), 0);
    await this.#advance(latest);
    return latest;
  }

  /** All records of a type: each shard is read after it has come to the revision that is answered. */
  list(type: string): Promise<TypeContents> {
    return this.#inOneEpoch(async () => {
      const revision = await this.revision();
      const contents = await Promise.all(this.#shards.map((shard) => shard.reader.list(type)));
      return {revision, records: contents.flatMap(({records}) => [...records])};
    });
  }

  /** The log of a type up to the revision to which all shards had come. */
  history(type: string): Promise<TypeHistory> {
    return this.#inOneEpoch(async () => {
      await this.revision();
      const histories = await Promise.all(this.#shards.map((shard) => shard.reader.history(type)));
      const closed = this.#shards.map(({stride}, index) => stride.closedAt(histories[index]!.revision));
      const floor = Math.max(...histories.map((history) => history.floor));
      const revision = Math.max(floor, Math.min(Math.max(...histories.map((history) => history.revision)), ...closed));
      const entries = histories
        .flatMap((history) => history.entries)
        .filter((entry) => entry.revision > floor && entry.revision <= revision)
        .sort((a, b) => a.revision - b.revision);
      return {floor, revision, entries};
    });
  }

  /** All records of a type in pieces, as `ShardReader.pieces`. */
  async *pieces(type: string): AsyncGenerator<readonly StoredRecord[]> {
    for (const shard of this.#shards) yield* shard.reader.pieces(type);
  }

  async follow(after: number, listener: LogListener): Promise<LogFollower> {
    // Only another history can have reached so far.
    if (!this.#isKnown(after) && after > (await this.revision())) throw epochChangedError();
    const floor = Math.max(...(await Promise.all(this.#shards.map((shard) => shard.floor()))));
    if (after < floor) throw compactedError(after, floor);
    const merged = new MergedFollower(
      listener,
      this.#shards.map(({stride}) => stride),
      after,
      (upTo) => this.#advanceLater(upTo),
    );
    const follow = async (shard: Shard, index: number): Promise<void> => {
      merged.add(index, await shard.follow(Math.min(after, shard.known), merged.listenerOf(index)));
    };
    try {
      await Promise.all(this.#shards.map(follow));
    } catch (error) {
      merged.close();
      throw error;
    }
    return merged;
  }

  async compact(upTo: number): Promise<void> {
    await Promise.all(this.#shards.map((shard) => shard.compact({upTo})));
  }

  /** Begins nothing any more. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** Whether all shards are known to have reached a revision, and one of them is exactly there. */
  #isKnown(revision: number): boolean {
    return this.#shards.some(({known}) => known >= revision) && this.#shards.every(({stride, known}) => stride.closedAt(known) >= revision);
  }

  async #advance(upTo: number): Promise<void> {
    const behind = this.#shards.filter(({stride, known}) => stride.closedAt(known) < upTo);
    if (behind.length > 0) await Promise.all(behind.map((shard) => shard.advance(upTo)));
  }

  /** Retries until it succeeds: a follower that waits for an unreachable shard may get no other event that would cause a retry. */
  #advanceLater(upTo: number, millis = othersMillis): void {
    this.#target = Math.max(this.#target, upTo);
    if (this.#closed || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const target = this.#target;
      this.#advance(target).catch((error: unknown) => {
        this.#logFailure(error);
        this.#advanceLater(target, retryMillis);
      });
    }, millis).unref();
  }

  #logFailure(error: unknown): void {
    this.#logger.debug({err: error}, 'a shard of the store could not be advanced');
  }

  /** Retries a read if the history of one of the shards was replaced during it. */
  async #inOneEpoch<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const before = this.#shards.map(({epoch}) => epoch);
      const found = await work();
      if (this.#shards.every(({epoch}, index) => epoch === before[index])) return found;
      if (attempt === attempts) throw epochChangedError();
    }
  }
}
