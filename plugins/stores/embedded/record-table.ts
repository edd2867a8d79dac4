import type {BufferPieces} from '../../../sdk/stores/index.js';

/** One change without its bytes. */
export interface ChangeHeader {
  readonly revision: number;
  /** Milliseconds since 1970; never less than that of the previous revision. */
  readonly time: number;
  readonly type: string;
  readonly key: string;
  /** Revision of the record that the change replaced or removed; 0 when there was none. */
  readonly previous: number;
  readonly deleted: boolean;
}

/** One change as the table keeps it. `value` is null for a deletion. */
export interface ChangeRecord extends ChangeHeader {
  readonly value: Buffer | null;
}

/** Marks a damaged value: the rest of the change is intact. */
export const damagedValue = Buffer.alloc(0);

/** One atomic write. */
export interface TableWrite {
  /** New changes in ascending order of revision. */
  readonly records: readonly ChangeRecord[];
  /** The new floor, when the log is cut. */
  readonly floor: number | undefined;
  /** Revisions whose records are no longer needed. */
  readonly remove: readonly number[];
}

/**
 * Where the changes are kept, by revision: the part of the store that differs between memory and disk. The bytes of an
 * object exist once, in the record of the change that wrote them; that record serves the state, the log entry of the
 * change and the `previous` of the change after it, and is removed when none of the three needs it.
 */
export interface RecordTable {
  readonly durability: string;
  /** See `Store`. */
  readonly keepsValues: boolean;
  /** The log is complete above this revision, as read when the table was opened. */
  readonly floor: number;
  /** Headers of all changes above a revision, ascending. Throws `Corrupt`. */
  headers(after: number): Iterable<ChangeHeader>;
  /** The change of a revision. Throws `Corrupt` when more of it is damaged than its value, `Unavailable` while the table recovers. */
  get(revision: number): ChangeRecord | undefined;
  /** The value of the change of a revision, as in `get`, without the rest. What is read from elsewhere gets its memory from `pieces`. */
  valueAt(revision: number, pieces: BufferPieces): Buffer | null | undefined;
  /** Makes one atomic write, durable when it returns or its promise resolves. One write at a time. Throws a StoreError only where nothing was written. */
  write(write: TableWrite): void | Promise<void>;
  /** After a failed write: reopens the table, so that reads show what was really written. */
  recover(): Promise<void>;
  /** Calls back when the next write should start, with everything queued by then. */
  schedule(callback: () => void): void;
  close(): Promise<void>;
}
