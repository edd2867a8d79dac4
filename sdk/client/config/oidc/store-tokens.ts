import {chmod, readFile, rename, rm, stat, writeFile} from 'node:fs/promises';
import type {Kubeconfig} from '../kubeconfig.js';
import type {OidcTokens} from './refresh-tokens.js';

/** The location of a user entry. */
export interface OidcPlace {
  /** Configuration file and user, for messages. */
  readonly where: string;
  readonly file: string;
  readonly user: string;
}

/** Writes tokens to their configuration file. Readers see the file either before or after the change. */
export async function storeTokens({file, user}: Pick<OidcPlace, 'file' | 'user'>, tokens: OidcTokens): Promise<void> {
  const {dump, load} = await import('js-yaml');
  // Another process may have changed other entries since it was read.
  const config = load(await readFile(file, 'utf8')) as Kubeconfig;
  const entry = config.users?.find(({name}) => name === user)?.user['auth-provider'];
  if (!entry) throw new Error(`${file} no longer has an auth-provider for user ${user}`);
  entry.config = {...entry.config, 'id-token': tokens.idToken, 'refresh-token': tokens.refreshToken};
  const {mode} = await stat(file);
  const temporary = `${file}.${process.pid}.new`;
  try {
    await writeFile(temporary, dump(config), {mode: 0o600});
    await chmod(temporary, mode & 0o777);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, {force: true});
    throw error;
  }
}
