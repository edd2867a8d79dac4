import {readdirSync, readFileSync} from 'node:fs';

/** CPU seconds (user and system) that the threads of the given processes have used so far, together. The kernel counts them in nanoseconds. */
export function cpuSeconds(pids: readonly number[]): number {
  let nanoseconds = 0;
  for (const pid of pids) {
    for (const thread of readdirSync(`/proc/${pid}/task`)) nanoseconds += threadNanoseconds(pid, thread);
  }
  return nanoseconds / 1e9;
}

/** The same of the thread that runs JavaScript. */
export function mainThreadSeconds(pid: number): number {
  return threadNanoseconds(pid, String(pid)) / 1e9;
}

function threadNanoseconds(pid: number, thread: string): number {
  return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]);
}

/** Resident memory of a process in MB: now, what of it is not of files (code of programs, which all their processes share), and the most it ever had. */
export function residentMegabytes(pid: number): {now: number; own: number; peak: number} {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024;
  return {now: field('VmRSS'), own: field('RssAnon'), peak: field('VmHWM')};
}

/** How often the threads of a process have gone to sleep so far, which is how often something has woken them. */
export function wakesOf(pid: number): number {
  let wakes = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8');
    wakes += Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  }
  return wakes;
}
