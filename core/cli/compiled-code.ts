import module from 'node:module';
import {homedir} from 'node:os';
import {isAbsolute, join} from 'node:path';
import process from 'node:process';

/**
 * Keeps compiled code between runs, which saves a fifth of the start. Never in the shared folder for temporary files, which is the
 * default: whoever can write there could put in code of their own.
 */
export function keepCompiledCode(): void {
  const caches = process.env['XDG_CACHE_HOME'];
  module.enableCompileCache?.(join(caches !== undefined && isAbsolute(caches) ? caches : join(homedir(), '.cache'), 'orch', 'compiled'));
}
