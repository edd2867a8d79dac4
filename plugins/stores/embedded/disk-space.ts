import {statfsSync} from 'node:fs';
import {StoreError} from '../../../sdk/index.js';

/** Bytes that a file system must have left beside what a write needs. */
const spareBytes = 4 * 1024 * 1024;
/** A page that a removal changes, and those above it, are written anew. */
const bytesOfRemoval = 16 * 1024;

/**
 * Looks whether there is room for a write before it begins: a commit that finds none breaks the memory of the process in lmdb 3.5 (`malloc(): invalid size`),
 * which then ends. Takes a few microseconds.
 *
 * @param bytes of the records
 * @param removals of records
 * @throws StoreError `Unavailable`: nothing was written
 */
export function requireSpace(directory: string, bytes: number, removals: number): void {
  const {bavail, bsize} = statfsSync(directory);
  const needed = spareBytes + 3 * bytes + removals * bytesOfRemoval;
  if (bavail * bsize < needed)
    throw new StoreError('Unavailable', `No space left on device: ${directory} needs ${Math.ceil(needed / 2 ** 20)} MiB`);
}
