import {existsSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import test, {type ExecutionContext} from 'ava';

/** Whether a program is on the `PATH`. */
export function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, program)));
}

type Declare = (title: string, work: (t: ExecutionContext) => void | Promise<void>) => void;

/**
 * `test` where all programs are installed, and `test.skip` elsewhere: the run counts what it skips, and with `ORCH_REQUIRE=all` it fails.
 */
export function whereInstalled(...programs: string[]): Declare {
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length === 0) return (title, work) => test(title, work);
  return (title, work) => test.skip(`${title} (not installed: ${missing.join(', ')})`, work);
}
