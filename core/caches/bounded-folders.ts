import {readdirSync, rmSync, statSync, utimesSync} from 'node:fs';
import {join} from 'node:path';

/** Folders of one kind that are kept: those used last. One has about 10 MB. */
const maximumKept = 16;
const dayMillis = 86_400_000;
const maximumAgeMillis = 30 * dayMillis;
/** Bounds the time that removal adds to a start. */
const removedAtOnce = 2;

/** The time of a folder is that of its last use, within a day. Where it cannot be set it stays as it is. */
export function keepInUse(folder: string): void {
  const now = Date.now();
  try {
    if (statSync(folder).mtimeMs < now - dayMillis) utimesSync(folder, now / 1000, now / 1000);
  } catch {
    // The folder has been removed, or the disk is read-only.
  }
}

/**
 * Marks a folder as in use while the process runs, so that `removeStale` spares it.
 *
 * @returns the timer, which does not keep the process alive
 */
export function keepWhileRunning(folder: string): NodeJS.Timeout {
  keepInUse(folder);
  return setInterval(() => keepInUse(folder), dayMillis / 4).unref();
}

/**
 * Removes some folders if they are too old or too many; called after a folder has been added. Several processes may do this at once.
 *
 * @param folders of one kind
 * @param used the folder that was added
 * @param sparedDays folders used within this many days stay, however many there are: for folders that running processes need
 * @returns the removed folders
 */
export function removeStale(folders: readonly string[], used: string, sparedDays = 0): string[] {
  const now = Date.now();
  const stale = folders
    .filter((folder) => folder !== used)
    .map((folder) => ({folder, time: statSync(folder, {throwIfNoEntry: false})?.mtimeMs ?? 0}))
    .toSorted((one, other) => other.time - one.time)
    .filter(({time}, index) => index >= maximumKept - 1 || time < now - maximumAgeMillis)
    .filter(({time}) => time <= now - sparedDays * dayMillis)
    .slice(-removedAtOnce)
    .map(({folder}) => folder);
  for (const folder of stale) rmSync(folder, {recursive: true, force: true});
  return stale;
}

/** Folders in a folder. @throws Error if it is not there */
export function foldersIn(folder: string): string[] {
  return readdirSync(folder, {withFileTypes: true})
    .filter((entry) => entry.isDirectory())
    .map(({name}) => join(folder, name));
}
