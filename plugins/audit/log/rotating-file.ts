import {createReadStream, createWriteStream} from 'node:fs';
import {mkdir, open, readdir, rename, rm, type FileHandle} from 'node:fs/promises';
import {basename, dirname, extname, join} from 'node:path';
import {pipeline} from 'node:stream/promises';
import {createGzip} from 'node:zlib';
import type {Logger} from '../../../sdk/index.js';
import {withEnds, type LineOutput} from './line-writer.js';

const dayMillis = 24 * 60 * 60 * 1000;
const timeForm = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}$/;

export interface RotatingFileOptions {
  /** Absolute. */
  readonly path: string;
  readonly maximumBytes: number;
  /** Number of old files to keep; 0 for all. */
  readonly maximumBackups: number;
  /** Days to keep old files; 0 for ever. */
  readonly maximumDays: number;
  readonly compress: boolean;
  readonly logger: Logger;
}

/**
 * A file that is only appended to, up to a maximum size. It is then renamed with a timestamp (`audit-2022-12-09T10-00-00.000.log`, like
 * Kubernetes' log files) and a new one is started. Only its owner can read it.
 */
export class RotatingFile implements LineOutput {
  readonly #options: RotatingFileOptions;
  #file: Promise<FileHandle> | undefined;
  #bytes = 0;
  #tidying: Promise<void> = Promise.resolve();

  constructor(options: RotatingFileOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    await this.#opened();
  }

  #opened(): Promise<FileHandle> {
    return (this.#file ??= this.#open().catch((error: unknown) => {
      this.#file = undefined;
      throw error;
    }));
  }

  async #open(): Promise<FileHandle> {
    const {path} = this.#options;
    await mkdir(dirname(path), {recursive: true, mode: 0o700});
    const file = await open(path, 'a', 0o600);
    this.#bytes = (await file.stat()).size;
    return file;
  }

  async write(lines: readonly Buffer[]): Promise<void> {
    let part: Buffer[] = [];
    let length = 0;
    await this.open();
    for (const line of lines) {
      if (this.#bytes + length > 0 && this.#bytes + length + line.length + 1 > this.#options.maximumBytes) {
        await this.#append(part);
        part = [];
        length = 0;
        await this.#rotate();
      }
      part.push(line);
      length += line.length + 1;
    }
    await this.#append(part);
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await (await file)?.close();
    await this.#tidying;
  }

  async #append(lines: readonly Buffer[]): Promise<void> {
    if (lines.length === 0) return;
    const file = await this.#opened();
    const bytes = withEnds(lines);
    try {
      await file.appendFile(bytes);
    } catch (error) {
      // A partial line would corrupt the next one.
      await file.truncate(this.#bytes).catch(() => undefined);
      throw error;
    }
    this.#bytes += bytes.length;
  }

  async #rotate(): Promise<void> {
    const {path} = this.#options;
    const file = await this.#opened();
    this.#file = undefined;
    await file.close();
    await rename(path, await this.#freeName());
    await this.open();
    this.#tidying = this.#tidying.then(() => this.#tidy()).catch((error: unknown) => this.#logFailure(error));
  }

  /** An unused name for an old file: rotations in the same millisecond get the next names. */
  async #freeName(): Promise<string> {
    const {path} = this.#options;
    const taken = new Set((await this.#backups()).map(({time}) => time));
    for (let at = Date.now(); ; at += 1) if (!taken.has(at)) return join(dirname(path), `${this.#prefix}${timeText(at)}${extname(path)}`);
  }

  get #prefix(): string {
    const {path} = this.#options;
    return `${basename(path, extname(path))}-`;
  }

  /** Old files, newest first. */
  async #backups(): Promise<{readonly name: string; readonly time: number; readonly isCompressed: boolean}[]> {
    const {path} = this.#options;
    const extension = extname(path);
    const names = await readdir(dirname(path));
    return names
      .flatMap((name) => {
        const isCompressed = name.endsWith('.gz');
        const plain = isCompressed ? name.slice(0, -3) : name;
        if (!plain.startsWith(this.#prefix) || !plain.endsWith(extension)) return [];
        const text = plain.slice(this.#prefix.length, plain.length - extension.length);
        return timeForm.test(text) ? [{name, time: timeOf(text), isCompressed}] : [];
      })
      .sort((left, right) => right.time - left.time);
  }

  /** Removes old files that are too many or too old, and compresses the others. */
  async #tidy(): Promise<void> {
    const {path, maximumBackups, maximumDays, compress} = this.#options;
    const folder = dirname(path);
    const oldest = maximumDays === 0 ? 0 : Date.now() - maximumDays * dayMillis;
    for (const [index, {name, time, isCompressed}] of (await this.#backups()).entries()) {
      const file = join(folder, name);
      if (time < oldest || (maximumBackups > 0 && index >= maximumBackups)) await rm(file, {force: true});
      else if (compress && !isCompressed) await compressFile(file);
    }
  }

  #logFailure(error: unknown): void {
    this.#options.logger.warn({err: error}, 'old audit log files could not be removed or compressed');
  }
}

async function compressFile(file: string): Promise<void> {
  const unfinished = `${file}.gz.tmp`;
  await pipeline(createReadStream(file), createGzip(), createWriteStream(unfinished, {mode: 0o600}));
  await rename(unfinished, `${file}.gz`);
  await rm(file);
}

function timeText(time: number): string {
  return new Date(time).toISOString().slice(0, -1).replaceAll(':', '-');
}

function timeOf(text: string): number {
  const [day, time] = text.split('T') as [string, string];
  return Date.parse(`${day}T${time.replaceAll('-', ':')}Z`);
}
