import {chmodSync, readdirSync, statSync} from 'node:fs';
import {join} from 'node:path';
import type {Logger} from '../../sdk/index.js';

/**
 * Closes the data folder to everybody but its owner, with what the server itself keeps in it: earlier versions, copies and backups may
 * have left it open. Stores protect their own folders, and other files are left alone.
 *
 * A mode that cannot be changed (a read-only volume, another owner) is logged as a warning.
 */
export function closeDataFolder(dataDir: string, logger: Logger): void {
  const own = ['pki', 'lineage'].map((name) => join(dataDir, name));
  for (const path of [dataDir, join(dataDir, 'admin.kubeconfig'), ...own.flatMap((folder) => [folder, ...filesIn(folder)])]) {
    try {
      const {mode} = statSync(path);
      // A folder with the sticky bit, such as /tmp, is everybody's.
      if ((mode & 0o077) !== 0 && (mode & 0o1000) === 0) chmodSync(path, mode & 0o700);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      logger.warn({err: error, path}, 'a file of the server may be open to others than its owner, and that cannot be changed');
    }
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, {withFileTypes: true}).flatMap((entry) => (entry.isDirectory() ? [] : [join(folder, entry.name)]));
  } catch {
    // It does not exist yet, or cannot be used: the code that creates it will report that.
    return [];
  }
}
