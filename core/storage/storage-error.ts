/** An object whose content cannot be had. */
export interface UnreadableObject {
  readonly name: string;
  readonly reason: string;
}

/**
 * Errors of storage, in addition to those of the store (`StoreError`). Storage knows revisions and keys; `core/registry/store-errors.ts`
 * turns each code into a Status.
 *
 * - `FutureRevision`: a revision that was not reached within the time that storage waits
 * - `ListTooOld`, `WatchTooOld`: the history does not reach back to a revision; `oldest` is the first one available
 * - `WatchTooSlow`: a watch whose client reads events more slowly than they occur
 * - `HistoryLost`: the history of a type was lost or replaced, which ends all its watches
 * - `InvalidContinue`: a continue token that was not issued for this list
 * - `ExpiredContinue`: a continue token whose revision has been compacted; `continueToken` continues with the rest of the current collection
 * - `NotServed`: the type is no longer served
 * - `Unreadable`: the value of one object cannot be decrypted. `name` is its type and key; of a list, `others` are the next of which that is so
 */
export type StorageFailure =
  | {readonly code: 'FutureRevision'; readonly requested: number; readonly current: number}
  | {readonly code: 'ListTooOld' | 'WatchTooOld'; readonly requested: number; readonly oldest: number}
  | {readonly code: 'WatchTooSlow' | 'HistoryLost' | 'NotServed'}
  | {readonly code: 'InvalidContinue'; readonly problem: string}
  | ({readonly code: 'Unreadable'; readonly others?: readonly UnreadableObject[]} & UnreadableObject)
  | {readonly code: 'ExpiredContinue'; readonly continueToken: string};

export class StorageError extends Error {
  override readonly name = 'StorageError';

  constructor(
    readonly failure: StorageFailure,
    options?: ErrorOptions,
  ) {
    super(failure.code, options);
  }
}
