import type {WorkersResult} from './measure-workers.js';

/** How many times the reads of one process two workers must do on two cores, and what a further worker may have of memory, in MiB. */
const goals = {reads: 1.7, memory: 60};

/** One process and two workers as text. */
export function workersReport({cases, memory}: WorkersResult): string {
  const verdict = (met: boolean) => (met ? 'met' : 'missed');
  const lines = cases.map(({work, one, worker, all, gain, gainByCpu, failures}) => {
    const goal = work === 'update' ? '' : `, goal ${goals.reads}: ${failures > 0 ? `${failures} failures` : verdict(gain >= goals.reads)}`;
    return `${work.padEnd(18)} ${one.toFixed(0).padStart(6)} µs; the busier of two ${worker.toFixed(0)}, all processes ${all.toFixed(0)}: ${gain.toFixed(2)} times${goal} (${gainByCpu.toFixed(2)} by the processor time of all threads)`;
  });
  const further = memory.workers.at(-1) ?? 0;
  return [
    'embedded: one process, and two workers on two cores; microseconds of processor for an operation',
    ...lines,
    `memory of its own  ${memory.one.toFixed(0)} MiB; supervisor ${memory.supervisor.toFixed(0)}, store ${memory.store.toFixed(0)}, workers ${memory.workers.map((one) => one.toFixed(0)).join(' and ')}, goal for a further one ${goals.memory}: ${verdict(further < goals.memory)}`,
  ].join('\n');
}
