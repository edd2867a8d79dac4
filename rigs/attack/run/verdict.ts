import type {Attack} from '../attack.js';
import type {Outcome} from '../client/outcome.js';
import {isFailure, type TallyReport} from '../client/tally.js';
import type {Bounds} from './bounds.js';
import type {Probed} from './prober-main.js';

/** How the server came to rest behind an attack. */
export interface Recovery {
  /** Seconds until it was near idle; undefined when it was not within the bound. */
  readonly seconds: number | undefined;
  readonly residentMegabytes: number;
  /** Share of one processor when it was last looked at. */
  readonly cpu: number;
}

/** What was measured during one attack. */
export interface Measured {
  readonly attack: string;
  readonly store: string;
  readonly seconds: number;
  readonly probed: Probed | undefined;
  /** How many times as long as usual the machine took for everything when the attack was over; 1 when no time was near its bound. */
  readonly machine: number;
  readonly peakMegabytes: number;
  readonly recovery: Recovery | undefined;
  readonly tally: TallyReport | undefined;
  /** What broke the measurement itself: the end of the process, an attack without end. */
  readonly broken: readonly string[];
  /** Lines that the server logged as errors. */
  readonly errors: readonly string[];
}

export interface Verdict extends Measured {
  /** The bounds that do not hold, in words; none when all do. */
  readonly failures: readonly string[];
  /** Whether all of them are measures of time and memory, which something else may have disturbed. */
  readonly isMeasure: boolean;
  /** Failures of a first attempt, which were measures and did not show again. */
  readonly firstAttempt?: readonly string[];
}

/** Whether what the probe saw holds only on a machine that is slower than usual. */
export function isLate({p99, livezLongest}: Probed, bounds: Bounds): boolean {
  return p99 > bounds.p99Millis || livezLongest > bounds.livezMillis;
}

/** Holds what was measured against the bounds. Those of time are for a machine of the usual speed. */
export function judge(attack: Attack, measured: Measured, bounds: Bounds): Verdict {
  const {probed, machine, recovery, tally, peakMegabytes, broken, errors} = measured;
  const failures = [...broken];
  const measures: string[] = [];
  const must = (holds: boolean, otherwise: string, list = failures) => {
    if (!holds) list.push(otherwise);
  };
  if (probed) {
    must(probed.p99 <= bounds.p99Millis * machine, `p99 ${probed.p99.toFixed(0)} ms`, measures);
    must(probed.livezLongest <= bounds.livezMillis * machine, `/livez ${probed.livezLongest.toFixed(0)} ms`, measures);
    failures.push(...probed.failures);
  }
  must(peakMegabytes < bounds.residentMegabytes, `RSS ${peakMegabytes.toFixed(0)} MB`, measures);
  if (recovery && recovery.seconds === undefined) {
    measures.push(
      `after ${bounds.idleSeconds} s not idle: ${recovery.residentMegabytes.toFixed(0)} MB, ${(recovery.cpu * 100).toFixed(0)} % CPU`,
    );
  }
  if (tally) {
    failures.push(...tally.faults);
    const seen = Object.keys(tally.outcomes);
    must(!seen.some((outcome) => isFailure(Number(outcome))) || tally.faults.length > 0, `answered ${seen.join(', ')}`);
    must(
      attack.outcomes.some((outcome: Outcome) => seen.includes(String(outcome))),
      `missed its aim: outcomes ${seen.join(', ') || 'none'} instead of ${attack.outcomes.join(', ')}`,
    );
  }
  failures.push(
    ...unexpected(attack, errors)
      .slice(0, 2)
      .map((line) => `logged ${line.slice(0, 300)}`),
  );
  return {...measured, failures: [...measures, ...failures], isMeasure: measures.length > 0 && failures.length === 0};
}

/** How often an error may be logged that an attack is known to cause: more often would be a flood of the log. */
const expectedTimes = 4;

function unexpected({logs = []}: Attack, errors: readonly string[]): string[] {
  const left = new Map(logs.map((message) => [message, expectedTimes]));
  return errors.filter((line) => {
    const message = logs.find((one) => line.includes(`"msg":${JSON.stringify(one)}`));
    const times = message === undefined ? 0 : left.get(message)!;
    if (times > 0) left.set(message!, times - 1);
    return times === 0;
  });
}
