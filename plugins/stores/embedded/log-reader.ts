import {StoreError, type LogEntry} from '../../../sdk/index.js';
import type {ChangeRecord, RecordTable} from './record-table.js';

/** The record of a change that must be there. */
export function recordAt(table: RecordTable, revision: number): ChangeRecord {
  const record = table.get(revision);
  if (record === undefined) throw lostRecord(revision);
  return record;
}

export function lostRecord(revision: number): StoreError {
  return new StoreError('Corrupt', `the store has lost the record of revision ${revision}`);
}

/** The log entry of a change for those who follow the log: they have the value that it replaced, which is not read for them. */
export function followedEntry({revision, time, type, key, value, previous}: ChangeRecord): LogEntry {
  const entry = {revision, time, type, key, value};
  return previous === 0 ? entry : {...entry, previous: {revision: previous}};
}

/** The log entry of a change in a history, with the value that it replaced. */
export function historyEntry(table: RecordTable, record: ChangeRecord): LogEntry {
  const entry = followedEntry(record);
  if (entry.previous === undefined) return entry;
  const {value} = recordAt(table, record.previous);
  if (value === null) throw new StoreError('Corrupt', `revision ${record.revision} of the store replaces a deletion`);
  return {...entry, previous: {revision: record.previous, value}};
}
