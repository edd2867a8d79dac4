import {StoreError, type LogEntry, type LogFollower, type LogListener, type Scheduler} from '../../../sdk/index.js';
import {followedEntry} from './log-reader.js';
import type {ChangeRecord, RecordTable} from './record-table.js';
import type {StoreIndex} from './store-index.js';

/** Revisions delivered together to a follower that starts in the past. */
const revisionsAtOnce = 32;

class Follower implements LogFollower {
  closed = false;

  readonly #members: Set<Follower>;

  constructor(
    readonly listener: LogListener,
    /** Only later revisions are delivered; they may lie in the future. */
    readonly after: number,
    members: Set<Follower>,
  ) {
    this.#members = members;
  }

  close(): void {
    this.closed = true;
    this.#members.delete(this);
  }
}

/** The followers of the log. */
export class LogFollowers {
  readonly #members = new Set<Follower>();
  #ended: StoreError | undefined;
  readonly #table: RecordTable;
  readonly #index: StoreIndex;
  readonly #scheduler: Scheduler;

  constructor(table: RecordTable, index: StoreIndex, scheduler: Scheduler) {
    this.#table = table;
    this.#index = index;
    this.#scheduler = scheduler;
  }

  /** Delivers the log after a revision, then each new entry. */
  async follow(after: number, listener: LogListener): Promise<LogFollower> {
    const task = this.#scheduler.task('background', 'log of the store');
    for (let position = after; ;) {
      if (this.#ended !== undefined) throw this.#ended;
      if (position < this.#index.floor) {
        throw new StoreError('Compacted', `the log of the store begins after revision ${this.#index.floor}`, {floor: this.#index.floor});
      }
      if (position >= this.#index.revision) break;
      const upTo = Math.min(position + revisionsAtOnce, this.#index.revision);
      const entries = this.#between(position, upTo);
      position = upTo;
      if (entries.length > 0) listener.onEntries(entries);
      if (position < this.#index.revision) await task.yieldIfDue();
    }
    const follower = new Follower(listener, after, this.#members);
    this.#members.add(follower);
    return follower;
  }

  /** Delivers new changes to all followers. */
  deliver(records: readonly ChangeRecord[]): void {
    if (this.#members.size === 0 || records.length === 0) return;
    const entries = records.map(followedEntry);
    for (const follower of [...this.#members]) {
      if (follower.closed) continue;
      const fresh = entries[0]!.revision > follower.after ? entries : entries.filter((entry) => entry.revision > follower.after);
      if (fresh.length > 0) guarded(() => follower.listener.onEntries(fresh));
    }
  }

  /** Ends all followers and refuses new ones. */
  end(error: StoreError): void {
    this.#ended = error;
    const members = [...this.#members];
    this.#members.clear();
    for (const follower of members) {
      if (follower.closed) continue;
      follower.closed = true;
      guarded(() => follower.listener.onEnd(error));
    }
  }

  #between(after: number, upTo: number): LogEntry[] {
    const entries: LogEntry[] = [];
    for (let revision = after + 1; revision <= upTo; revision++) {
      // Revisions may have gaps: those of writes that failed are not used again.
      const record = this.#table.get(revision);
      if (record !== undefined) entries.push(followedEntry(record));
    }
    return entries;
  }
}

/** A listener that throws is a bug of its owner: it surfaces as an uncaught error, and neither the commit nor other listeners suffer. */
function guarded(call: () => void): void {
  try {
    call();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
