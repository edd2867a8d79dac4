// Processes that a test run left behind. Every process started by the run inherits ORCH_TEST_RUN, so /proc tells.
import {readdirSync, readFileSync} from 'node:fs';
import {setTimeout as sleep} from 'node:timers/promises';

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process has ended meanwhile or belongs to somebody else.
    return '';
  }
}

/** `[{pid, command}]` of the processes whose environment carries the run's id. */
export function processesOf(runId) {
  const marker = `ORCH_TEST_RUN=${runId}`;
  const found = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    if (!read(`/proc/${name}/environ`).split('\0').includes(marker)) continue;
    found.push({pid: Number(name), command: read(`/proc/${name}/cmdline`).split('\0').join(' ').trim()});
  }
  return found;
}

/** As `processesOf`, after a grace period in which processes that are just ending may go. */
export async function survivorsOf(runId, graceMillis = 3_000) {
  const deadline = performance.now() + graceMillis;
  for (;;) {
    const found = processesOf(runId);
    if (found.length === 0 || performance.now() > deadline) return found;
    await sleep(50);
  }
}
