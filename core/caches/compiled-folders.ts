import {mkdirSync, readdirSync, rmdirSync} from 'node:fs';
import module from 'node:module';
import {basename, dirname, join} from 'node:path';
import process from 'node:process';
import v8 from 'node:v8';
import {crc32} from 'node:zlib';
import {foldersIn, keepInUse, removeStale} from './bounded-folders.js';
import {cachesFolder} from './caches-folder.js';
import {isPrivateFolder} from './private-folder.js';

/** Whether this process is a program of ours, which keeps compiled code of its modules too. */
let isProgram = false;

/**
 * Keeps compiled code between runs. Never in the shared folder for temporary files, which is the
 * default: whoever can write there could put in code of their own. When a program is new there, what has not been used for long goes.
 *
 * @param place of the program: each has a folder of its own
 */
export function keepCompiledCode(place = import.meta.dirname): void {
  isProgram = true;
  // NODE_COMPILE_CACHE names another folder, and that is not ours to clear.
  if (module.getCompileCacheDir?.() !== undefined) return;
  const own = folderOf(place);
  try {
    mkdirSync(own, {recursive: true, mode: 0o700});
    if (!isPrivateFolder(own)) return;
    const before = readdirSync(own);
    module.enableCompileCache?.(own);
    const used = module.getCompileCacheDir?.();
    if (used === undefined) return;
    if (before.includes(basename(used))) keepInUse(used);
    else clear(used);
  } catch {
    // Without it the start takes longer; that is all.
  }
}

/** A folder for compiled code of scripts. */
export interface ScriptFolder {
  readonly path: string;
  /** Whether it is there, and what is in it is this user's. */
  readonly isThere: boolean;
  /** Makes it if it is not there. @returns whether code may be put into it @throws Error if it cannot be made */
  prepare(): boolean;
}

/**
 * Where compiled code of scripts is: in a program of ours beside that of its modules. In a program of somebody else, such as a test, modules are that program's affair, and
 * only our scripts are kept, in a folder that has nothing else.
 *
 * @param place of the scripts: each has a folder of its own
 * @returns undefined if nothing may be kept
 */
export function scriptFolder(place = import.meta.dirname): ScriptFolder | undefined {
  if (isProgram || process.env['NODE_COMPILE_CACHE']) {
    const path = module.getCompileCacheDir?.();
    return path === undefined ? undefined : {path, isThere: true, prepare: () => true};
  }
  if (process.env['NODE_DISABLE_COMPILE_CACHE']) return undefined;
  // V8 takes code only of the same version, flags and machine.
  const path = join(folderOf(place), `scripts-${process.version}-${process.arch}-${v8.cachedDataVersionTag().toString(16)}`);
  const isThere = isPrivateFolder(path);
  if (isThere) keepInUse(path);
  return {path, isThere, prepare: () => prepare(path)};
}

function prepare(folder: string): boolean {
  const isNew = mkdirSync(folder, {recursive: true, mode: 0o700}) !== undefined;
  if (!isPrivateFolder(folder)) return false;
  if (isNew) clear(folder);
  return true;
}

/** Eight digits for a place: the same for the same one is all that they need. */
export function digitsOf(place: string): string {
  return crc32(place).toString(16).padStart(8, '0');
}

function folderOf(place: string): string {
  return join(allCompiled(), `p${digitsOf(place)}`);
}

function allCompiled(): string {
  return join(cachesFolder(), 'compiled');
}

/** Removes some of what is too old or too much. Processes that use it compile again. */
function clear(used: string): void {
  const all = allCompiled();
  // Before there was a folder for each place, those of the versions of Node.js stood here.
  const folders = foldersIn(all).flatMap((folder) => (/^v\d/.test(basename(folder)) ? [folder] : foldersIn(folder)));
  for (const folder of removeStale(folders, used)) {
    const above = dirname(folder);
    if (above !== all && readdirSync(above).length === 0) rmdirSync(above);
  }
}
