import {DatabaseSync, type StatementSync} from 'node:sqlite';
import {
  StoreError,
  type Commit,
  type LogEntry,
  type LogFollower,
  type LogListener,
  type Store,
  type StoredRecord,
  type TypeContents,
  type TypeHistory,
} from '@orch-api/orch/sdk';

/** Entries that a follower gets at once. */
const batch = 500;

/** Keys are bytes: Node.js 22 cuts texts off at the character of value 0. */
const tables = `
  CREATE TABLE IF NOT EXISTS records (type TEXT, key BLOB, revision INTEGER, value BLOB, PRIMARY KEY (type, key)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS log (
    revision INTEGER PRIMARY KEY, time INTEGER, type TEXT, key BLOB, value BLOB, previousRevision INTEGER, previousValue BLOB
  );
  CREATE INDEX IF NOT EXISTS logOfType ON log (type, revision);
  CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID;
  INSERT OR IGNORE INTO counters VALUES ('revision', 0), ('floor', 0);
`;

type Row = Record<string, unknown>;

/**
 * A store in one SQLite file, for one process. SQLite answers in the same turn of the event loop, so a commit is one transaction and nothing can
 * come between; the price is that the loop waits for the disk at each write.
 */
export class SqliteStore implements Store {
  readonly durability = 'in a SQLite file: what was answered survives a crash of the process and of the machine';
  readonly shards = 1;
  readonly exclusive = true;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #followers = new Set<Follower>();
  #closed = false;

  constructor(file: string) {
    this.#database = new DatabaseSync(file);
    // No second process: it would not learn of the first one's changes.
    this.#database.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${tables}`);
  }

  shardOf(): number {
    return 0;
  }

  async read(type: string, key: string): Promise<StoredRecord | undefined> {
    this.#checkOpen();
    return this.#record(type, key);
  }

  async list(type: string): Promise<TypeContents> {
    this.#checkOpen();
    const rows = this.#prepare('SELECT key, revision, value FROM records WHERE type = ?').all(type) as Row[];
    return {revision: this.#counter('revision'), records: rows.map(recordOf)};
  }

  async history(type: string): Promise<TypeHistory> {
    this.#checkOpen();
    const rows = this.#prepare('SELECT * FROM log WHERE type = ? ORDER BY revision').all(type) as Row[];
    return {floor: this.#counter('floor'), revision: this.#counter('revision'), entries: rows.map(entryOf)};
  }

  async commit({type, key, expected, value, guard}: Commit): Promise<number> {
    this.#checkOpen();
    if (guard && this.#record(guard.type, guard.key)?.revision !== guard.revision)
      throw new StoreError('Fenced', `${guard.type} ${guard.key} is no longer at revision ${guard.revision}`);
    const current = this.#record(type, key);
    if (expected === 0 && current) throw new StoreError('Exists', `${type} ${key} exists`, {current});
    if (expected !== 0 && !current) throw new StoreError('Missing', `${type} ${key} does not exist`);
    if (expected !== 0 && current!.revision !== expected)
      throw new StoreError('Mismatch', `${type} ${key} was changed`, {current: current!});
    const entry: LogEntry = {
      revision: this.#counter('revision') + 1,
      time: Date.now(),
      type,
      key,
      value,
      ...(current ? {previous: {revision: current.revision, value: current.value}} : {}),
    };
    this.#write(entry);
    for (const follower of [...this.#followers]) follower.pump();
    return entry.revision;
  }

  revision(): number {
    this.#checkOpen();
    return this.#counter('revision');
  }

  async follow(_shard: number, after: number, listener: LogListener): Promise<LogFollower> {
    this.#checkOpen();
    const floor = this.#counter('floor');
    if (after < floor) throw new StoreError('Compacted', `the log begins behind revision ${floor}`, {floor});
    const follower = new Follower(listener, after, (position) => this.#entriesAfter(position), this.#followers);
    this.#followers.add(follower);
    follower.pump();
    return follower;
  }

  async compact(_shard: number, upTo: number): Promise<void> {
    this.#checkOpen();
    const floor = Math.min(upTo, this.#counter('revision'));
    if (floor <= this.#counter('floor')) return;
    this.#transaction(() => {
      this.#prepare('DELETE FROM log WHERE revision <= ?').run(floor);
      this.#prepare("UPDATE counters SET value = ? WHERE name = 'floor'").run(floor);
    });
  }

  async ping(): Promise<void> {
    this.#checkOpen();
    this.#counter('revision');
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const follower of [...this.#followers]) follower.end(new StoreError('Closed', 'the store was closed'));
    this.#statements.clear();
    this.#database.close();
  }

  #write({revision, time, type, key, value, previous}: LogEntry): void {
    const keyBytes = blob(Buffer.from(key));
    this.#transaction(() => {
      if (value) this.#prepare('INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?)').run(type, keyBytes, revision, blob(value));
      else this.#prepare('DELETE FROM records WHERE type = ? AND key = ?').run(type, keyBytes);
      const before = [previous?.revision ?? null, previous?.value ? blob(previous.value) : null] as const;
      this.#prepare('INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)').run(revision, time, type, keyBytes, value && blob(value), ...before);
      this.#prepare("UPDATE counters SET value = ? WHERE name = 'revision'").run(revision);
    });
  }

  #entriesAfter(revision: number): LogEntry[] {
    const rows = this.#prepare('SELECT * FROM log WHERE revision > ? ORDER BY revision LIMIT ?').all(revision, batch) as Row[];
    return rows.map(entryOf);
  }

  #transaction(work: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw new StoreError('Unavailable', `SQLite refused the change: ${(error as Error).message}`, {cause: error});
    }
  }

  #record(type: string, key: string): StoredRecord | undefined {
    const row = this.#prepare('SELECT key, revision, value FROM records WHERE type = ? AND key = ?').get(type, blob(Buffer.from(key))) as
      | Row
      | undefined;
    return row && recordOf(row);
  }

  #counter(name: 'revision' | 'floor'): number {
    return (this.#prepare('SELECT value FROM counters WHERE name = ?').get(name) as {value: number}).value;
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    return statement;
  }

  #checkOpen(): void {
    if (this.#closed) throw new StoreError('Closed', 'the store was closed');
  }
}

/** Reads the log at its own pace: whoever writes from within `onEntries` gets that change in the next call. */
class Follower implements LogFollower {
  readonly #listener: LogListener;
  readonly #read: (after: number) => readonly LogEntry[];
  readonly #all: Set<Follower>;
  #position: number;
  #pumping = false;
  #closed = false;

  constructor(listener: LogListener, after: number, read: (after: number) => readonly LogEntry[], all: Set<Follower>) {
    this.#listener = listener;
    this.#position = after;
    this.#read = read;
    this.#all = all;
  }

  /** Delivers all new entries. */
  pump(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      while (!this.#closed) {
        const entries = this.#read(this.#position);
        if (entries.length === 0) return;
        this.#position = entries.at(-1)!.revision;
        this.#listener.onEntries(entries);
      }
    } finally {
      this.#pumping = false;
    }
  }

  end(error: StoreError): void {
    if (this.#closed) return;
    this.close();
    this.#listener.onEnd(error);
  }

  close(): void {
    this.#closed = true;
    this.#all.delete(this);
  }
}

function recordOf(row: Row): StoredRecord {
  return {key: bytes(row['key']).toString(), revision: row['revision'] as number, value: bytes(row['value'])};
}

function entryOf(row: Row): LogEntry {
  const {value, previousRevision, previousValue} = row;
  return {
    revision: row['revision'] as number,
    time: row['time'] as number,
    type: row['type'] as string,
    key: bytes(row['key']).toString(),
    value: value === null ? null : bytes(value),
    ...(previousRevision === null ? {} : {previous: {revision: previousRevision as number, value: bytes(previousValue)}}),
  };
}

const noBytes = new Uint8Array(1).subarray(0, 0);

/** Node.js 22 stores NULL for bytes that have no memory behind them, as some do that are empty. */
function blob(value: Buffer): Uint8Array {
  return value.length === 0 ? noBytes : value;
}

function bytes(value: unknown): Buffer {
  const {buffer, byteOffset, byteLength} = value as Uint8Array;
  return Buffer.from(buffer, byteOffset, byteLength);
}
