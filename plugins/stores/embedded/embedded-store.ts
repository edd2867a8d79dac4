import {randomUUID} from 'node:crypto';
import {
  CooperativeScheduler,
  every,
  StoreError,
  type Commit,
  type Lineage,
  type LogEntry,
  type LogFollower,
  type LogListener,
  type Scheduler,
  type Store,
  type StoredRecord,
  type Task,
  type TypeContents,
  type TypeHistory,
} from '../../../sdk/index.js';
import {BufferPieces} from '../../../sdk/stores/index.js';
import {HistoryAge} from './history-age.js';
import {LogFollowers} from './log-followers.js';
import {historyEntry, lostRecord, recordAt} from './log-reader.js';
import {damagedValue, type ChangeHeader, type RecordTable} from './record-table.js';
import {StoreIndex} from './store-index.js';
import {WriteQueue} from './write-queue.js';

/** Memory that a list takes at once for what it reads. */
const readPieceBytes = 256 * 1024;
/** Changes that `history` reads between two looks at the clock. */
const recordsBetweenLooks = 16;
/** Records removed by one write of a compaction. */
const removalsPerWrite = 1000;

export interface EmbeddedStoreOptions {
  /** How long the log is kept, in milliseconds. */
  readonly historyMillis: number;
  /** Most bytes of values that the log alone holds; however many by default. */
  readonly maximumHistoryBytes?: number;
  /** That of the server; by default a new one. */
  readonly scheduler?: Scheduler;
  /** Of the history; by default a new one. */
  readonly epoch?: string;
  /** How far the history is remembered outside of the table. */
  readonly lineage?: () => Lineage | undefined;
  /** Called when cutting the log by age fails; it is retried automatically. */
  readonly onCutFailure: (error: StoreError) => void;
  /** Called for each change once it is durable. */
  readonly onWritten?: (record: ChangeHeader) => void;
  /** Called when the store is closed. */
  readonly onClose?: () => Promise<void>;
}

/**
 * A store that one process uses exclusively, so that commits are decided in memory: over a table in memory or on disk.
 * It has one shard. Values are neither copied nor changed: followers and readers get the committed buffers.
 */
export class EmbeddedStore implements Store {
  readonly shards = 1;
  readonly exclusive = true;
  readonly durability: string;
  readonly keepsValues: boolean;
  readonly epoch: string;
  readonly lineages?: () => readonly Lineage[];
  readonly #index: StoreIndex;
  readonly #followers: LogFollowers;
  readonly #queue: WriteQueue;
  readonly #age: HistoryAge;
  readonly #stopCutting: () => void;
  #compaction: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;
  readonly #table: RecordTable;
  readonly #scheduler: Scheduler;
  readonly #onClose: (() => Promise<void>) | undefined;
  /** Revisions of records that are no longer needed and still in the table, in the order in which they must be removed. */
  #unneeded: readonly number[];

  /** Reads the headers of all changes in the table. Throws `Corrupt` when they do not fit together. */
  constructor(table: RecordTable, options: EmbeddedStoreOptions) {
    this.#table = table;
    this.#scheduler = options.scheduler ?? new CooperativeScheduler();
    this.durability = table.durability;
    this.keepsValues = table.keepsValues;
    this.epoch = options.epoch ?? randomUUID();
    const {lineage} = options;
    if (lineage) this.lineages = () => [lineage()].filter((one) => one !== undefined);
    this.#index = new StoreIndex(table.floor);
    this.#age = new HistoryAge(options.historyMillis, options.maximumHistoryBytes);
    this.#unneeded = this.#index.load(this.#agedHeaders());
    this.#followers = new LogFollowers(table, this.#index, this.#scheduler);
    this.#queue = new WriteQueue(table, this.#index, this.#followers, this.#scheduler, (record) => {
      this.#noteAge(record, options);
      options.onWritten?.(record);
    });
    this.#onClose = options.onClose;
    if (this.#unneeded.length > 0) {
      this.#compaction = this.#remove().catch((error) => options.onCutFailure(error as StoreError));
    }
    this.#stopCutting = every(this.#age.interval, () => this.#cutByAge(options));
  }

  shardOf(): number {
    return 0;
  }

  async read(type: string, key: string): Promise<StoredRecord | undefined> {
    this.#requireOpen();
    const record = this.#record(type, key);
    if (record?.value === damagedValue) throw new StoreError('Corrupt', `${type} ${key} of the store is damaged`);
    return record;
  }

  async list(type: string): Promise<TypeContents> {
    this.#requireOpen();
    const {revision} = this.#index;
    return {revision, records: this.#records(type, revision)};
  }

  /** What has been changed since the reading began is left out, and what was deleted: the log has it. */
  *#records(type: string, upTo: number): Iterable<StoredRecord> {
    const pieces = new BufferPieces(readPieceBytes);
    for (const [key, revision] of this.#index.live(type)) {
      if (revision > upTo) continue;
      this.#requireOpen();
      yield objectRecord(type, key, revision, this.#table.valueAt(revision, pieces));
    }
  }

  async types(): Promise<readonly string[]> {
    this.#requireOpen();
    return this.#index.types();
  }

  async history(type: string): Promise<TypeHistory> {
    this.#requireOpen();
    const {revision} = this.#index;
    const entries: LogEntry[] = [];
    const task = this.#scheduler.task('background', 'history of the store');
    for (const [position, changed] of this.#index.changesOf(type).entries()) {
      if (position % recordsBetweenLooks === 0) await this.#yieldIfDue(task);
      if (changed > this.#index.floor) entries.push(historyEntry(this.#table, recordAt(this.#table, changed)));
    }
    const {floor} = this.#index;
    // A compaction may have come between two turns.
    return {floor, revision, entries: entries.filter((entry) => entry.revision > floor)};
  }

  commit(change: Commit): Promise<number> {
    if (this.#closing !== undefined) return Promise.reject(closedError());
    // Half of a surrogate pair has no UTF-8: two such keys would be one after a restart.
    if (!change.key.isWellFormed() || !change.type.isWellFormed()) {
      return Promise.reject(new StoreError('Corrupt', `the key ${JSON.stringify(change.key)} is not valid Unicode and cannot be stored`));
    }
    return this.#queue.commit(change);
  }

  revision(): number | Promise<number> {
    return this.#closing === undefined ? this.#index.revision : Promise.reject(closedError());
  }

  async follow(_shard: number, after: number, listener: LogListener): Promise<LogFollower> {
    this.#requireOpen();
    return this.#followers.follow(after, listener);
  }

  async compact(_shard: number, upTo: number): Promise<void> {
    this.#requireOpen();
    const result = this.#compaction.then(() => this.#cut(upTo));
    this.#compaction = result.catch(() => undefined);
    return result;
  }

  /** Rejects while the last write has failed, for example for lack of disk space, unless a write succeeds now. */
  async ping(): Promise<void> {
    this.#requireOpen();
    if (this.#queue.lastFailure !== undefined) await this.#queue.cut(this.#index.floor, []);
  }

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #shutDown(): Promise<void> {
    this.#stopCutting();
    await this.#compaction;
    await this.#queue.drained();
    this.#followers.end(closedError());
    await this.#table.close();
    await this.#onClose?.();
  }

  #record(type: string, key: string): StoredRecord | undefined {
    const revision = this.#index.revisionOf(type, key);
    if (revision === 0) return undefined;
    return objectRecord(type, key, revision, this.#table.get(revision)?.value);
  }

  *#agedHeaders() {
    for (const header of this.#table.headers(0)) {
      if (header.revision > this.#table.floor) this.#age.note(header.time, header.revision);
      yield header;
    }
  }

  async #cut(upTo: number): Promise<void> {
    const floor = Math.min(upTo, this.#index.revision);
    if (floor <= this.#index.floor) return;
    this.#unneeded = this.#unneeded.concat(this.#index.cut(floor));
    await this.#remove();
  }

  /**
   * The first write contains the floor: after that, a restart completes an interrupted removal. What a failed write has left stays first in line: were what a later
   * cut finds removed before it, a deletion could be gone while the record that it hides is there.
   */
  async #remove(): Promise<void> {
    let removed = 0;
    try {
      do {
        await this.#queue.cut(this.#index.floor, this.#unneeded.slice(removed, removed + removalsPerWrite));
        removed += removalsPerWrite;
      } while (removed < this.#unneeded.length);
    } finally {
      this.#unneeded = this.#unneeded.slice(removed);
    }
  }

  #noteAge({time, revision, previous}: ChangeHeader, options: EmbeddedStoreOptions): void {
    const isBounded = options.maximumHistoryBytes !== undefined && previous !== 0;
    this.#age.note(time, revision, isBounded ? (this.#table.get(previous)?.value?.length ?? 0) : 0);
    if (this.#age.isTooLarge) this.#cutByAge(options);
  }

  #cutByAge({onCutFailure}: EmbeddedStoreOptions): void {
    const outdated = this.#age.outdated(Date.now());
    if (outdated > 0) this.compact(0, outdated).catch((error: unknown) => onCutFailure(error as StoreError));
  }

  async #yieldIfDue(task: Task): Promise<void> {
    await task.yieldIfDue();
    this.#requireOpen();
  }

  #requireOpen(): void {
    if (this.#closing !== undefined) throw closedError();
  }
}

/** The record of an object, which must be there. */
function objectRecord(type: string, key: string, revision: number, value: Buffer | null | undefined): StoredRecord {
  if (value === undefined) throw lostRecord(revision);
  if (value === null) throw new StoreError('Corrupt', `${type} ${key} of the store is at a revision that deletes it`);
  return {key, revision, value};
}

function closedError(): StoreError {
  return new StoreError('Closed', 'the store is closed');
}
