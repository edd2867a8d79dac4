import {lstatSync, realpathSync, type Stats} from 'node:fs';
import {dirname} from 'node:path';
import process from 'node:process';

/**
 * Whether nobody but this user and root can have put something into a folder, or the folder itself there: it is this user's, and it and all above it, also above what
 * links on the way lead to, are written by these two only. Others may write to one above in which they cannot rename what is not theirs, as in `/tmp`.
 */
export function isPrivateFolder(folder: string): boolean {
  const stats = lstatSync(folder, {throwIfNoEntry: false});
  if (!stats?.isDirectory() || stats.uid !== process.getuid!() || isWritableByOthers(stats)) return false;
  return [folder, realpathSync(folder)].every(isOutOfReach);
}

function isOutOfReach(path: string): boolean {
  for (let above = dirname(path); ; above = dirname(above)) {
    const stats = lstatSync(above, {throwIfNoEntry: false});
    if (!stats || (stats.uid !== 0 && stats.uid !== process.getuid!())) return false;
    // What a link allows says nothing; who may replace it is said by the folder above.
    const isSticky = (stats.mode & 0o1000) !== 0;
    if (!stats.isSymbolicLink() && !isSticky && isWritableByOthers(stats)) return false;
    if (dirname(above) === above) return true;
  }
}

/** The group with the number of the owner is the owner's alone: where users have such groups, their folders are often writable for them. */
function isWritableByOthers({mode, uid, gid}: Stats): boolean {
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== uid);
}
