import {StoreError, type LogEntry, type StoredRecord, type TypeContents, type TypeHistory} from '../../../sdk/index.js';
import type {ConfirmedHistory} from './confirmed-history.js';
import type {Reply} from './drivers/redis-driver.js';
import {HistoryHeads} from './history-heads.js';
import type {Link} from './link.js';
import {logEntry, logHead, storedRecord, type LogHead} from './record-codec.js';
import {scripts} from './script.js';
import {epochChangedError, type ShardHead} from './shard-head.js';
import type {ShardKeys} from './shard-keys.js';
import {readValues} from './value-reader.js';

/** Records and log entries looked at in one command: their values are read apart, in answers of a bounded size. */
const pageSize = 512;
/** Maximum attempts while the history keeps being replaced. */
const attempts = 3;

/** The reads of one shard. All may be repeated on a new connection, page by page. */
export class ShardReader {
  readonly #link: Link;
  readonly #keys: ShardKeys;
  readonly #head: ShardHead;
  readonly #confirmed: ConfirmedHistory | undefined;
  readonly #heads: HistoryHeads;

  constructor(link: Link, keys: ShardKeys, head: ShardHead, confirmed?: ConfirmedHistory) {
    this.#confirmed = confirmed;
    this.#link = link;
    this.#keys = keys;
    this.#head = head;
    this.#heads = new HistoryHeads(link, keys, async () => {
      const {epoch} = head;
      return {epoch, revision: await this.#revision(epoch)};
    });
  }

  read(type: string, key: string): Promise<StoredRecord | undefined> {
    return this.#inOneEpoch((epoch) => this.#read(epoch, type, key));
  }

  list(type: string): Promise<TypeContents> {
    return this.#inOneEpoch(async (epoch) => {
      // The counts of all types are checked: a list of a type that was lost must not be an empty one.
      await this.#link.retrying((session) => this.#head.attach(session));
      const revision = await this.#revision(epoch);
      const found = new Map<string, number>();
      for await (const page of this.#scan(type)) {
        // A scan may meet a key twice while the hash grows.
        for (const [key, at] of page) if ((found.get(key) ?? 0) < at) found.set(key, at);
      }
      const records: StoredRecord[] = [];
      for await (const piece of this.#pieces(epoch, type, [...found])) for (const record of piece) records.push(record);
      // The records may have been emptied between two pages.
      await this.#revision(epoch);
      return {revision, records};
    });
  }

  /**
   * All records of a type in pieces of a bounded size, each as it is at some moment, each key once. Unlike `list`, it does not begin again
   * when the history is replaced.
   *
   * @throws StoreError `EpochChanged`
   */
  async *pieces(type: string): AsyncGenerator<readonly StoredRecord[]> {
    const {epoch} = this.#head;
    await this.#link.retrying((session) => this.#head.attach(session));
    const met = new Set<string>();
    for await (const page of this.#scan(type)) {
      const fresh = page.filter(([key]) => !met.has(key));
      for (const [key] of fresh) met.add(key);
      yield* this.#pieces(epoch, type, fresh);
    }
    await this.#revision(epoch);
  }

  /** The types of this shard that have records. */
  async types(): Promise<string[]> {
    const reply = (await this.#link.retrying((session) => session.send(['HGETALL', this.#keys.head]))) as Buffer[];
    const found: string[] = [];
    for (let index = 0; index < reply.length; index += 2) {
      const name = reply[index]!.toString();
      if (name.startsWith('n:') && String(reply[index + 1]) !== '0') found.push(name.slice(2));
    }
    return found;
  }

  history(type: string): Promise<TypeHistory> {
    return this.#inOneEpoch(async (epoch) => {
      const found = await this.#heads.of(type);
      if (found.epoch !== epoch) throw epochChangedError();
      return this.#withValues(epoch, found.heads, found.floor, found.revision);
    });
  }

  /** A page of the log after a revision, of all types, without values; empty at its end. */
  async page(after: number): Promise<LogHead[]> {
    const reply = await this.#link.retrying((session) =>
      session.send(['XRANGE', this.#keys.log, `(${after}-0`, '+', 'COUNT', String(pageSize)]),
    );
    return (reply as Reply[]).map(logHead);
  }

  async #read(epoch: string, type: string, key: string): Promise<StoredRecord | undefined> {
    const reply = await this.#link.retrying((session) =>
      session.run(scripts.read, [this.#keys.head, this.#keys.records(type), this.#keys.values(type)], [epoch, key]),
    );
    const [word, revision, value] = reply as [Buffer, Buffer | undefined, Buffer | null | undefined];
    if (String(word) === 'EpochChanged') throw epochChangedError();
    return revision === undefined ? undefined : storedRecord(key, String(revision), value);
  }

  /** The keys of a type and their revisions, page by page. */
  async *#scan(type: string): AsyncGenerator<[key: string, revision: number][]> {
    let cursor = '0';
    do {
      const from = cursor;
      const reply = await this.#link.retrying((session) =>
        session.send(['HSCAN', this.#keys.records(type), from, 'COUNT', String(pageSize)]),
      );
      const [next, fields] = reply as [Buffer, Buffer[]];
      const page: [string, number][] = [];
      for (let index = 0; index < fields.length; index += 2) page.push([fields[index]!.toString(), Number(String(fields[index + 1]))]);
      yield page;
      cursor = next.toString();
    } while (cursor !== '0');
  }

  /** The records with their values, as many at once as go into one answer of Redis. */
  async *#pieces(epoch: string, type: string, found: readonly (readonly [string, number])[]): AsyncGenerator<StoredRecord[]> {
    for (let next = 0; next < found.length;) {
      const wanted = found.slice(next, next + pageSize).map(([, revision]) => ({type, revision}));
      const {values} = await this.#link.retrying((session) => readValues(session, this.#keys, epoch, wanted));
      const records: StoredRecord[] = [];
      for (const value of values) {
        const [key, revision] = found[next++]!;
        // Without a value the record was replaced since, and the log was cut behind that.
        const record = value === null ? await this.#read(epoch, type, key) : {key, revision, value: Buffer.from(value)};
        if (record !== undefined) records.push(record);
      }
      yield records;
    }
  }

  /** The entries of a history, each value read once: most are the value of one entry and the previous one of another. */
  async #withValues(epoch: string, heads: readonly LogHead[], readFloor: number, revision: number): Promise<TypeHistory> {
    let floor = readFloor;
    const needed = new Map<number, string>();
    for (const head of heads) {
      if (head.revision <= floor) continue;
      if (!head.isDeletion) needed.set(head.revision, head.type);
      if (head.previous !== 0) needed.set(head.previous, head.type);
    }
    const wanted = [...needed].map(([at, type]) => ({revision: at, type}));
    const values = new Map<number, Buffer>();
    for (let next = 0; next < wanted.length;) {
      const page = await this.#link.retrying((session) => readValues(session, this.#keys, epoch, wanted.slice(next, next + pageSize)));
      floor = page.floor;
      for (const value of page.values) {
        if (value !== null) values.set(wanted[next]!.revision, value);
        next++;
      }
    }
    const entries: LogEntry[] = [];
    for (const head of heads) {
      if (head.revision <= floor) continue;
      const [value, previous] = [values.get(head.revision), values.get(head.previous)];
      if ((value === undefined && !head.isDeletion) || (previous === undefined && head.previous !== 0)) {
        throw new StoreError('Corrupt', `the store has lost a value of entry ${head.revision} of its log`);
      }
      entries.push(logEntry(head, value ?? null, previous));
    }
    return {floor, revision: Math.max(revision, floor), entries};
  }

  async #revision(epoch: string): Promise<number> {
    const reply = await this.#link.retrying((session) => session.send(['HMGET', this.#keys.head, 'epoch', 'rev']));
    const [current, revision] = reply as (Buffer | null)[];
    if (String(current) !== epoch) throw epochChangedError();
    return Number(String(revision));
  }

  /** Retries a read from the start if the history was replaced during it. */
  async #inOneEpoch<T>(work: (epoch: string) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        const found = await work(this.#head.epoch);
        await this.#confirmed?.latest();
        return found;
      } catch (error) {
        if (!StoreError.is(error) || error.code !== 'EpochChanged' || attempt === attempts) throw error;
        await this.#link.retrying((session) => this.#head.attach(session));
      }
    }
  }
}

/** The error for a follower, or a call, that asks for a part of the log that was dropped. */
export function compactedError(after: number, floor: number): StoreError {
  return new StoreError('Compacted', `the log no longer reaches back to revision ${after}: it begins after ${floor}`, {floor});
}
