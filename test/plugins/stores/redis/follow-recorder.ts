import type {LogEntry, LogListener} from '../../../../sdk/index.js';
import {until} from '../../../helpers/eventually.js';

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

  async reached(revision: number): Promise<void> {
    await until(`revision ${revision} is delivered`, () => (this.entries.at(-1)?.revision ?? 0) >= revision);
  }

  async ended(): Promise<Error> {
    await until('the follower ends', () => this.ends.length > 0);
    return this.ends[0]!;
  }
}
