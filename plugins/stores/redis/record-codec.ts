import {StoreError, type LogEntry, type StoredRecord} from '../../../sdk/index.js';
import type {Reply} from './drivers/redis-driver.js';

/** Reads a record as `commit.lua` writes it: decimal revision, NUL, value. The value shares the bytes of `raw`. */
function decodeRecord(raw: Buffer): {revision: number; value: Buffer} {
  const end = raw.indexOf(0);
  const revision = end > 0 ? Number(raw.toString('latin1', 0, end)) : NaN;
  if (!Number.isSafeInteger(revision)) throw new StoreError('Corrupt', 'a record does not begin with its revision');
  return {revision, value: raw.subarray(end + 1)};
}

/** The record of a key, in memory of its own: a slice would keep the whole read buffer alive as long as it is cached. */
export function storedRecord(key: string, raw: Buffer): StoredRecord {
  const {revision, value} = decodeRecord(raw);
  return {key, revision, value: Buffer.from(value)};
}

/** Reads an entry of the log stream: its ID and its fields, which `commit.lua` always writes in the same order. */
export function logEntry(reply: Reply): LogEntry {
  const [id, fields] = reply as [Buffer, Buffer[]];
  if (fields.length !== 14) throw new StoreError('Corrupt', `entry ${id.toString()} of the log has an unknown form`);
  const operation = fields[1]!.toString();
  return {
    revision: Number.parseInt(id.toString(), 10),
    time: Number(fields[11]!.toString()),
    type: fields[3]!.toString(),
    key: fields[5]!.toString(),
    value: operation === 'd' ? null : fields[7]!,
    previous: operation === 'c' ? undefined : decodeRecord(fields[9]!),
  };
}

/** The id of the commit that wrote an entry of the log stream. */
export function commitIdOf(reply: Reply): string {
  return String((reply as [Buffer, Buffer[]])[1][13]);
}
