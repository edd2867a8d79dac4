import {lstatSync, realpathSync, type Stats} from 'node:fs';
import {dirname} from 'node:path';
import process from 'node:process';

/**
 * Whether only this user and root can have created a folder and its contents: it belongs to this user, and only these two may write to it and its parents, including
 * those of the targets of symbolic links. Others may write to a sticky parent such as `/tmp`, where they cannot rename files that they do not own.
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
    // The mode of a link means nothing: the parent folder decides who may replace it.
    const isSticky = (stats.mode & 0o1000) !== 0;
    if (!stats.isSymbolicLink() && !isSticky && isWritableByOthers(stats)) return false;
    if (dirname(above) === above) return true;
  }
}

/** The group with the number of the owner is the owner's alone: where users have such groups, their folders are often writable for them. */
function isWritableByOthers({mode, uid, gid}: Stats): boolean {
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== uid);
}
