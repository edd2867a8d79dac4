import {pathToFileURL} from 'node:url';

/** What a module exports. */
export type EntryModule = Readonly<Record<string, unknown>>;

const limitSeconds = 10;

/**
 * Imports a plugin's code.
 *
 * @throws what the module throws; Error if it takes longer than 10 seconds
 */
export async function importModule(file: string): Promise<EntryModule> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    // Keeps the process alive: it would end without a word when nothing but the module's own await is left.
    timer = setTimeout(
      () => reject(new Error(`it has not been loaded after ${limitSeconds} s; a top-level await in it may never end`)),
      limitSeconds * 1000,
    );
  });
  try {
    return await Promise.race([import(pathToFileURL(file).href) as Promise<EntryModule>, late]);
  } finally {
    clearTimeout(timer);
  }
}
