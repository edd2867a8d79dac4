import {StoreError, type LogEntry, type StoredRecord} from '../../../sdk/index.js';
import type {Reply} from './drivers/redis-driver.js';

/**
 * An entry of the log as it is stored: without values, which are kept once, under the revisions that wrote them. Most entries are wanted by nobody here, so
 * what only those need that are wanted is read from the text when it is asked for.
 */
export class LogHead {
  readonly revision: number;
  /** The revision that the shard had before: that of the entry before this one, unless a history began in between. */
  readonly after: number;
  readonly type: string;
  readonly #text: Buffer;
  /** Where the words end, and where the type does. */
  readonly #end: number;
  readonly #typeEnd: number;
  #words: readonly string[] | undefined;

  /**
   * @param id of the entry of the stream: `REVISION-0`
   * @param text `OPERATION TIME PREVIOUS COMMIT LENGTH`, a line feed, the type (of that many bytes) and the key, as `commit.lua` writes it
   * @param after the revision that it follows, where that is not the one just below it
   */
  constructor(id: Buffer, text: Buffer, after: Buffer | undefined) {
    this.revision = wholeNumber(id, 0, id.length - 2);
    this.after = after === undefined ? this.revision - 1 : Number(String(after));
    this.#text = text;
    this.#end = text.indexOf(10);
    this.#typeEnd = this.#end + 1 + wholeNumber(text, text.lastIndexOf(32, this.#end) + 1, this.#end);
    if (!(this.revision > 0 && this.#end > 0 && this.#typeEnd <= text.length)) throw unknownForm(id);
    this.type = text.toString('utf8', this.#end + 1, this.#typeEnd);
  }

  /** Whether nothing was changed, and it only says how far the shard has come (see `advance.lua`). */
  get isAdvance(): boolean {
    return this.#text[0] === letters.p;
  }

  get isDeletion(): boolean {
    return this.#text[0] === letters.d;
  }

  /** Milliseconds since 1970 by the clock of Redis. */
  get time(): number {
    return Number(this.#word(1));
  }

  /** Revision of the record that was replaced or removed; 0 for a creation. */
  get previous(): number {
    return Number(this.#word(2));
  }

  /** Id of the commit. */
  get commit(): string {
    return this.#word(3);
  }

  get key(): string {
    return this.#text.toString('utf8', this.#typeEnd);
  }

  #word(index: number): string {
    this.#words ??= this.#text.toString('latin1', 0, this.#end).split(' ');
    return this.#words[index]!;
  }
}

const letters = {d: 100, p: 112} as const;

/** The number that some digits are; NaN where there is anything else. */
function wholeNumber(text: Buffer, from: number, to: number): number {
  let number = from < to ? 0 : NaN;
  for (let at = from; at < to; at++) {
    const digit = text[at]! - 48;
    number = digit >= 0 && digit <= 9 ? number * 10 + digit : NaN;
  }
  return number;
}

function unknownForm(id: Buffer): StoreError {
  return new StoreError('Corrupt', `entry ${id.toString()} of the log has an unknown form`);
}

/** Reads an entry of the log stream: its ID, and one or two fields with their names. */
export function logHead(reply: Reply): LogHead {
  const [id, fields] = reply as [Buffer, Buffer[]];
  if (fields.length !== 2 && fields.length !== 4) throw unknownForm(id);
  return new LogHead(id, fields[1]!, fields[3]);
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
