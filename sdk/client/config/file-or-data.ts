import {readFile} from 'node:fs/promises';
import {dirname, resolve} from 'node:path';

/** The absolute path for a path in a configuration file. */
export function pathBeside(file: string, path: string): string {
  return resolve(dirname(file), path);
}

/**
 * The value of a field given inline (`NAME-data`, base64) or in a file (`NAME`); inline data takes precedence.
 *
 * @param where configuration file and entry, for messages
 */
export async function fileOrData(entry: object, name: string, file: string, where: string): Promise<string | undefined> {
  const members = entry as Readonly<Record<string, unknown>>;
  const data = members[`${name}-data`];
  if (typeof data === 'string' && data !== '') return Buffer.from(data, 'base64').toString('utf8');
  const path = members[name];
  if (typeof path !== 'string' || path === '') return undefined;
  return readFile(pathBeside(file, path), 'utf8').catch((error: unknown) => {
    throw new Error(`${where}: cannot read ${name}: ${(error as Error).message}`, {cause: error});
  });
}
