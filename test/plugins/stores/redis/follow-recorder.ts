import type {LogEntry, LogListener} from '../../../../sdk/index.js';
import {eventually} from './eventually.js';

/** Keeps what a follower delivers. */
export class FollowRecorder implements LogListener {
  readonly entries: LogEntry[] = [];
  readonly ends: Error[] = [];

  get revisions(): number[] {
    return this.entries.map((entry) => entry.revision);
  }

  onEntries(entries: readonly LogEntry[]): void {
    this.entries.push(...entries);
  }

  onEnd(error: Error): void {
    this.ends.push(error);
  }

  reached(revision: number): Promise<void> {
    return eventually(() => (this.entries.at(-1)?.revision ?? 0) >= revision, `revision ${revision} is delivered`);
  }

  async ended(): Promise<Error> {
    await eventually(() => this.ends.length > 0, 'the follower ends');
    return this.ends[0]!;
  }
}
