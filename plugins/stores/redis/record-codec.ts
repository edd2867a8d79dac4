import {StoreError, type LogEntry, type StoredRecord} from '../../../sdk/index.js';
import type {Reply} from './drivers/redis-driver.js';

/** An entry of the log as it is stored: without values, which are kept once, under the revisions that wrote them. */
export interface LogHead {
  readonly revision: number;
  /** The revision that the shard had before: that of the entry before this one, unless a history began in between. */
  readonly after: number;
  /** Whether nothing was changed, and it only says how far the shard has come (see `advance.lua`). */
  readonly isAdvance: boolean;
  /** Milliseconds since 1970 by the clock of Redis. */
  readonly time: number;
  readonly type: string;
  readonly key: string;
  readonly isDeletion: boolean;
  /** Revision of the record that was replaced or removed; 0 for a creation. */
  readonly previous: number;
  /** Id of the commit. */
  readonly commit: string;
}

/**
 * Reads an entry of the log stream as `commit.lua` writes it: its ID, one field with
 * `OPERATION TIME PREVIOUS COMMIT LENGTH`, a line feed, the type (of that many bytes) and the key, and, where it does not follow the
 * revision just below it, one with the revision that it follows.
 */
export function logHead(reply: Reply): LogHead {
  const [id, fields] = reply as [Buffer, Buffer[]];
  const payload = fields.length === 2 || fields.length === 4 ? fields[1]! : undefined;
  const end = payload?.indexOf(10) ?? -1;
  const [operation, time, previous, commit, length] = end < 0 ? [] : payload!.toString('latin1', 0, end).split(' ');
  const typeEnd = end + 1 + Number(length);
  if (payload === undefined || !(typeEnd <= payload.length)) {
    throw new StoreError('Corrupt', `entry ${id.toString()} of the log has an unknown form`);
  }
  const revision = Number.parseInt(id.toString('latin1'), 10);
  return {
    revision,
    after: fields[3] === undefined ? revision - 1 : Number(String(fields[3])),
    isAdvance: operation === 'p',
    time: Number(time),
    type: payload.toString('utf8', end + 1, typeEnd),
    key: payload.toString('utf8', typeEnd),
    isDeletion: operation === 'd',
    previous: Number(previous),
    commit: commit!,
  };
}

/** The entry with its values. `value` is ignored for a deletion. */
export function logEntry({revision, time, type, key, isDeletion, previous}: LogHead, value: Buffer | null, replaced?: Buffer): LogEntry {
  const entry = {revision, time, type, key, value: isDeletion ? null : value};
  if (previous === 0) return entry;
  return {...entry, previous: replaced === undefined ? {revision: previous} : {revision: previous, value: replaced}};
}

/** A record with a copy of the value: a slice would keep the whole read buffer alive while it is cached. */
export function storedRecord(key: string, revision: string, value: Buffer | null | undefined): StoredRecord {
  if (value === null || value === undefined)
    throw new StoreError('Corrupt', `the store has lost the value of revision ${revision}, ${key}`);
  return {key, revision: Number(revision), value: Buffer.from(value)};
}
