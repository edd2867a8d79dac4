import {fork} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import type {KernelProblem} from '../../kernel/kernel-error.js';
import type {StartChecks} from './start-problems.js';

/** How long a check may take, in milliseconds. */
const checkMillis = 60_000;

/** What is to be checked: arguments of `orch serve`. */
export interface CheckRequest extends StartChecks {
  readonly args: readonly string[];
  readonly cwd: string;
}

/**
 * `startProblems` in a process of its own: each sees the plugins as they are on the disk then, and what their code does to its process (end it, never give way)
 * happens to no other.
 *
 * @param signal ends it
 */
export function checkedElsewhere(request: CheckRequest, signal: AbortSignal): Promise<readonly KernelProblem[]> {
  const child = fork(fileURLToPath(new URL('check-main.js', import.meta.url)), [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    timeout: checkMillis,
    killSignal: 'SIGKILL',
    signal,
  });
  return new Promise((resolve, reject) => {
    child.once('message', (problems: readonly KernelProblem[]) => {
      resolve(problems);
      child.kill('SIGKILL');
    });
    child.once('error', (error) => reject(signal.aborted ? (signal.reason as Error) : error));
    // An exit may be reported before what was sent ahead of it.
    child.once('close', (code, ended) => {
      const why = ended === null ? `ended the process with code ${code}` : `took longer than ${checkMillis / 1000} s`;
      resolve([{code: 'START', message: `the check was not finished: the code of a plugin ${why}`}]);
    });
    child.send(request, () => undefined);
  });
}
