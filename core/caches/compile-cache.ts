import {mkdirSync} from 'node:fs';
import module from 'node:module';
import {dirname, join} from 'node:path';
import {crc32} from 'node:zlib';
import {foldersIn, keepInUse, removeStale} from './bounded-folders.js';
import {cachesFolder} from './caches-folder.js';
import {isPrivateFolder} from './private-folder.js';

/**
 * Has Node.js keep compiled code of modules between runs: in `orch/compiled` of the user's caches, or where `NODE_COMPILE_CACHE` says. Never in the shared folder for temporary
 * files, which is Node's default: whoever can write there could put in code of their own. Without it a start takes longer; that is all.
 *
 * @param place of the program: each has a folder of its own
 */
export function enableCompileCache(place = import.meta.dirname): void {
  // NODE_COMPILE_CACHE names another folder, and that is not ours to clear.
  if (module.getCompileCacheDir() !== undefined) return;
  const folder = join(cachesFolder(), 'compiled', `p${crc32(place).toString(16).padStart(8, '0')}`);
  try {
    const isNew = mkdirSync(folder, {recursive: true, mode: 0o700}) !== undefined;
    if (!isPrivateFolder(folder)) return;
    module.enableCompileCache(folder);
    if (isNew) removeStale(foldersIn(dirname(folder)), folder);
    else keepInUse(folder);
  } catch {
    // Nothing can be kept there.
  }
}
