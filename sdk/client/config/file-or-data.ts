import {readFile} from 'node:fs/promises';
import {dirname, resolve} from 'node:path';

/** A path in a configuration file, absolute. */
export function pathBeside(file: string, path: string): string {
  return resolve(dirname(file), path);
}

/**
 * What a field gives by itself (`NAME-data`, base64) or in a file (`NAME`); data win where both are given.
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
