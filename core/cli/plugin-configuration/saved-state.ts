import {createHash} from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {basename, dirname, join} from 'node:path';

/** What npm writes in addition to `node_modules`. */
const npmFiles = ['package.json', 'package-lock.json'];

/** Describes a saved state. */
export interface StateHead {
  /** The change made after it: `upgrade rooms`. */
  readonly change: string;
  /** The process that changes it. */
  readonly process: number;
  /** Name of the configuration file. */
  readonly config: string;
  /** Whether `node_modules` belongs to the state, and whether there was one. */
  readonly modules?: 'present' | 'absent';
  /** SHA-256 of the configuration file after the change. */
  readonly after?: string;
}

/**
 * A saved configuration file and the packages installed beside it. The saved packages are hard links to the installed ones: npm never writes into a file of a
 * package, it replaces the package.
 */
export class SavedState {
  readonly #folder: string;
  readonly #file: string;

  /**
   * @param folder where the state is kept, on the same disk
   * @param file the configuration file
   */
  constructor(folder: string, file: string) {
    this.#folder = folder;
    this.#file = file;
  }

  get folder(): string {
    return this.#folder;
  }

  /** Undefined if there is no state, or only the beginning of one. */
  get head(): StateHead | undefined {
    try {
      return JSON.parse(readFileSync(join(this.#folder, 'state.json'), 'utf8')) as StateHead;
    } catch {
      return undefined;
    }
  }

  /** Saves the files. It counts once its head is written. */
  save(change: string): void {
    rmSync(this.#folder, {recursive: true, force: true});
    mkdirSync(this.#folder, {recursive: true, mode: 0o700});
    for (const file of this.#files()) if (existsSync(file)) copyFileSync(file, join(this.#folder, basename(file)));
    this.writeHead({change, process: process.pid, config: basename(this.#file)});
  }

  /** Saves what is installed, before npm runs for the first time. */
  saveModules(): void {
    const {head} = this;
    if (head === undefined || head.modules !== undefined) return;
    const [from, to] = [this.#modules, join(this.#folder, 'node_modules')];
    const isPresent = existsSync(from);
    if (isPresent) linkTree(from, to);
    this.writeHead({...head, modules: isPresent ? 'present' : 'absent'});
  }

  /**
   * Puts everything back as it was. Can be done again where it was interrupted.
   *
   * @param keep whether the state is there afterwards too
   */
  restore(keep = false): void {
    const {head} = this;
    for (const file of this.#files()) {
      const saved = join(this.#folder, basename(file));
      if (!existsSync(saved)) rmSync(file, {force: true});
      else if (hashOf(saved) !== hashOf(file)) replace(file, (temporary) => copyFileSync(saved, temporary));
    }
    const kept = join(this.#folder, 'node_modules');
    const saved = keep && existsSync(kept) ? join(this.#folder, 'copy') : kept;
    if (saved !== kept) linkTree(kept, saved);
    const replaced = join(this.#folder, 'replaced');
    if (head?.modules === 'absent' || existsSync(saved)) {
      rmSync(replaced, {recursive: true, force: true});
      if (existsSync(this.#modules)) renameSync(this.#modules, replaced);
      if (existsSync(saved)) renameSync(saved, this.#modules);
      rmSync(replaced, {recursive: true, force: true});
    }
  }

  writeHead(head: StateHead): void {
    replace(join(this.#folder, 'state.json'), (temporary) => writeFileSync(temporary, JSON.stringify(head), {mode: 0o600}));
  }

  moveTo(folder: string): void {
    rmSync(folder, {recursive: true, force: true});
    renameSync(this.#folder, folder);
  }

  remove(): void {
    rmSync(this.#folder, {recursive: true, force: true});
  }

  get #modules(): string {
    return join(dirname(this.#file), 'node_modules');
  }

  #files(): string[] {
    return [this.#file, ...npmFiles.map((name) => join(dirname(this.#file), name))];
  }
}

/** Replaces a file in one step; `write` makes the new one under another name. */
export function replace(file: string, write: (temporary: string) => void): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    write(temporary);
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, {force: true});
  }
}

/** A text by which a file is known again; empty if it is not there. */
export function hashOf(file: string): string {
  return existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : '';
}

/** Copies a folder by hard links, where the disk supports them. Files at its top are npm's own, which it writes into, and are copied. */
function linkTree(from: string, to: string, isTop = true): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, {withFileTypes: true})) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target, false);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (isTop || !tryLink(source, target)) copyFileSync(source, target);
  }
}

function tryLink(source: string, target: string): boolean {
  if (!lstatSync(source).isFile()) return true;
  try {
    linkSync(source, target);
    return true;
  } catch {
    return false;
  }
}
