import {randomBytes} from 'node:crypto';
import {mkdirSync} from 'node:fs';
import {link, open, rename, unlink} from 'node:fs/promises';
import {dirname} from 'node:path';

/** Makes a folder, and its parents, that only the owner can enter. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, {recursive: true, mode: 0o700});
}

/**
 * Replaces a file atomically: readers see the old or the new content, never a part. Only the owner may read it.
 *
 * @param durable whether the content is on disk when the promise resolves; without, a power cut may leave an empty file
 */
export async function replaceFile(path: string, content: string, durable = true): Promise<void> {
  const temporary = await writeTemporary(path, content, durable);
  try {
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary);
    throw error;
  }
}

/**
 * Creates a file unless it exists. Of several concurrent callers exactly one succeeds, and nobody ever sees a part
 * of the content.
 *
 * @returns whether this call made it
 */
export async function createFile(path: string, content: string): Promise<boolean> {
  const temporary = await writeTemporary(path, content, true);
  try {
    // A link, unlike a rename, fails where the name is taken.
    await link(temporary, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(temporary);
  }
}

/** Makes the names in a folder survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function writeTemporary(path: string, content: string, durable: boolean): Promise<string> {
  makePrivateFolder(dirname(path));
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(content);
    if (durable) await file.sync();
  } catch (error) {
    await file.close();
    await unlink(temporary);
    throw error;
  }
  await file.close();
  return temporary;
}
