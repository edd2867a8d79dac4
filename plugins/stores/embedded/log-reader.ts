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

/** The log entry of a change, with the record that it replaced. */
export function logEntry(table: RecordTable, record: ChangeRecord): LogEntry {
  const {revision, time, type, key, value} = record;
  if (record.previous === 0) return {revision, time, type, key, value};
  const {value: replaced} = recordAt(table, record.previous);
  if (replaced === null) throw new StoreError('Corrupt', `revision ${revision} of the store replaces a deletion`);
  return {revision, time, type, key, value, previous: {revision: record.previous, value: replaced}};
}
