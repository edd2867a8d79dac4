import {stat} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import type {RootDatabase, Transaction} from 'lmdb';
import {StoreError} from '../../../sdk/index.js';
import type {BufferPieces} from '../../../sdk/stores/index.js';
import {DirectoryClaim} from './directory-claim.js';
import {requireSpace} from './disk-space.js';
import {looksLikeLmdb} from './lmdb-file.js';
import {makePrivateDirectory} from './private-directory.js';
import {decodeHeader, decodeRecord, decodeValue, encodedLength, encodeRecord} from './record-codec.js';
import {damagedValue, type ChangeHeader, type ChangeRecord, type RecordTable, type TableWrite} from './record-table.js';
import {requireFormat, writeFormat} from './store-format.js';
import {syncDirectories} from './sync-directories.js';
import type {TableLineage} from './table-lineage.js';

type Lmdb = typeof import('lmdb');

/** For `require` lmdb and each of its libraries is one file, for `import` they are 23: 8 ms of processor at a start. */
function loadLmdb(): Lmdb {
  return createRequire(import.meta.url)('lmdb') as Lmdb;
}
type Database = RootDatabase<Buffer, number | string>;

const floorKey = 'floor';
const lineageKey = 'lineage';
export const dataFile = 'data.mdb';
export const lockFile = 'lock.mdb';

/**
 * Changes in LMDB, one database with two kinds of keys:
 * - a number is a revision; its value is the record of that change (record-codec.ts). A commit writes nothing else, so a batch
 *   of commits appends to one end of the tree and its bytes are written once. What is live and what is log follows from
 *   the headers, which are read when the store is opened.
 * - `format` (store-format.ts), `lineage` (continuity.ts) and `floor`, the revision up to which the log was cut. The last revision ever
 *   used is that of the last record or the floor, whichever is higher.
 *
 * A write is durable when its promise resolves, unless `--unsafe-no-fsync` asks for less: LMDB runs without any of its `no sync` options and without overlapping
 * sync, so that the commit (in a thread of its own) has done fdatasync of the data and a synchronous write of the root page.
 */
export class LmdbRecordTable implements RecordTable {
  readonly durability: string;
  readonly keepsValues = false;
  #closed = false;
  readonly #lmdb: Lmdb;
  readonly #directory: string;
  readonly #sync: boolean;
  /** None for a table that is only read. */
  readonly #claim: DirectoryClaim | undefined;
  #db: Database | undefined;
  #floor: number;
  /** Snapshot of a table that is opened for reading only, while another process may write. */
  readonly #moment: {readonly transaction: Transaction} | undefined;

  /** `place` identifies the file, and changes when it is copied. */
  private constructor(
    lmdb: Lmdb,
    directory: string,
    db: Database | undefined,
    floor: number,
    readonly place: string,
    sync: boolean,
    {claim, transaction}: {claim?: DirectoryClaim; transaction?: Transaction},
  ) {
    this.#claim = claim;
    this.#moment = transaction && {transaction};
    this.#lmdb = lmdb;
    this.#directory = directory;
    this.#sync = sync;
    this.#db = db;
    this.#floor = floor;
    this.durability = `LMDB in ${directory}: ${sync ? 'every answered write is synced to disk' : 'answered writes survive the end of this process, but not that of the machine'}`;
  }

  /** Opens or creates the table and makes this process its only user. Without `sync`, the system writes to disk when it likes. Rejects with one clear sentence. */
  static async open(directory: string, {sync = true}: {sync?: boolean} = {}): Promise<LmdbRecordTable> {
    // A store in memory must not pay for loading the native library.
    const lmdb = loadLmdb();
    try {
      const created = await makePrivateDirectory(directory);
      const claim = await DirectoryClaim.take(lmdb, directory);
      try {
        return await LmdbRecordTable.#openClaimed(lmdb, directory, {sync, created, claim});
      } catch (error) {
        await claim.release();
        throw error;
      }
    } catch (error) {
      if (StoreError.is(error)) throw error;
      throw new StoreError('Unavailable', `cannot open the store in ${directory}: ${reason(error)}`, {cause: error});
    }
  }

  static async #openClaimed(
    lmdb: Lmdb,
    directory: string,
    {sync, created, claim}: {sync: boolean; created: string | undefined; claim: DirectoryClaim},
  ): Promise<LmdbRecordTable> {
    const db = await openDatabase(lmdb, directory, sync);
    try {
      if (sync) await syncDirectories(directory, created);
      const floor = Number(db.get(floorKey)?.toString() ?? 0);
      if (!Number.isSafeInteger(floor)) throw new StoreError('Corrupt', `the store in ${directory} has a damaged floor`);
      return new LmdbRecordTable(lmdb, directory, db, floor, await placeOf(directory), sync, {claim});
    } catch (error) {
      await db.close();
      throw error;
    }
  }

  /**
   * Opens a snapshot of a table for reading only, while a server may keep writing. Until it is closed, the file cannot reuse pages
   * that are freed. Rejects with one clear sentence.
   */
  static async openToRead(directory: string): Promise<LmdbRecordTable> {
    if (!(await LmdbRecordTable.exists(directory))) throw new StoreError('Unavailable', `there is no store in ${directory}`);
    await requireLmdb(directory);
    const lmdb = loadLmdb();
    const place = await placeOf(directory);
    const db = lmdb.open<Buffer, number | string>({path: directory, noSubdir: false, encoding: 'binary', readOnly: true});
    try {
      requireFormat(db, directory);
      const transaction = db.useReadTransaction();
      const floor = Number(db.get(floorKey, {transaction})?.toString() ?? 0);
      await requirePlace(directory, place);
      return new LmdbRecordTable(lmdb, directory, db, floor, place, true, {transaction});
    } catch (error) {
      await db.close();
      await requirePlace(directory, place);
      throw error;
    }
  }

  /** Whether there is a table to open. */
  static async exists(directory: string): Promise<boolean> {
    return stat(join(directory, dataFile)).then(
      ({size}) => size > 0,
      () => false,
    );
  }

  get directory(): string {
    return this.#directory;
  }

  get floor(): number {
    return this.#floor;
  }

  /** The lineage in the table; undefined if it is new, or was written by a version without lineages. */
  get lineage(): TableLineage | undefined {
    const text = this.#database.get(lineageKey, this.#moment)?.toString();
    return text === undefined ? undefined : (JSON.parse(text) as TableLineage);
  }

  /** The last revision that was given out; 0 in a new table. */
  get lastRevision(): number {
    return Math.max(this.#floor, this.#last()?.revision ?? 0);
  }

  /** Identifies the last change, as `commitOf`; empty if its revision has no record (any more). */
  get lastCommit(): string {
    const last = this.#last();
    return last !== undefined && last.revision >= this.#floor ? commitOf(last) : '';
  }

  /**
   * Copies the table into an empty folder, without free pages and without leftover bytes in pages.
   */
  async copyTo(directory: string): Promise<void> {
    try {
      await this.#database.backup(directory, true);
    } catch (error) {
      throw new StoreError('Unavailable', `the store in ${this.#directory} cannot be copied: ${reason(error)}`, {cause: error});
    }
  }

  /** Number of records that are not deleted. Reads all headers. */
  countRecords(): number {
    const live = new Set<string>();
    for (const {type, key, deleted} of this.headers(0)) {
      const name = JSON.stringify([type, key]);
      if (deleted) live.delete(name);
      else live.add(name);
    }
    return live.size;
  }

  /** Begins a history durably, with a revision as its floor if given. For a table that has not been read yet. */
  begin(lineage: TableLineage, revision: number | undefined): void {
    this.#database.transactionSync(() => {
      this.#database.putSync(lineageKey, Buffer.from(JSON.stringify(lineage)));
      if (revision !== undefined) this.#database.putSync(floorKey, Buffer.from(String(revision)));
    });
    this.#floor = revision ?? this.#floor;
  }

  *headers(after: number): Iterable<ChangeHeader> {
    for (const key of this.#database.getKeys({start: after + 1, end: Number.MAX_SAFE_INTEGER, ...this.#moment})) {
      if (typeof key !== 'number') continue;
      const bytes = this.#look(key);
      const header = bytes && decodeHeader(key, bytes);
      if (header === undefined) throw this.#damaged(key);
      yield header;
    }
  }

  get(revision: number): ChangeRecord | undefined {
    const bytes = this.#moment ? this.#database.get(revision, this.#moment) : this.#database.getBinary(revision);
    if (bytes === undefined) return undefined;
    const record = decodeRecord(revision, bytes);
    if (record === undefined) throw this.#damaged(revision);
    return record;
  }

  valueAt(revision: number, pieces: BufferPieces): Buffer | null | undefined {
    const bytes = this.#look(revision);
    if (bytes === undefined) return undefined;
    const value = decodeValue(revision, bytes);
    if (value === undefined) throw this.#damaged(revision);
    if (value === null || value === damagedValue) return value;
    const copy = pieces.take(value.length);
    copy.set(value);
    return copy;
  }

  async write({records, floor, remove}: TableWrite): Promise<void> {
    const db = this.#database;
    let length = 0;
    for (const record of records) length += encodedLength(record);
    requireSpace(this.#directory, length, remove.length);
    // One allocation for the whole batch: LMDB reads it from another thread and needs the address of each buffer once.
    const bytes = Buffer.allocUnsafeSlow(length);
    const encoded: Buffer[] = [];
    for (let at = 0; encoded.length < records.length;) {
      const end = encodeRecord(records[encoded.length]!, bytes, at);
      encoded.push(bytes.subarray(at, end));
      at = end;
    }
    const committed = db.batch(() => {
      for (const [position, record] of records.entries()) void db.put(record.revision, encoded[position]!);
      if (floor !== undefined) void db.put(floorKey, Buffer.from(String(floor)));
      for (const revision of remove) void db.remove(revision);
    });
    // lmdb-js starts a single operation in the next turn of the event loop, but a second one makes it start at once.
    void db.batch(() => undefined);
    try {
      await committed;
    } catch (error) {
      throw await writeError(error);
    }
  }

  async recover(): Promise<void> {
    const failed = this.#db;
    this.#db = undefined;
    await failed?.close();
    if (this.#closed) throw new StoreError('Closed', `the store in ${this.#directory} is closed`);
    this.#db = await openDatabase(this.#lmdb, this.#directory, this.#sync);
  }

  schedule(callback: () => void): void {
    setImmediate(callback);
  }

  async close(): Promise<void> {
    const db = this.#db;
    this.#closed = true;
    this.#db = undefined;
    this.#moment?.transaction.done();
    await db?.close();
    await this.#claim?.release();
  }

  /** The bytes of a record until the next read: they are in memory that is used again. */
  #look(revision: number): Buffer | undefined {
    if (this.#moment) return this.#database.get(revision, this.#moment);
    // That buffer's own `length` is what was read; the array is longer.
    const used = this.#database.getBinaryFast(revision);
    return used?.subarray(0, used.length);
  }

  #last(): ChangeHeader | undefined {
    for (const {key, value} of this.#database.getRange({
      start: Number.MAX_SAFE_INTEGER,
      end: 0,
      reverse: true,
      limit: 1,
      ...this.#moment,
    })) {
      if (typeof key === 'number') return decodeHeader(key, value) ?? undefined;
    }
    return undefined;
  }

  get #database(): Database {
    if (this.#db === undefined) throw new StoreError('Unavailable', `the store in ${this.#directory} is being opened again`);
    return this.#db;
  }

  #damaged(revision: number): StoreError {
    return new StoreError('Corrupt', `the record of revision ${revision} in the store in ${this.#directory} is damaged`);
  }
}

/** Identifies a change in addition to its revision: a revision that was given out twice has two times. */
export function commitOf({time}: Pick<ChangeHeader, 'time'>): string {
  return String(time);
}

/** Identifies a file: a copy has another number, and one that takes over the number another time of birth. */
async function placeOf(directory: string): Promise<string> {
  const {ino, birthtimeMs} = await stat(join(directory, dataFile), {bigint: true});
  return `${ino}.${birthtimeMs}`;
}

/** A reader has no claim: the file may have been replaced (rewrite-store.ts) while it was opened, with or without its lock file. */
async function requirePlace(directory: string, place: string): Promise<void> {
  if ((await placeOf(directory)) === place) return;
  throw new StoreError('Unavailable', `the store in ${directory} was replaced at this moment: try again`);
}

async function requireLmdb(directory: string): Promise<void> {
  if (await looksLikeLmdb(join(directory, dataFile))) return;
  throw new StoreError('Corrupt', `the store in ${directory} is damaged: data.mdb is not a file of LMDB`);
}

async function openDatabase(lmdb: Lmdb, directory: string, sync: boolean): Promise<Database> {
  await requireLmdb(directory);
  const db = lmdb.open<Buffer, number | string>({
    path: directory,
    noSubdir: false,
    encoding: 'binary',
    // One write at a time: an overlapping sync would only make it harder to say when a write is safe.
    overlappingSync: false,
    // Writes come in batches already.
    eventTurnBatching: false,
    noSync: !sync,
  });
  try {
    writeFormat(db, directory);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** lmdb-js rejects with a general error that has a promise of the real one. */
async function writeError(error: unknown): Promise<Error> {
  const commitError: unknown = error instanceof Error && 'commitError' in error ? error.commitError : undefined;
  if (commitError instanceof Promise) {
    const real: unknown = await commitError.then(
      () => undefined,
      (found: unknown) => found,
    );
    if (real instanceof Error) return new Error(reason(real), {cause: real});
  }
  return error instanceof Error ? error : new Error(String(error));
}

/** The message without what LMDB adds about pages. */
function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/: Attempting to write page.*$/s, '');
}
