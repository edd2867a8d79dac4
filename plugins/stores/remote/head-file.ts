import {closeSync, constants, openSync, readSync, writeSync} from 'node:fs';
import {StoreError} from '../../../sdk/index.js';

/** Term and revision, each twice, as doubles: term, revision, revision, term. */
const bytes = 32;
/** A torn read is followed by a whole one; a file that is torn for longer is damaged. */
const attempts = 100;

/**
 * How far a store has come, in a file that several processes read: all of them see the same page of the system's cache, so it costs a
 * microsecond to know that nothing newer was acknowledged, and not a round trip. It is never written to disk on purpose.
 *
 * `term` identifies the process that serves the store. A client connected to another process must not trust the revision.
 */
export class HeadFile {
  readonly #descriptor: number;
  readonly #numbers = new Float64Array(bytes / 8);
  readonly #view = Buffer.from(this.#numbers.buffer);
  #closed = false;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** For the process that serves the store: from now on the file names its term. */
  static write(path: string, term: number, revision: number): WritableHead {
    return new WritableHead(openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600), term, revision);
  }

  /** For the processes that use it. */
  static read(path: string): HeadFile {
    return new HeadFile(openSync(path, 'r'));
  }

  /** The revision, if the process with this term still serves the store. @throws StoreError `Unavailable` if not */
  revision(term: number): number {
    for (let attempt = 0; attempt < attempts && !this.#closed; attempt++) {
      if (readSync(this.#descriptor, this.#view, 0, bytes, 0) < bytes) break;
      const [firstTerm, revision, again, lastTerm] = this.#numbers as unknown as [number, number, number, number];
      if (firstTerm !== lastTerm || revision !== again) continue;
      if (firstTerm === term) return revision;
      break;
    }
    throw new StoreError('Unavailable', 'the process that has the store is another one than before');
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    closeSync(this.#descriptor);
  }
}

/** The side that writes. */
export class WritableHead {
  readonly #descriptor: number;
  readonly #numbers: Float64Array;
  readonly #view: Buffer;
  #closed = false;

  constructor(descriptor: number, term: number, revision: number) {
    this.#descriptor = descriptor;
    this.#numbers = Float64Array.of(term, revision, revision, term);
    this.#view = Buffer.from(this.#numbers.buffer);
    this.#write();
  }

  /** Raises the revision; called before any client sees it, so that none has seen a higher one. */
  raise(revision: number): void {
    if (revision <= this.#numbers[1]! || this.#closed) return;
    this.#numbers[1] = revision;
    this.#numbers[2] = revision;
    this.#write();
  }

  /** From now on nobody trusts the revision. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#numbers.fill(0);
    this.#write();
    closeSync(this.#descriptor);
  }

  #write(): void {
    writeSync(this.#descriptor, this.#view, 0, bytes, 0);
  }
}
