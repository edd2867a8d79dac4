import type {DefinitionsResult} from './measure-definitions.js';

/** Goals: seconds are a matter of the machine and have none. */
const goals = {kilobytes: 100, stallMillis: 50};

function verdict(value: number, goal: number): string {
  return value <= goal ? 'met' : 'missed';
}

/** The figures of definitions as text. */
export function definitionsReport({subject, created, idle, probed, cpu, kilobytes, memory}: DefinitionsResult): string {
  const {operations, seconds, p50, p99, failures, firstFailure} = created;
  const worst = probed.max ?? 0;
  const lines = [
    `${subject}: ${operations} definitions established in ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s CPU; a creation p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
    `  memory of each before its first use: ${kilobytes.heap.toFixed(0)} KB of heap (goal ${goals.kilobytes}: ${verdict(kilobytes.heap, goals.kilobytes)}), ${kilobytes.all.toFixed(0)} KB with buffers; ${memory.idle.toFixed(0)} MB resident before, ${memory.loaded.toFixed(0)} MB after`,
    `  other requests meanwhile: p50 ${probed.p50.toFixed(1)} ms, p99 ${probed.p99.toFixed(1)} ms, longest ${worst.toFixed(1)} ms of ${probed.operations} (goal ${goals.stallMillis}: ${verdict(worst, goals.stallMillis)}); before, on the idle server: p50 ${idle.p50.toFixed(1)} ms, p99 ${idle.p99.toFixed(1)} ms, longest ${(idle.max ?? 0).toFixed(1)} ms`,
  ];
  if (failures > 0) lines.push(`  ${failures} failures, first: ${firstFailure}`);
  if (probed.failures > 0) lines.push(`  ${probed.failures} failures of other requests, first: ${probed.firstFailure}`);
  return lines.join('\n');
}
