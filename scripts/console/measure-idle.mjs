import {readdirSync, readFileSync} from 'node:fs';
import {setTimeout as sleep} from 'node:timers/promises';
import {startServerProcess} from './server-process.mjs';

/** Percent of a processor that the console may take of an idle server. */
const mostIdle = 0.1;
const idleSeconds = 60;

/** Seconds of processor that a process has taken, in all its threads, to the nanosecond. */
export function processorSeconds(pid) {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) => Number(readStatistics(pid, thread).split(' ')[0]));
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e9;
}

/** Threads may end. */
function readStatistics(pid, thread) {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8');
  } catch {
    return '0';
  }
}

/** What the console costs a server that has nothing to do. @returns whether that is little enough */
export async function measureIdle() {
  // Both at once, so that what else the machine does is the same for both.
  const servers = await Promise.all([startServerProcess([]), startServerProcess(['--enable-console'])]);
  try {
    await sleep(20_000);
    const before = servers.map(({pid}) => processorSeconds(pid));
    await sleep(idleSeconds * 1000);
    const [without, with_] = servers.map(({pid}, index) => processorSeconds(pid) - before[index]);
    const more = ((with_ - without) / idleSeconds) * 100;
    console.log(
      `idle: ${with_.toFixed(3)} s of processor in ${idleSeconds} s with the console, ${without.toFixed(3)} s without: ${more.toFixed(3)} % of a processor more`,
    );
    return more <= mostIdle;
  } finally {
    for (const server of servers) await server.stop();
  }
}
