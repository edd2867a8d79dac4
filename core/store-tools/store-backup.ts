import {createHash, type Hash} from 'node:crypto';
import {open, rename, rm, type FileHandle} from 'node:fs/promises';
import type {BackupRecord} from '../../sdk/index.js';

/*
 * A backup is a file of JSON texts, one a line:
 *
 *   {"format": "orch-backup", "version": 1}
 *   {"type", "key", "revision", "value"}    a record as it was met; the value in base64
 *   {"type", "key", "changed", "value"}     a change made while the backup was taken, and its revision; null for a deletion. What
 *                                           else is said of the same record at a lower revision is outdated
 *   {"lines", "revisions", "sha256"}        the end: number of lines between, revision of each shard, digest of all lines before
 */
const head = {format: 'orch-backup', version: 1};

interface End {
  readonly lines: number;
  readonly revisions: readonly number[];
  readonly sha256: string;
}

/** Writes a backup. Under its name it is there as a whole, or not at all; only its owner may read it. */
export class BackupWriter {
  lines = 0;
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #digest = createHash('sha256');

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  /** @throws Error in one sentence when the file is there already */
  static async create(path: string): Promise<BackupWriter> {
    // The name is taken at once, and keeps its place until the whole file replaces it.
    const place = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? new Error(`${path} is there already`) : error;
    });
    await place.close();
    const writer = new BackupWriter(path, await open(partOf(path), 'w', 0o600));
    await writer.#write(`${JSON.stringify(head)}\n`);
    return writer;
  }

  async add(records: readonly BackupRecord[]): Promise<void> {
    let text = '';
    for (const {type, key, revision, value, isChange} of records) {
      const bytes = value?.toString('base64') ?? null;
      text += `${JSON.stringify(isChange ? {type, key, changed: revision, value: bytes} : {type, key, revision, value: bytes})}\n`;
    }
    this.lines += records.length;
    await this.#write(text);
  }

  async finish(revisions: readonly number[]): Promise<void> {
    const end: End = {lines: this.lines, revisions, sha256: this.#digest.digest('hex')};
    await this.#file.write(`${JSON.stringify(end)}\n`);
    await this.#file.sync();
    await this.#file.close();
    await rename(partOf(this.#path), this.#path);
  }

  /** Leaves nothing behind. */
  async discard(): Promise<void> {
    await this.#file.close();
    await Promise.all([this.#path, partOf(this.#path)].map((path) => rm(path, {force: true})));
  }

  async #write(text: string): Promise<void> {
    this.#digest.update(text);
    await this.#file.writeFile(text);
  }
}

function partOf(path: string): string {
  return `${path}.part`;
}

/** A backup that is known to be whole. */
export interface Backup {
  /** The revision of each shard at which it was taken. */
  readonly revisions: readonly number[];
  /** Lines of records and changes. */
  readonly lines: number;
  /** The state at these revisions: each record once. The file is read again. */
  records(): AsyncGenerator<BackupRecord & {readonly value: Buffer}>;
}

/**
 * Reads a backup to its end and proves that it is whole. Only the names of what changed while it was taken are held in memory.
 *
 * @throws Error in one sentence when it is not whole, or no backup
 */
export async function readBackup(path: string): Promise<Backup> {
  const digest = createHash('sha256');
  const latest = new Map<string, number>();
  let lines = -1;
  let end: End | undefined;
  for await (const line of linesOf(path)) {
    if (end !== undefined) throw new Error(`${path} is damaged: it goes on after its end`);
    end = lines >= 0 ? endIn(line) : undefined;
    if (end !== undefined) continue;
    digest.update(`${line}\n`);
    if (lines++ < 0) {
      requireHead(line, path);
      continue;
    }
    const record = recordIn(line);
    if (record === undefined) throw new Error(`line ${lines + 1} of ${path} is damaged`);
    if (record.isChange) latest.set(nameOf(record), Math.max(record.revision, latest.get(nameOf(record)) ?? 0));
  }
  requireWhole(path, end, lines, digest);
  const {revisions} = end;
  return {
    revisions,
    lines,
    async *records() {
      for await (const line of linesOf(path)) {
        const record = recordIn(line);
        if (record === undefined) continue;
        const changed = latest.get(nameOf(record));
        if (changed !== undefined && !(record.isChange && record.revision === changed)) continue;
        if (record.value !== null) yield {...record, value: record.value};
      }
    },
  };
}

function requireHead(line: string, path: string): void {
  const {format, version} = parsed(line);
  if (format !== head.format) throw new Error(`${path} was not written by "orch store backup"`);
  if (version !== head.version) throw new Error(`${path} was written by a newer version of orch`);
}

function requireWhole(path: string, end: End | undefined, lines: number, digest: Hash): asserts end is End {
  if (end === undefined) throw new Error(`${path} is not whole: its end is missing`);
  if (end.lines !== lines || end.sha256 !== digest.digest('hex')) {
    throw new Error(`${path} is damaged: it is not what "orch store backup" has written`);
  }
}

function endIn(line: string): End | undefined {
  if (!line.startsWith('{"lines":')) return undefined;
  const {lines, revisions, sha256} = parsed(line);
  if (typeof lines !== 'number' || typeof sha256 !== 'string' || !Array.isArray(revisions)) return undefined;
  return revisions.every((revision) => Number.isSafeInteger(revision)) ? {lines, revisions, sha256} : undefined;
}

function recordIn(line: string): BackupRecord | undefined {
  const {type, key, revision, changed, value} = parsed(line);
  const isChange = changed !== undefined;
  const at = isChange ? changed : revision;
  if (typeof type !== 'string' || typeof key !== 'string' || typeof at !== 'number') return undefined;
  if (value === null && isChange) return {type, key, revision: at, value: null, isChange};
  return typeof value === 'string' ? {type, key, revision: at, value: Buffer.from(value, 'base64'), isChange} : undefined;
}

function nameOf({type, key}: BackupRecord): string {
  return `${type}\n${key}`;
}

function parsed(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const file = await open(path);
  try {
    yield* file.readLines();
  } finally {
    await file.close();
  }
}
