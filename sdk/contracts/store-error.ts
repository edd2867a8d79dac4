import type {StoredRecord} from './store.js';

const brand = Symbol.for('orch.StoreError');

/**
 * What can go wrong between the server and a store. Stores know keys and revisions, not objects; the registry translates each code into a
 * Status.
 *
 * - `Exists`: a create found a record with that key; `current` is that record
 * - `Missing`: an update or delete found no record
 * - `Mismatch`: the record is at another revision than the commit expects; `current` is that record
 * - `Fenced`: what the commit's `guard` names is at another revision, or gone
 * - `Compacted`: the log no longer reaches back to the requested revision; `floor` is the first one that can be followed
 * - `EpochChanged`: the store lost or replaced its history; everything read before must be dropped
 * - `Unavailable`: the store cannot be reached now; a retry may succeed. If `indeterminate` is true, it is unknown whether a commit took
 *   effect
 * - `Closed`: the store was closed
 * - `Corrupt`: the store contains invalid data
 */
export type StoreErrorCode =
  | 'Exists'
  | 'Missing'
  | 'Mismatch'
  | 'Fenced'
  | 'Compacted'
  | 'EpochChanged'
  | 'Unavailable'
  | 'Closed'
  | 'Corrupt';

export interface StoreErrorOptions {
  current?: StoredRecord;
  floor?: number;
  indeterminate?: boolean;
  cause?: unknown;
}

export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly current: StoredRecord | undefined;
  readonly floor: number | undefined;
  readonly indeterminate: boolean;

  constructor(
    readonly code: StoreErrorCode,
    message: string,
    options: StoreErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : {cause: options.cause});
    this.current = options.current;
    this.floor = options.floor;
    this.indeterminate = options.indeterminate ?? false;
    Object.defineProperty(this, brand, {value: true});
  }

  /** True for errors of every loaded copy of this package. */
  static is(error: unknown): error is StoreError {
    return typeof error === 'object' && error !== null && brand in error;
  }
}
