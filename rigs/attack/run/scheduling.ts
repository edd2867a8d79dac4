import {readFileSync} from 'node:fs';

/**
 * Milliseconds that the main thread of a process has been ready to run and had to wait for a processor, so far; 0 where the system does not
 * tell. On a machine with other work this is no fault of the process.
 */
export function waitedMillis(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
