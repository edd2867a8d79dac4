import {randomBytes} from 'node:crypto';
import {link, mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';

const keyBytes = 32;

/**
 * The key that seals links and sessions, made with the first call. It is a file of the data folder, so that the processes of a server have the same and sessions outlive a
 * restart.
 *
 * @param folder for the files of the console
 * @throws Error in one sentence if the file is not a key
 */
export async function sessionKey(folder: string): Promise<Buffer> {
  await mkdir(folder, {recursive: true, mode: 0o700});
  const file = join(folder, 'session.key');
  const found = await readKey(file);
  if (found) return found;
  const own = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  await writeFile(own, randomBytes(keyBytes), {mode: 0o600, flag: 'wx', flush: true});
  try {
    // Of several processes that start together the first one wins.
    await link(own, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(own, {force: true});
  }
  return (await readKey(file))!;
}

async function readKey(file: string): Promise<Buffer | undefined> {
  try {
    const bytes = await readFile(file);
    if (bytes.length !== keyBytes) throw new Error(`${file} is no key of ${keyBytes} bytes: delete it, and everybody signs in again`);
    return bytes;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
