import {createHash, randomBytes} from 'node:crypto';
import {mkdir, open, readFile, rename, type FileHandle} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import process from 'node:process';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Lineage} from '../contracts/store.js';

const format = 1;
/** What was seen within this time may be missing in the file after a crash. */
const writeMillis = 1000;
/** So much older than known the time may be in the file at which the store was last seen, while nothing else changes: each write wakes an idle process. */
const timeMillis = 60_000;

/** The file for a store in a data directory. `identity` is the store's address, without credentials. */
export function lineagePath(dataDir: string, identity: string): string {
  const digest = createHash('sha256').update(identity).digest('hex').slice(0, 16);
  return join(dataDir, 'lineage', `${digest}.json`);
}

/**
 * Remembers in the data directory, beside the store, how far the store had come, so that its loss or an older copy is noticed
 * although no process remembers it. It is written at most once a second and replaced as a whole.
 */
export class LineageFile {
  readonly #path: string;
  readonly #identity: string;
  readonly #shards: Map<number, Lineage>;
  readonly #onFailure: (error: Error) => void;
  readonly #closing = new AbortController();
  readonly #name = randomBytes(4).toString('hex');
  #dirty = false;
  /** What the file has, or is getting. */
  #written: ReadonlyMap<number, Lineage>;
  #writing: Promise<void> | undefined;
  /** Ends when the file is not being written: each time in the same temporary file. */
  #flushing: Promise<void> = Promise.resolve();

  private constructor(path: string, identity: string, shards: Map<number, Lineage>, onFailure: (error: Error) => void) {
    this.#path = path;
    this.#identity = identity;
    this.#shards = shards;
    this.#written = new Map(shards);
    this.#onFailure = onFailure;
  }

  /**
   * Reads the file, if there is one.
   *
   * @param identity address of the store, for readers of the file
   * @param onFailure called if the file cannot be written; the next change retries it
   * @throws Error in one sentence when the file is there and cannot be understood
   */
  static async open(path: string, identity: string, onFailure: (error: Error) => void = () => undefined): Promise<LineageFile> {
    let text: string | undefined;
    try {
      text = await readFile(path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    return new LineageFile(path, identity, text === undefined ? new Map() : parse(text, path), onFailure);
  }

  /** How many shards are remembered. */
  get size(): number {
    return this.#shards.size;
  }

  /** What is remembered of a shard; undefined if nothing is. */
  get(shard: number): Lineage | undefined {
    return this.#shards.get(shard);
  }

  /** Remembers something newer; the file has it within about a second, and within a minute if it is nothing but a later time. */
  note(shard: number, lineage: Lineage): void {
    this.#shards.set(shard, lineage);
    if (goesOn(this.#written.get(shard), lineage)) return;
    this.#dirty = true;
    this.#writing ??= this.#writeLater();
  }

  /** Writes what is left to write. Resolves when nothing of it runs any more. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#dirty ||= [...this.#shards].some(([shard, {at}]) => this.#written.get(shard)?.at !== at);
    await (this.#writing ?? this.#writeLater());
  }

  /** Writes at once what is left to write, behind what is being written. Rejects when that fails. */
  flush(): Promise<void> {
    const written = this.#flushing.then(() => this.#write());
    this.#flushing = written.catch(() => undefined);
    return written;
  }

  async #write(): Promise<void> {
    this.#dirty = false;
    this.#written = new Map(this.#shards);
    const shards = Object.fromEntries(this.#shards);
    const text = `${JSON.stringify({format, identity: this.#identity, shards}, undefined, 2)}\n`;
    // Servers may share a data directory.
    const temporary = `${this.#path}.${process.pid}.${this.#name}`;
    let handle: FileHandle | undefined;
    try {
      handle = await this.#create(temporary);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle?.close();
    }
    await rename(temporary, this.#path);
  }

  /** The folder is made if it is not there: to ask for it each time would wake an idle process twice more. */
  async #create(path: string): Promise<FileHandle> {
    try {
      return await open(path, 'w', 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await mkdir(dirname(path), {recursive: true, mode: 0o700});
      return open(path, 'w', 0o600);
    }
  }

  async #writeLater(): Promise<void> {
    while (this.#dirty) {
      try {
        await this.flush();
      } catch (error) {
        this.#written = new Map();
        this.#onFailure(error as Error);
      }
      await sleep(writeMillis, undefined, {signal: this.#closing.signal, ref: false}).catch(() => undefined);
    }
    this.#writing = undefined;
  }
}

/** Whether all that matters is the same. */
function goesOn(written: Lineage | undefined, {store, epoch, revision, commit, at}: Lineage): boolean {
  if (written?.store !== store || written.epoch !== epoch || written.revision !== revision || written.commit !== commit) return false;
  return Math.abs(at - written.at) < timeMillis;
}

function parse(text: string, path: string): Map<number, Lineage> {
  try {
    const {format: found, shards} = JSON.parse(text) as {format?: unknown; shards?: unknown};
    if (found === format && typeof shards === 'object' && shards !== null) {
      const entries = Object.entries(shards as Record<string, Lineage>);
      const isValid = ([shard, one]: [string, Lineage]) =>
        /^\d+$/.test(shard) &&
        [one.store, one.epoch, one.commit].every((value) => typeof value === 'string') &&
        [one.revision, one.at].every((value) => Number.isSafeInteger(value) && value >= 0);
      if (entries.every(isValid)) return new Map(entries.map(([shard, one]) => [Number(shard), one]));
    }
  } catch {
    // Said below.
  }
  throw new Error(`${path} is damaged: it tells how far the store had come; remove it only if the store is known to be complete`);
}
