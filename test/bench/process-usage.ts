import {readFileSync} from 'node:fs';

/** Clock ticks per second in /proc; the same on every Linux architecture that Node runs on. */
const ticksPerSecond = 100;

/** CPU seconds (user and system) that the given processes have used so far, together. */
export function cpuSeconds(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses and may hold blanks: count from behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / ticksPerSecond;
}

/** Resident memory of a process in MB: now, and the most it ever had. */
export function residentMegabytes(pid: number): {now: number; peak: number} {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024;
  return {now: field('VmRSS'), peak: field('VmHWM')};
}
