import {pathToFileURL} from 'node:url';
import {traceToSources} from './trace-to-sources.js';

/** The exports of a module. */
export type EntryModule = Readonly<Record<string, unknown>>;

const limitMillis = 10_000;

/** How a module is imported. */
export interface ImportOptions {
  /** Whether it came with the kernel's program, which needs no help in finding its faults. */
  readonly isOwn?: boolean;
  /** How long it may take, in milliseconds; 10 seconds by default. */
  readonly limitMillis?: number | undefined;
}

/**
 * Imports a plugin's code.
 *
 * @throws what the module throws; Error if it takes longer than the limit
 */
export async function importModule(
  file: string,
  {isOwn = false, limitMillis: limit = limitMillis}: ImportOptions = {},
): Promise<EntryModule> {
  if (!isOwn) traceToSources(file);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    // Keeps the process alive: it would end without a word when nothing but the module's own await is left.
    timer = setTimeout(
      () => reject(new Error(`it has not been loaded after ${limit / 1000} s; a top-level await in it may never end`)),
      limit,
    );
  });
  try {
    return await Promise.race([import(pathToFileURL(file).href) as Promise<EntryModule>, late]);
  } finally {
    clearTimeout(timer);
  }
}
