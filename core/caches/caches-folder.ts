import {homedir} from 'node:os';
import {isAbsolute, join} from 'node:path';
import process from 'node:process';

/** The folder for what this user's processes of Orch keep between runs, and can do without. It need not be there. */
export function cachesFolder(): string {
  const given = process.env['XDG_CACHE_HOME'];
  return join(given !== undefined && isAbsolute(given) ? given : join(homedir(), '.cache'), 'orch');
}
