import {StoreError, type LogEntry, type StoreErrorCode, type StoredRecord} from '../../../sdk/index.js';
import {ownValue} from './frames.js';

/** Raised when the messages change: both sides must have the same. */
export const protocol = 1;

/** Revision, time, type, key, and the revision that was replaced, 0 if none. The new value is beside it. */
export type EntryRow = readonly [revision: number, time: number, type: string, key: string, previous: number];
/** Key and revision; the value is beside it. */
export type RecordRow = readonly [key: string, revision: number];

/** What the store says first on a connection. */
export interface Hello {
  readonly hello: number;
  readonly durability: string;
  /** Another one means that the history is another one. */
  readonly epoch: string;
  /** Made when the socket was opened, and found in the head file as long as this process serves the store. */
  readonly term: number;
  readonly headFile: string;
}

export type Request =
  | {readonly op: 'read'; readonly type: string; readonly key: string}
  | {readonly op: 'list' | 'history'; readonly type: string}
  | {readonly op: 'types' | 'ping'}
  | {
      readonly op: 'commit';
      readonly type: string;
      readonly key: string;
      readonly expected: number;
      readonly guard?: {readonly type: string; readonly key: string; readonly revision: number} | undefined;
    }
  | {readonly op: 'follow'; readonly follower: number; readonly after: number}
  | {readonly op: 'unfollow'; readonly follower: number}
  | {readonly op: 'compact'; readonly upTo: number};

export type Answer =
  /** `more`: a part of a long answer, whose last part is without it. */
  {readonly id: number; readonly more?: true; readonly result: unknown} | {readonly id: number; readonly error: ErrorRow};

/** Entries of the log for a follower, or the end of it. */
export type FollowerMessage =
  | {readonly follower: number; readonly upTo: number; readonly entries: readonly EntryRow[]}
  | {readonly follower: number; readonly end: ErrorRow};

export interface ErrorRow {
  readonly code: StoreErrorCode;
  readonly message: string;
  readonly floor?: number | undefined;
  readonly indeterminate?: true;
  readonly current?: RecordRow;
}

/** An error, and the value of the record that it names. */
export function errorRow(error: unknown): {row: ErrorRow; values: Buffer[]} {
  if (!StoreError.is(error)) {
    return {row: {code: 'Unavailable', message: `the store failed: ${(error as Error).message}`, indeterminate: true}, values: []};
  }
  const {code, message, floor, indeterminate, current} = error;
  const row: ErrorRow = {
    code,
    message,
    floor,
    ...(indeterminate ? {indeterminate} : {}),
    ...(current ? {current: [current.key, current.revision]} : {}),
  };
  return {row, values: current ? [current.value] : []};
}

export function errorOf({code, message, floor, indeterminate, current}: ErrorRow, value: Buffer | null | undefined): StoreError {
  return new StoreError(code, message, {
    ...(floor === undefined ? {} : {floor}),
    ...(indeterminate ? {indeterminate} : {}),
    ...(current && value ? {current: recordOf(current, value)} : {}),
  });
}

export function recordOf([key, revision]: RecordRow, value: Buffer): StoredRecord {
  return {key, revision, value: ownValue(value)};
}

export function entryRow({revision, time, type, key, previous}: LogEntry): EntryRow {
  return [revision, time, type, key, previous?.revision ?? 0];
}

/** @param replaced the value of the replaced record, if it is sent */
export function entryOf([revision, time, type, key, previous]: EntryRow, value: Buffer | null, replaced?: Buffer | null): LogEntry {
  const entry = {revision, time, type, key, value: value && ownValue(value)};
  if (previous === 0) return entry;
  return {...entry, previous: {revision: previous, ...(replaced ? {value: ownValue(replaced)} : {})}};
}
