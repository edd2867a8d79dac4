import {StoreError, type LogEntry, type LogFollower, type LogListener} from '../../../sdk/index.js';
import type {RevisionStride} from './revision-stride.js';

/** Bytes of entries that may wait for a shard that cannot be read. */
const mostBytes = 64 * 1024 * 1024;
/** Approximate memory of an entry without its value, in bytes. */
const overhead = 512;

/** One shard's part of a follower. */
interface Part {
  readonly stride: RevisionStride;
  /** Up to which it was delivered. */
  position: number;
  /** Entries that may still be preceded by those of other shards. */
  waiting: LogEntry[];
  follower: LogFollower | undefined;
}

/**
 * Follows shards with a common order and merges their entries: an entry is delivered once no other shard can give out a lower
 * revision.
 */
export class MergedFollower implements LogFollower {
  #released: number;
  #closed = false;
  #bytes = 0;
  readonly #parts: Part[];
  readonly #listener: LogListener;
  readonly #behind: (upTo: number) => void;

  /** @param behind called with the revision that lagging shards must reach before waiting entries can be delivered */
  constructor(listener: LogListener, strides: readonly RevisionStride[], after: number, behind: (upTo: number) => void) {
    this.#listener = listener;
    this.#released = after;
    this.#behind = behind;
    this.#parts = strides.map((stride) => ({stride, position: after, waiting: [], follower: undefined}));
  }

  /** The listener of one shard. */
  listenerOf(index: number): LogListener {
    const part = this.#parts[index]!;
    return {
      wants: (type) => this.#listener.wants?.(type) ?? true,
      onEntries: (entries, upTo = entries.at(-1)?.revision ?? 0) => {
        if (this.#closed) return;
        for (const entry of entries) part.waiting.push(entry);
        this.#bytes += bytesOf(entries);
        part.position = Math.max(part.position, upTo);
        this.#release();
        if (this.#bytes > mostBytes) {
          this.#end(new StoreError('Compacted', 'one shard of the store cannot be read, and too much of the others waits for it'));
        }
      },
      onEnd: (error) => this.#end(error),
    };
  }

  add(index: number, follower: LogFollower): void {
    if (this.#closed) follower.close();
    else this.#parts[index]!.follower = follower;
  }

  hurry(): void {
    for (const {follower} of this.#parts) follower?.hurry?.();
  }

  close(): void {
    this.#closed = true;
    for (const {follower} of this.#parts) follower?.close();
  }

  #end(error: Error): void {
    if (this.#closed) return;
    this.close();
    this.#listener.onEnd(error);
  }

  #release(): void {
    let closed = Infinity;
    let highest = 0;
    for (const {stride, position} of this.#parts) {
      closed = Math.min(closed, stride.closedAt(position));
      highest = Math.max(highest, position);
    }
    const upTo = Math.min(closed, highest);
    if (upTo > this.#released) {
      this.#released = upTo;
      const entries = this.#parts.flatMap((part) => takeUpTo(part, upTo));
      this.#bytes -= bytesOf(entries);
      if (this.#parts.length > 1) entries.sort((a, b) => a.revision - b.revision);
      if (entries.length > 0 || this.#listener.wants !== undefined) this.#listener.onEntries(entries, upTo);
    }
    if (!this.#closed && upTo < highest) this.#behind(highest);
  }
}

function bytesOf(entries: readonly LogEntry[]): number {
  return entries.reduce((sum, {value}) => sum + overhead + (value?.length ?? 0), 0);
}

function takeUpTo(part: Part, upTo: number): readonly LogEntry[] {
  const {waiting} = part;
  const end = waiting.findIndex(({revision}) => revision > upTo);
  if (end === 0) return [];
  part.waiting = end < 0 ? [] : waiting.slice(end);
  return end < 0 ? waiting : waiting.slice(0, end);
}
