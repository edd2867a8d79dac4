import {open} from 'node:fs/promises';
import {dirname} from 'node:path';

/**
 * Makes the entry of a new file durable: LMDB syncs its file, but that the file exists is up to its directory, and so on up to
 * the first directory that was there before. `created` is the topmost that is new.
 *
 * Windows cannot open directories and needs no such thing.
 */
export async function syncDirectories(directory: string, created: string | undefined): Promise<void> {
  if (process.platform === 'win32') return;
  const last = created === undefined ? directory : dirname(created);
  for (let current = directory; ; current = dirname(current)) {
    const handle = await open(current, 'r');
    try {
      await handle.sync();
    } catch (error) {
      // Some file systems cannot sync a directory, and need not.
      if (!['EINVAL', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    } finally {
      await handle.close();
    }
    if (current === last) return;
  }
}
