import {StoreError, type Commit, type Scheduler, type StoredRecord, type Task} from '../../../sdk/index.js';
import {TransientMap} from '../../../sdk/stores/index.js';
import type {LogFollowers} from './log-followers.js';
import {recordAt} from './log-reader.js';
import {damagedValue, type ChangeRecord, type RecordTable} from './record-table.js';
import type {StoreIndex} from './store-index.js';

/** Bounds of one write to the table: beyond them a transaction holds too much memory for too long. */
const maxRecords = 4096;
const maxBytes = 32 * 1024 * 1024;

/** Commits published together: followers and waiting writers take some microseconds for each. */
const commitsAtOnce = 4;

/** A commit that was accepted and is not yet durable. */
interface PendingCommit {
  readonly record: ChangeRecord;
  readonly resolve: (revision: number) => void;
  readonly reject: (error: StoreError) => void;
  /** Refusals that hold only if this commit becomes durable. */
  readonly refusals: {readonly error: StoreError; readonly reject: (error: StoreError) => void}[];
}

interface PendingCut {
  readonly floor: number;
  readonly remove: readonly number[];
  readonly resolve: () => void;
  readonly reject: (error: StoreError) => void;
}

/**
 * Decides commits in the order in which they come, against the state with all accepted ones, and makes them durable
 * together: while one write is in flight, the next one collects. After a write, the next is scheduled, and the commits of the first are published in order, a few in
 * each turn of the event loop: the index is updated, followers get the entries, the commits are acknowledged.
 *
 * If a write fails, earlier commits are published, its commits fail with `Unavailable` (indeterminate), and so do those that waited (these had no effect);
 * the table is reopened, and changes that were written after all are applied like any others.
 */
export class WriteQueue {
  #commits: PendingCommit[] = [];
  /** Durable commits; those from `#known` on are not published yet. */
  #durable: readonly PendingCommit[] = [];
  #known = 0;
  readonly #cuts: PendingCut[] = [];
  /** The last accepted commit of a record that is not yet durable, by type and key. */
  readonly #pending = new Map<string, TransientMap<string, PendingCommit>>();
  #lastRevision: number;
  #lastTime: number;
  #writing = false;
  #scheduled = false;
  #failure: StoreError | undefined;
  #recovering: Promise<void> | undefined;
  #idle: (() => void)[] = [];
  readonly #table: RecordTable;
  readonly #index: StoreIndex;
  readonly #followers: LogFollowers;
  readonly #written: (record: ChangeRecord) => void;
  readonly #task: Task;

  constructor(
    table: RecordTable,
    index: StoreIndex,
    followers: LogFollowers,
    scheduler: Scheduler,
    written: (record: ChangeRecord) => void,
  ) {
    this.#table = table;
    this.#index = index;
    this.#followers = followers;
    this.#written = written;
    this.#task = scheduler.task('delivery', 'commits made known');
    this.#lastRevision = index.revision;
    this.#lastTime = index.time;
  }

  /** Why the last write failed; undefined after one that succeeded. */
  get lastFailure(): StoreError | undefined {
    return this.#failure;
  }

  commit(change: Commit): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.#recovering !== undefined) {
        reject(this.#failure!);
        return;
      }
      const {type, key, expected, value, guard} = change;
      /** Because of a commit that is not yet durable, a refusal waits for it: who tries again then sees what it has changed. */
      const refuse = (error: StoreError, because: PendingCommit | undefined) => {
        if (because === undefined) reject(error);
        else because.refusals.push({error, reject});
      };
      if (guard && this.#acceptedRevision(guard.type, guard.key) !== guard.revision) {
        const error = new StoreError('Fenced', `${guard.type} ${guard.key} is no longer at revision ${guard.revision}`);
        refuse(error, this.#pending.get(guard.type)?.get(guard.key));
        return;
      }
      const before = this.#pending.get(type)?.get(key);
      const current = this.#acceptedRevision(type, key);
      if (current !== expected || (value === null && expected === 0)) {
        refuse(this.#refusal(change, current, before), before);
        return;
      }
      this.#lastTime = Math.max(this.#lastTime, Date.now());
      const record = {revision: ++this.#lastRevision, time: this.#lastTime, type, key, previous: current, deleted: value === null, value};
      const commit: PendingCommit = {record, resolve, reject, refusals: []};
      this.#setPending(commit);
      this.#commits.push(commit);
      this.#schedule();
    });
  }

  /** Writes a new floor and removes records, as part of the next write. */
  cut(floor: number, remove: readonly number[]): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#recovering !== undefined) {
        reject(this.#failure!);
        return;
      }
      this.#cuts.push({floor, remove, resolve, reject});
      this.#schedule();
    });
  }

  /** Resolves when nothing is left to write. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#idle.push(resolve);
      this.#announceIdle();
    });
  }

  /** That of a record with all accepted commits; 0 if it does not exist. */
  #acceptedRevision(type: string, key: string): number {
    const record = this.#pending.get(type)?.get(key)?.record;
    if (record === undefined) return this.#index.revisionOf(type, key);
    return record.deleted ? 0 : record.revision;
  }

  #refusal({type, key, expected, value}: Commit, current: number, before: PendingCommit | undefined): StoreError {
    const name = `${type} ${key}`;
    if (current === 0) return new StoreError('Missing', `${name} is not in the store`);
    let record: StoredRecord;
    try {
      const {revision, value: found} = before?.record ?? recordAt(this.#table, current);
      if (found === damagedValue) return new StoreError('Corrupt', `${name} is damaged`);
      record = {key, revision, value: found!};
    } catch (error) {
      return error as StoreError;
    }
    return expected === 0 && value !== null
      ? new StoreError('Exists', `${name} is in the store already`, {current: record})
      : new StoreError('Mismatch', `${name} is at revision ${current}, not ${expected}`, {current: record});
  }

  #schedule(): void {
    if (this.#writing || this.#scheduled) return;
    this.#scheduled = true;
    this.#table.schedule(() => {
      this.#scheduled = false;
      this.#pump();
    });
  }

  #pump(): void {
    if (this.#writing || this.#recovering !== undefined) return;
    const commits = this.#take();
    const cut = this.#cuts.shift();
    if (commits.length === 0 && cut === undefined) return;
    this.#writing = true;
    let done: void | Promise<void>;
    try {
      done = this.#table.write({records: commits.map((commit) => commit.record), floor: cut?.floor, remove: cut?.remove ?? []});
    } catch (error) {
      done = Promise.reject(error);
    }
    if (done === undefined) this.#finish(commits, cut);
    else
      done.then(
        () => this.#finish(commits, cut),
        (error: unknown) => this.#fail(commits, cut, error),
      );
  }

  /** The commits of the next write. */
  #take(): PendingCommit[] {
    let bytes = 0;
    let count = 0;
    while (count < this.#commits.length && count < maxRecords && bytes < maxBytes)
      bytes += this.#commits[count++]!.record.value?.length ?? 0;
    if (count === this.#commits.length) {
      const all = this.#commits;
      this.#commits = [];
      return all;
    }
    return this.#commits.splice(0, count);
  }

  #finish(commits: readonly PendingCommit[], cut: PendingCut | undefined): void {
    this.#writing = false;
    this.#failure = undefined;
    const isBehind = this.#isBehind;
    this.#durable = isBehind ? [...this.#durable.slice(this.#known), ...commits] : commits;
    this.#known = 0;
    cut?.resolve();
    if (this.#commits.length > 0 || this.#cuts.length > 0) this.#schedule();
    if (!isBehind) void this.#makeAllKnown();
  }

  /** Whether durable commits have yet to be made known. */
  get #isBehind(): boolean {
    return this.#known < this.#durable.length;
  }

  /** Never rejects. */
  async #makeAllKnown(): Promise<void> {
    this.#task.begin();
    while (this.#isBehind) {
      this.#makeKnown(commitsAtOnce);
      const turn = this.#isBehind ? this.#task.yieldIfDue() : undefined;
      if (turn) await turn;
    }
    this.#announceIdle();
  }

  /** Publishes the oldest `count` durable commits. */
  #makeKnown(count: number): void {
    const commits = this.#durable.slice(this.#known, this.#known + count);
    this.#known += commits.length;
    if (!this.#isBehind) this.#durable = [];
    for (const commit of commits) {
      this.#index.apply(commit.record);
      this.#clearPending(commit);
      this.#written(commit.record);
    }
    this.#followers.deliver(commits.map((commit) => commit.record));
    for (const {record, resolve, refusals} of commits) {
      resolve(record.revision);
      for (const {error, reject} of refusals) reject(error);
    }
  }

  #fail(commits: readonly PendingCommit[], cut: PendingCut | undefined, cause: unknown): void {
    const message = `the store could not write: ${cause instanceof Error ? cause.message : String(cause)}`;
    const certain = new StoreError('Unavailable', message, {cause});
    const unknown = new StoreError('Unavailable', message, {cause, indeterminate: true});
    this.#makeKnown(Infinity);
    const waiting = this.#commits;
    const cuts = cut === undefined ? this.#cuts.splice(0) : [cut, ...this.#cuts.splice(0)];
    this.#commits = [];
    this.#pending.clear();
    this.#failure = certain;
    this.#recovering = this.#recover();
    for (const commit of commits) commit.reject(StoreError.is(cause) ? certain : unknown);
    for (const commit of waiting) commit.reject(certain);
    for (const {refusals} of [...commits, ...waiting]) for (const {reject} of refusals) reject(certain);
    for (const {reject} of cuts) reject(certain);
  }

  /** Reopens the table and applies changes that the failed write has left there. */
  async #recover(): Promise<void> {
    try {
      await this.#table.recover();
      for (const header of [...this.#table.headers(this.#index.revision)]) {
        const record = recordAt(this.#table, header.revision);
        this.#index.apply(record);
        this.#written(record);
        this.#followers.deliver([record]);
      }
    } catch (error) {
      this.#failure = new StoreError(
        'Unavailable',
        `the store could not be opened again: ${error instanceof Error ? error.message : String(error)}`,
        {
          cause: error,
        },
      );
    } finally {
      this.#writing = false;
      this.#recovering = undefined;
      this.#announceIdle();
    }
  }

  #setPending(commit: PendingCommit): void {
    let keys = this.#pending.get(commit.record.type);
    if (keys === undefined) this.#pending.set(commit.record.type, (keys = new TransientMap()));
    keys.set(commit.record.key, commit);
  }

  #clearPending(commit: PendingCommit): void {
    const keys = this.#pending.get(commit.record.type);
    if (keys?.get(commit.record.key) === commit) keys.delete(commit.record.key);
  }

  #announceIdle(): void {
    if (this.#writing || this.#isBehind || this.#recovering !== undefined || this.#commits.length > 0 || this.#cuts.length > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
