import {chmod, mkdir, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {claimFile} from './directory-claim.js';

/** The files of LMDB, which would otherwise get the permissions of the umask. */
const files = [claimFile, `${claimFile}-lock`, 'data.mdb', 'lock.mdb'];

/**
 * Makes the directory of a store, and LMDB's files in it, so that only their owner can use them: they hold secrets. Existing
 * ones are closed to others.
 *
 * @returns the topmost directory that is new; undefined when none is
 */
export async function makePrivateDirectory(directory: string): Promise<string | undefined> {
  const created = await mkdir(directory, {recursive: true, mode: 0o700});
  await closeToOthers(directory);
  for (const name of files) {
    const path = join(directory, name);
    await makeFile(path);
    await closeToOthers(path);
  }
  return created;
}

/**
 * LMDB takes an empty file for a new one. A file that is there is not even opened: closing it would take from this process the locks
 * that it may have on it.
 */
async function makeFile(path: string): Promise<void> {
  try {
    await writeFile(path, '', {flag: 'wx', mode: 0o600});
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

async function closeToOthers(path: string): Promise<void> {
  const {mode} = await stat(path);
  if ((mode & 0o077) !== 0) await chmod(path, mode & 0o700);
}
