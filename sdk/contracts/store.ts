/**
 * A record of a store: opaque bytes under a key. `type` groups the keys of one resource type
 * (`plural.group`, or `plural` in the core group); within a type the key is `namespace/name` or `name`.
 */
export interface StoredRecord {
  readonly key: string;
  /** Revision of the commit that wrote the record. */
  readonly revision: number;
  readonly value: Buffer;
}

/**
 * What else must hold for a change to take effect: a record of the same place (`Store.placeOf`) is still at a revision. Whoever changes that record shuts
 * out all who made their changes depend on it.
 */
export interface CommitGuard {
  readonly type: string;
  readonly key: string;
  readonly revision: number;
}

/**
 * One atomic change. It takes effect only if the record matches `expected`:
 * 0 = it does not exist (create), n = it is at revision n (update, or delete when `value` is null).
 */
export interface Commit {
  readonly type: string;
  readonly key: string;
  readonly expected: number;
  readonly value: Buffer | null;
  /** Checked in the same atomic step, before `expected`; the commit is refused as `Fenced` if it does not hold. */
  readonly guard?: CommitGuard | undefined;
}

/** One change as kept in the log. */
export interface LogEntry {
  readonly revision: number;
  /** When the change was made, in milliseconds since 1970, by the store's clock. */
  readonly time: number;
  readonly type: string;
  readonly key: string;
  /** The new bytes, or null for a deletion. */
  readonly value: Buffer | null;
  /**
   * The record that the change replaced or removed: there with its revision for every change but one that created the record, whether the entry that wrote it is still
   * in the log or was cut. Its value is always in a `TypeHistory`. Where the log is followed it may be left out: a follower has that record, from the entries
   * before or from the contents that it read.
   */
  readonly previous?: {readonly revision: number; readonly value?: Buffer};
}

/** Receives the log of a shard. Calls never overlap; none comes after `close()` or `onEnd`. */
export interface LogListener {
  /**
   * Whether changes of a type are of interest now; if it is left out, all are. A store need not deliver others. Whoever begins
   * to want a type does so before it reads the type: earlier changes may have been left out already.
   */
  wants?(type: string): boolean;
  /**
   * New changes in ascending order of revision, without gap or repetition since the last call, up to the revision `upTo`: that of the last
   * one if it is left out. A call without any change only says how far the log has come, and needs `wants` and `upTo`.
   */
  onEntries(entries: readonly LogEntry[], upTo?: number): void;
  /**
   * The log cannot be followed any further; the follower is closed. Codes: `Compacted`, `EpochChanged`, `Closed`, `Corrupt`.
   * A lost connection is not reported here: the store reconnects and resumes where it was.
   */
  onEnd(error: Error): void;
}

export interface LogFollower {
  close(): void;
  /** Somebody waits for what has been committed already: a store that delivers the log in larger parts, to save work, delivers it now. */
  hurry?(): void;
}

/** All records of one type. */
export interface TypeContents {
  /**
   * Revision of the shard when reading began. A record may be newer than that; applying the log entries after
   * `revision` (each only if it is newer than the record of its key) gives the exact state.
   */
  readonly revision: number;
  /**
   * To be gone through once, before the history is asked for: a store may read each record when it is its turn. The value of a record whose bytes are damaged is empty, which none of
   * an object is.
   */
  readonly records: Iterable<StoredRecord>;
}

/** The retained log of one type, oldest first. */
export interface TypeHistory {
  /** The log is complete for revisions above this one. */
  readonly floor: number;
  /** Revision of the shard up to which `entries` is complete. */
  readonly revision: number;
  readonly entries: readonly LogEntry[];
}

/**
 * Where objects are kept. Every implementation passes `storeConformance` of `@orch-api/orch/testing/conformance`.
 *
 * A store is divided into shards, fixed when it is created; a type lives in one shard. Each shard has a revision:
 * an integer, at least 1 after the first commit, that increases with every commit and is never reused, even after a restart.
 * State, revision and log change together in one atomic step.
 *
 * All methods reject with a `StoreError`. `Unavailable` means that the caller may retry: the store goes on, without a restart, as soon as what
 * the message says is put right.
 */
export interface Store {
  /** One sentence about what an acknowledged write survives, for the log at start. */
  readonly durability: string;
  readonly shards: number;
  /** True if no other process can have the store open while this one has. */
  readonly exclusive?: boolean;
  /** True if the buffers of values are kept as they were committed, in this process alone, and handed out again: who commits one may share it with the store. */
  readonly keepsValues?: boolean;
  /** Identifies the history: another one, after a restart too, means that revisions seen before stand for something else or are gone. */
  readonly epoch?: string;
  /** The history of each place as this process has seen it last, for people; left out by stores that begin anew whenever they are opened. */
  lineages?(): readonly Lineage[];
  /** The shard in which a type lives: 0 to `shards` - 1, always the same for the same store. */
  shardOf(type: string): number;
  /** Number of places over which records are spread; if it is left out, each shard is one. Only records of one place change together. */
  readonly places?: number;
  /** The place of a record: 0 to `places` - 1, always the same for the same store. Given together with `places`. */
  placeOf?(type: string, key: string): number;
  /** One record, at least as new as every commit acknowledged before the call (by any server on this store). */
  read(type: string, key: string): Promise<StoredRecord | undefined>;
  /** All records of a type, for warming up a cache. */
  list(type: string): Promise<TypeContents>;
  /** The types that have records. For tools of operators. */
  types?(): Promise<readonly string[]>;
  /** The log of a type as far back as it is kept. */
  history(type: string): Promise<TypeHistory>;
  /** Commits one change, durable when the promise resolves, and returns its revision. Codes: `Exists`, `Missing`, `Mismatch`, `Fenced`. */
  commit(change: Commit): Promise<number>;
  /**
   * The revision of a shard, at least that of every commit acknowledged before the call (by any server on this store).
   * A store that knows it without waiting returns a plain number; one that has to ask answers concurrent calls with one
   * query, sent after the calls were made.
   */
  revision(shard: number): number | Promise<number>;
  /**
   * Delivers the log of a shard after a revision: existing entries first, then new ones as they come. In a store inside this
   * process, the entries of a commit are delivered before the commit's promise resolves.
   * Rejects with `Compacted` if the log does not reach back that far.
   */
  follow(shard: number, after: number, listener: LogListener): Promise<LogFollower>;
  /** Drops log entries up to and including a revision. State is not touched. Resolves when done; idempotent. Servers call it for what is older than `historyMillis`. */
  compact(shard: number, upTo: number): Promise<void>;
  /** Resolves if the store can be reached now; rejects with `Unavailable` and the reason if not. For `/readyz`. */
  ping(): Promise<void>;
  /**
   * The time by the store's clock, in milliseconds since 1970, with which `LogEntry.time` is comparable: servers that share a store
   * judge age by it and not by their own clocks. Without it, the clock of this process counts.
   */
  now?(): number;
  /** Ends followers, waits for commits in flight, releases everything. Later calls reject with `Closed`. */
  close(): Promise<void>;
}

/**
 * How far somebody has seen the history of one shard of a store. Who finds another history in the store than the one that is
 * remembered knows that the store was rolled back, replaced or emptied.
 */
export interface Lineage {
  /** Made when the shard was created: another one means that this is another store. */
  readonly store: string;
  /** Made anew whenever the history was replaced. */
  readonly epoch: string;
  /** The highest revision seen; 0 while nothing was ever committed. */
  readonly revision: number;
  /** Identifies the commit that made this revision; empty if it is not known. */
  readonly commit: string;
  /** When it was seen, in milliseconds since 1970 by the clock of the store. */
  readonly at: number;
}

/** Where a part of a store lies, and what it takes there. */
export interface ShardPlacement {
  /** Host and port of the node that holds it. */
  readonly node: string;
  /** Its slot in a Redis Cluster. */
  readonly slot?: number;
  /** Number of keys of the database. */
  readonly keys: number;
  /** Memory that they take, estimated by the database; left out if it may not be asked. */
  readonly bytes?: number;
}

/** What a shard of a store holds, and what the data directory remembers of it. */
export interface ShardStatus {
  readonly shard: number;
  /** Undefined for a shard that is empty. */
  readonly lineage: Lineage | undefined;
  readonly remembered: Lineage | undefined;
  /** Number of records. */
  readonly records: number;
  /** Where it lies; left out where there is only one place. */
  readonly placement?: ShardPlacement;
  /** Why servers refuse to use the shard: what is missing, in one sentence. Undefined when nothing is. */
  readonly missing: string | undefined;
}

/** What a backup holds of one record. */
export interface BackupRecord {
  readonly type: string;
  readonly key: string;
  readonly revision: number;
  /** Null for a deletion; empty for a record whose bytes are damaged. */
  readonly value: Buffer | null;
  /** A change made while the backup was taken: all that is said of the same record at a lower revision, before or after, is outdated. */
  readonly isChange: boolean;
}

/** Receives a backup in pieces of a few megabytes; the next one comes when the promise has resolved. */
export type BackupTaker = (records: readonly BackupRecord[]) => Promise<void>;

export interface RestoreOptions {
  /** What the store holds may go. Without it a store that holds records is refused. */
  readonly replace: boolean;
  /** Revisions begin above this one, and above all that the store and the data directory know of. */
  readonly above: number;
}

export interface FilledRecord {
  readonly type: string;
  readonly key: string;
  readonly value: Buffer;
}

/** What writing the file of a store anew has changed. */
export interface RewrittenStore {
  readonly bytesBefore: number;
  readonly bytes: number;
}

/** A store that is being filled. No server uses it before it is finished, also if that never happens. */
export interface StoreFiller {
  /** Stores records that were not stored yet, at new revisions. */
  fill(records: readonly FilledRecord[]): Promise<void>;
  /** Begins a new epoch with what was stored: servers go on with it, and clients list again. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

export interface StoreOpenOptions {
  /** The value of `--store`, for example `embedded`, `memory` or `redis://127.0.0.1:6379/0`. */
  readonly url: string;
  /** Absolute path of the server's data directory; it may not exist yet. */
  readonly dataDir: string;
  /**
   * How long the log is kept, in milliseconds (5 minutes by default). The server cuts it, by `compact`: a store need not look at this. One that drops
   * entries by itself keeps them for at least so long, unless they are too many for the memory of this process.
   */
  readonly historyMillis: number;
}

/** Contributed by a plugin as a class decorated with `@store`; selected by the scheme of `--store`. */
export interface StoreProvider {
  /** Opens or creates the store. Rejects with an error whose message is one clear sentence. */
  open(options: StoreOpenOptions, signal: AbortSignal): Promise<Store>;
  /** Lets other processes of this machine use a store of this process, by a URL of the provider's scheme, until it is closed. */
  serve?(store: Store, url: string): Promise<{close(): Promise<void>}>;
  /** What is in the store, without opening it and without changing anything. For `orch store status`. */
  status?(options: StoreOpenOptions, signal: AbortSignal): Promise<readonly ShardStatus[]>;
  /**
   * An operator accepts that data is missing: what is left begins a new epoch, and servers go on with it without a restart. Shards
   * that miss nothing are left alone. Answers the status before. For `orch store accept-loss`.
   */
  acceptLoss?(options: StoreOpenOptions, signal: AbortSignal): Promise<readonly ShardStatus[]>;
  /**
   * Hands over all records as they are at one revision of each shard, while servers go on writing, and answers these revisions. For
   * `orch store backup`.
   */
  backup?(options: StoreOpenOptions, take: BackupTaker, signal: AbortSignal): Promise<readonly number[]>;
  /** Prepares the store to be filled. For `orch store restore`. Rejects with `Exists` when it holds records that may not go. */
  restore?(options: StoreOpenOptions, how: RestoreOptions, signal: AbortSignal): Promise<StoreFiller>;
  /**
   * Writes the file of a store anew, so that nothing is left in it of what was deleted or overwritten. No server uses the store. For
   * `orch store compact`; a store without a file of its own leaves it out.
   */
  rewrite?(options: StoreOpenOptions, signal: AbortSignal): Promise<RewrittenStore>;
}
