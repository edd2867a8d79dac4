import {readdirSync, readlinkSync} from 'node:fs';
import {join} from 'node:path';

const folder = '/proc/self/fd';

/** How often this process has a file open (Linux). */
export function timesOpened(path: string): number {
  return readdirSync(folder).filter((descriptor) => targetOf(descriptor) === path).length;
}

/** Undefined for a descriptor that has been closed meanwhile, such as that of the folder itself. */
function targetOf(descriptor: string): string | undefined {
  try {
    return readlinkSync(join(folder, descriptor));
  } catch {
    return undefined;
  }
}
