import {mkdirSync, readdirSync, rmdirSync, rmSync, statSync, utimesSync} from 'node:fs';
import module from 'node:module';
import {homedir} from 'node:os';
import {basename, dirname, isAbsolute, join} from 'node:path';
import process from 'node:process';
import {crc32} from 'node:zlib';
import {isPrivateFolder} from './private-folder.js';

/** Programs, by their place and version of Node.js, whose compiled code is kept: those used last. One has about 10 MB. */
const maximumKept = 16;
const dayMillis = 86_400_000;
const maximumAgeMillis = 30 * dayMillis;
/** So that no start is held up by what has gathered. */
const removedAtOnce = 2;

/**
 * Keeps compiled code between runs. Never in the shared folder for temporary files, which is the
 * default: whoever can write there could put in code of their own. When a program is new there, what has not been used for long goes.
 *
 * @param place of the program: each has a folder of its own
 */
export function keepCompiledCode(place = import.meta.dirname): void {
  const caches = process.env['XDG_CACHE_HOME'];
  const all = join(caches !== undefined && isAbsolute(caches) ? caches : join(homedir(), '.cache'), 'orch', 'compiled');
  const own = join(all, `p${digitsOf(place)}`);
  // NODE_COMPILE_CACHE names another folder, and that is not ours to clear.
  if (module.getCompileCacheDir?.() !== undefined) return;
  try {
    mkdirSync(own, {recursive: true, mode: 0o700});
    if (!isPrivateFolder(own)) return;
    const before = readdirSync(own);
    module.enableCompileCache?.(own);
    const used = module.getCompileCacheDir?.();
    if (used === undefined) return;
    if (before.includes(basename(used))) keepInUse(used);
    else clear(all, used);
  } catch {
    // Without it the start takes longer; that is all.
  }
}

/** Eight digits for a place: the same for the same one is all that they need. */
export function digitsOf(place: string): string {
  return crc32(place).toString(16).padStart(8, '0');
}

/** The time of the folder is that of its last use, within a day. */
function keepInUse(folder: string): void {
  const now = Date.now();
  if (statSync(folder).mtimeMs < now - dayMillis) utimesSync(folder, now / 1000, now / 1000);
}

/** Removes some of what is too old or too much. Processes that use it compile again; several may do this at once. */
function clear(all: string, used: string): void {
  const now = Date.now();
  const others = foldersIn(all)
    // Before there was a folder for each place, those of the versions of Node.js stood here.
    .flatMap((folder) => (/^v\d/.test(basename(folder)) ? [folder] : foldersIn(folder)))
    .filter((folder) => folder !== used)
    .map((folder) => ({folder, time: statSync(folder, {throwIfNoEntry: false})?.mtimeMs ?? 0}))
    .toSorted((one, other) => other.time - one.time);
  const stale = others.filter(({time}, index) => index >= maximumKept - 1 || time < now - maximumAgeMillis);
  for (const {folder} of stale.slice(-removedAtOnce)) {
    rmSync(folder, {recursive: true, force: true});
    const above = dirname(folder);
    if (above !== all && readdirSync(above).length === 0) rmdirSync(above);
  }
}

function foldersIn(folder: string): string[] {
  return readdirSync(folder, {withFileTypes: true})
    .filter((entry) => entry.isDirectory())
    .map(({name}) => join(folder, name));
}
