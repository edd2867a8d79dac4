import {StoreError, type LogEntry, type StoredRecord, type TypeContents, type TypeHistory} from '../../../sdk/index.js';
import type {Reply} from './drivers/redis-driver.js';
import type {Link} from './link.js';
import {logEntry, storedRecord} from './record-codec.js';
import {scripts} from './script.js';
import {epochChangedError, type ShardHead} from './shard-head.js';
import type {ShardKeys} from './shard-keys.js';

/** Records and log entries looked at in one command: few enough that Redis is not held up, also when they are large. */
const pageSize = 128;

/** The reads of one shard. All may be repeated on a new connection, page by page. */
export class ShardReader {
  readonly #link: Link;
  readonly #keys: ShardKeys;
  readonly #head: ShardHead;

  constructor(link: Link, keys: ShardKeys, head: ShardHead) {
    this.#link = link;
    this.#keys = keys;
    this.#head = head;
  }

  async read(type: string, key: string): Promise<StoredRecord | undefined> {
    const raw = await this.#link.retrying((session) => session.send(['HGET', this.#keys.records(type), key]));
    return raw === null ? undefined : storedRecord(key, raw as Buffer);
  }

  async list(type: string): Promise<TypeContents> {
    const revision = await this.#revision();
    const records = new Map<string, StoredRecord>();
    let cursor = '0';
    do {
      const from = cursor;
      const reply = await this.#link.retrying((session) =>
        session.send(['HSCAN', this.#keys.records(type), from, 'COUNT', String(pageSize)]),
      );
      const [next, fields] = reply as [Buffer, Buffer[]];
      for (let index = 0; index < fields.length; index += 2) {
        const record = storedRecord(fields[index]!.toString(), fields[index + 1]!);
        const known = records.get(record.key);
        // A scan may meet a key twice while the hash grows.
        if (known === undefined || known.revision < record.revision) records.set(record.key, record);
      }
      cursor = next.toString();
    } while (cursor !== '0');
    return {revision, records: [...records.values()]};
  }

  async history(type: string): Promise<TypeHistory> {
    const revision = await this.#revision();
    const {epoch} = this.#head;
    const entries: LogEntry[] = [];
    let floor = 0;
    let position = 0;
    do {
      const reply = await this.#link.retrying((session) =>
        session.run(
          scripts.history,
          [this.#keys.head, this.#keys.log],
          [epoch, type, String(Math.max(position, floor)), String(revision), String(pageSize)],
        ),
      );
      const [first, upTo, ...found] = reply as [Buffer, Buffer | undefined, ...Reply[]];
      if (upTo === undefined) return this.#replaced();
      // The log may be compacted meanwhile; what counts is where it begins in the end.
      floor = Number(first.toString());
      position = Number(upTo.toString());
      for (const entry of found) entries.push(logEntry(entry));
    } while (position < revision);
    return {floor, revision: Math.max(revision, floor), entries: entries.filter((entry) => entry.revision > floor)};
  }

  /** A page of the log after a revision, of all types; empty at its end. */
  async page(after: number): Promise<LogEntry[]> {
    const reply = await this.#link.retrying((session) =>
      session.send(['XRANGE', this.#keys.log, `(${after}-0`, '+', 'COUNT', String(pageSize)]),
    );
    return (reply as Reply[]).map(logEntry);
  }

  async #revision(): Promise<number> {
    const reply = await this.#link.retrying((session) => session.send(['HMGET', this.#keys.head, 'epoch', 'rev']));
    const [epoch, revision] = reply as (Buffer | null)[];
    return String(epoch) === this.#head.epoch ? Number(String(revision)) : this.#replaced();
  }

  async #replaced(): Promise<never> {
    await this.#link.retrying((session) => this.#head.attach(session));
    throw epochChangedError();
  }
}

/** The error for a follower, or a call, that asks for a part of the log that was dropped. */
export function compactedError(after: number, floor: number): StoreError {
  return new StoreError('Compacted', `the log no longer reaches back to revision ${after}: it begins after ${floor}`, {floor});
}
