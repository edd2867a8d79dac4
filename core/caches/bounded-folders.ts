import {readdirSync, rmSync, statSync, utimesSync} from 'node:fs';
import {join} from 'node:path';

/** Folders of one kind that are kept: those used last. One has about 10 MB. */
const maximumKept = 16;
const dayMillis = 86_400_000;
const maximumAgeMillis = 30 * dayMillis;
/** So that no start is held up by what has gathered. */
const removedAtOnce = 2;

/** The time of a folder is that of its last use, within a day. Where it cannot be set it stays as it is. */
export function keepInUse(folder: string): void {
  const now = Date.now();
  try {
    if (statSync(folder).mtimeMs < now - dayMillis) utimesSync(folder, now / 1000, now / 1000);
  } catch {
    // It is gone, or on a disk that cannot be written.
  }
}

/**
 * Has a folder that a process lives from be in use for as long as the process runs: `removeStale` spares it.
 *
 * @returns the timer, which does not keep the process
 */
export function keepWhileRunning(folder: string): NodeJS.Timeout {
  keepInUse(folder);
  return setInterval(() => keepInUse(folder), dayMillis / 4).unref();
}

/**
 * Removes some of what is too old or too much; called by who adds a folder. Several processes may do this at once.
 *
 * @param folders of one kind
 * @param used the one that was added
 * @param sparedDays folders used in so many days stay, however many there are: for what processes cannot run on without
 * @returns those that were removed
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
