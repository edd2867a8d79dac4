import {setTimeout as sleep} from 'node:timers/promises';
import {cpuSeconds} from '../bench/process-usage.js';
import {median} from '../bench/percentile.js';

/** A figure, where there is one. */
export type Value = number | undefined;

/** What a kind of work takes at each number. */
export interface GrowthCurve {
  readonly name: string;
  readonly mayGrow?: boolean | undefined;
  /** Microseconds of the server's processor for each operation; undefined where there was none. */
  readonly micros: readonly Value[];
  /** Milliseconds; the same. */
  readonly p99: readonly Value[];
}

export interface Growth {
  readonly name: string;
  readonly points: readonly number[];
  readonly curves: readonly GrowthCurve[];
  /** Resident MB at each number, without pages of files. */
  readonly memory: readonly number[];
}

/** What one measurement shows. */
export interface Figures {
  /** Microseconds of the processor for each operation. */
  readonly micros: Value;
  /** Milliseconds. */
  readonly p99: Value;
}

/** How many measurements make a figure. */
export const repeats = 3;

/** The middle of those that are known. */
export function middle(values: readonly Value[]): Value {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : median(known);
}

/** Resolves when processes have nothing left to do, or after a minute. */
export async function settled(pids: readonly number[]): Promise<void> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline;) {
    const before = cpuSeconds(pids);
    await sleep(300);
    if (cpuSeconds(pids) - before < 0.02) return;
  }
}
