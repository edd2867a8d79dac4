import {lstatSync, readdirSync, watch, type FSWatcher} from 'node:fs';
import {basename, join} from 'node:path';

/** Maximum files and folders that are watched. */
const maximumFiles = 20_000;
const maximumFolders = 2000;
/** File types of plugins; others, such as logs of the server, are ignored. */
const kinds = /\.(?:[cm]?[jt]s|json|ya?ml|wasm)$/;
/** Editors write a file in several steps. */
const pauseMillis = 30;

/**
 * Watches the code, schemas and settings in a folder, except installed, hidden and built files. Events are only a hint: the folder is scanned, and a change is a file
 * that is new, deleted, or has another size or time.
 */
export class WatchedFiles {
  readonly #folder: string;
  readonly #ignored: ReadonlySet<string>;
  readonly #onChange: () => void;
  readonly #watchers = new Map<string, FSWatcher>();
  #seen = '';
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param ignored names of further folders to leave out */
  constructor(folder: string, ignored: readonly string[], onChange: () => void) {
    this.#folder = folder;
    this.#ignored = new Set(['node_modules', ...ignored]);
    this.#onChange = onChange;
    this.#seen = this.#look();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
  }

  #soon(): void {
    clearTimeout(this.#timer);
    if (!this.#closed) this.#timer = setTimeout(() => this.#compare(), pauseMillis);
  }

  #compare(): void {
    const now = this.#look();
    if (now === this.#seen) return;
    this.#seen = now;
    this.#onChange();
  }

  /** Scans the folder; new folders are watched from now on. Returns its state as a string. @throws Error for a folder that is too large */
  #look(): string {
    const files: string[] = [];
    const folders = [this.#folder];
    for (const folder of folders) {
      this.#watch(folder);
      for (const entry of entriesOf(folder)) {
        if (entry.name.startsWith('.') || this.#ignored.has(entry.name)) continue;
        const path = join(folder, entry.name);
        if (entry.isDirectory()) folders.push(path);
        else if (kinds.test(entry.name)) files.push(`${path} ${fileMark(path)}`);
      }
      if (files.length > maximumFiles || folders.length > maximumFolders)
        throw new Error(
          `${basename(this.#folder)} has more than ${maximumFiles} files or ${maximumFolders} folders: name the folder of a plugin`,
        );
    }
    for (const [folder, watcher] of this.#watchers) {
      if (folders.includes(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    return files.join('\n');
  }

  #watch(folder: string): void {
    if (this.#watchers.has(folder)) return;
    try {
      const watcher = watch(folder, () => this.#soon());
      // The folder was removed; its parent has an event too.
      watcher.on('error', () => this.#soon());
      this.#watchers.set(folder, watcher);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, {withFileTypes: true});
  } catch {
    return [];
  }
}

function fileMark(path: string): string {
  try {
    const {size, mtimeMs} = lstatSync(path);
    return `${size} ${mtimeMs}`;
  } catch {
    return '';
  }
}
