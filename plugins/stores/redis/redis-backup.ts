import {StoreError, type BackupRecord, type BackupTaker, type LogEntry, type LogFollower, type LogListener} from '../../../sdk/index.js';
import type {RedisStore} from './redis-store.js';

/** Maximum bytes of waiting changes: beyond it they arrive faster than they can be written. */
const mostBytes = 64 * 1024 * 1024;
/** Approximate memory of a change without its value, in bytes. */
const overhead = 256;

/**
 * Reads all records of a store while servers keep writing: every record as it is scanned, and every change since the beginning. Together
 * they are the state at the returned revisions, which the shards had when the last record was read.
 *
 * @throws Error in one sentence if the history is interrupted
 */
export async function backUp(store: RedisStore, take: BackupTaker, signal: AbortSignal): Promise<number[]> {
  const changes: ShardChanges[] = [];
  const followers: LogFollower[] = [];
  const takeChanges = async (upTo?: readonly number[]) => {
    for (const [shard, one] of changes.entries()) {
      const records = one.take(upTo?.[shard]);
      if (records.length > 0) await take(records);
    }
    signal.throwIfAborted();
  };
  try {
    for (let shard = 0; shard < store.shards; shard++) {
      const one = new ShardChanges(await store.revision(shard));
      changes.push(one);
      followers.push(await store.follow(shard, one.position, one));
    }
    for (const type of [...(await store.types())].sort()) {
      for await (const piece of store.pieces(type)) {
        await take(piece.map((record) => ({type, ...record, isChange: false})));
        await takeChanges();
      }
    }
    const revisions = await Promise.all(changes.map((_, shard) => store.revision(shard)));
    while (changes.some(({position}, shard) => position < revisions[shard]!)) {
      await Promise.race(changes.map((one, shard) => one.moved(revisions[shard]!)));
      await takeChanges(revisions);
    }
    await takeChanges(revisions);
    return revisions;
  } catch (error) {
    if (!StoreError.is(error) || (error.code !== 'EpochChanged' && error.code !== 'Compacted')) throw error;
    throw new Error(`the backup is not whole, because the history of the store broke off (${error.message}): run it again`, {cause: error});
  } finally {
    for (const follower of followers) follower.close();
  }
}

/** The changes of a shard that were not taken yet. */
class ShardChanges implements LogListener {
  #position: number;
  #waiting: BackupRecord[] = [];
  #bytes = 0;
  #failure: Error | undefined;
  #next = Promise.withResolvers<void>();

  constructor(after: number) {
    this.#position = after;
  }

  get position(): number {
    return this.#position;
  }

  onEntries(entries: readonly LogEntry[]): void {
    for (const {type, key, revision, value} of entries) {
      this.#position = revision;
      this.#bytes += overhead + (value?.length ?? 0);
      if (this.#bytes <= mostBytes) this.#waiting.push({type, key, revision, value, isChange: true});
    }
    if (this.#bytes > mostBytes) this.#failure ??= new Error('the store changes faster than the backup can be written');
    this.#wake();
  }

  onEnd(error: Error): void {
    this.#failure ??= error;
    this.#wake();
  }

  /** Hands out what waits, up to a revision: later changes are forgotten. */
  take(upTo = Infinity): BackupRecord[] {
    if (this.#failure !== undefined) throw this.#failure;
    const taken = this.#waiting.filter(({revision}) => revision <= upTo);
    this.#waiting = [];
    this.#bytes = 0;
    return taken;
  }

  /** Resolves when there are more changes; never once the revision has been reached. */
  moved(revision: number): Promise<void> {
    return this.#position >= revision && this.#failure === undefined ? new Promise(() => undefined) : this.#next.promise;
  }

  #wake(): void {
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }
}
