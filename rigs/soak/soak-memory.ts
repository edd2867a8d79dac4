import {leastSquares} from './least-squares.js';

/** What a server held at one moment, after its garbage was collected. */
export interface MemorySample {
  /** Since the soak began. */
  readonly minutes: number;
  /** Of the process: another one has begun anew. */
  readonly pid: number;
  /** JavaScript objects and buffers, in megabytes. */
  readonly held: number;
  readonly resident: number;
  /** How many objects should be there. */
  readonly objects: number;
  /** How many things had been done by then, on both servers: each sees all changes. */
  readonly actions: number;
}

export interface MemoryRow {
  readonly minutes: number;
  readonly held: number;
  /** Actions of the minutes that the history covers. */
  readonly recentActions: number;
  /** What the fit says of `held`. */
  readonly fitted: number;
}

export interface MemoryVerdict {
  /** The samples that it is based on: those of the last process, without its first minutes. */
  readonly rows: readonly MemoryRow[];
  /** Megabytes an hour at the same rate of actions, and how far that may be off (two standard errors). */
  readonly slope: number;
  readonly error: number;
  /** Megabytes for 1,000 actions of the last minutes. */
  readonly perThousandActions: number;
  /** The slope of time alone, which a changing rate of actions moves. */
  readonly plainSlope: number;
  readonly mean: number;
  /** Undefined if it cannot be told: too few samples, or they are too far from the fit. */
  readonly isFlat: boolean | undefined;
}

/** For so long changes are kept, so that watches can come back. */
const historyMinutes = 5;
/** The history fills up after a start. */
const warmUpMinutes = historyMinutes + 1;
const fewestSamples = 8;
/** Share of the mean by which memory may grow in an hour, as far as can be told. */
const growthAllowed = 0.05;
/** Share of the mean: who could not tell whether so much is gained in an hour has not seen that memory is flat. */
const errorAllowed = 0.5;

/**
 * Whether memory grows, once what it holds of the last changes is taken out: most of it is history, whose size moves with the rate of actions. Memory
 * is fitted by time and by the actions of the last five minutes. Those are counted by who acts: what the server says of its own history
 * would also explain a history that is never cut.
 */
export function memoryVerdict(samples: readonly MemorySample[]): MemoryVerdict {
  const last = samples.at(-1);
  const own = samples.filter(({pid}) => pid === last?.pid);
  const chosen = own.filter(({minutes}) => minutes >= own[0]!.minutes + warmUpMinutes);
  const recent = chosen.map(({minutes, actions}) => actions - actionsAt(samples, minutes - historyMinutes));
  const held = chosen.map((sample) => sample.held);
  const byTime = chosen.map(({minutes}) => [minutes]);
  const plain = leastSquares(byTime, held);
  // A rate that never changes explains nothing.
  const changes = Math.max(...recent) - Math.min(...recent) > Math.max(...recent) / 100;
  const fit = changes
    ? leastSquares(
        byTime.map((row, index) => [...row, recent[index]! / 1000]),
        held,
      )
    : plain;
  const mean = held.reduce((sum, value) => sum + value, 0) / held.length;
  const slope = fit.factors[0]! * 60;
  const error = 2 * fit.errors[0]! * 60;
  const isUnsure = chosen.length < fewestSamples || !(error <= mean * errorAllowed);
  return {
    rows: chosen.map((sample, index) => ({
      minutes: sample.minutes,
      held: sample.held,
      recentActions: recent[index]!,
      fitted: fit.fitted[index]!,
    })),
    slope,
    error,
    perThousandActions: fit.factors[1] ?? NaN,
    plainSlope: plain.factors[0]! * 60,
    mean,
    isFlat: slope - error > mean * growthAllowed ? false : isUnsure ? undefined : true,
  };
}

/** Actions up to a moment, by the samples before and after it. */
function actionsAt(samples: readonly MemorySample[], minutes: number): number {
  let before = {minutes: 0, actions: 0};
  for (const sample of samples) {
    if (sample.minutes >= minutes) {
      const share = Math.max(0, minutes - before.minutes) / (sample.minutes - before.minutes);
      return before.actions + share * (sample.actions - before.actions);
    }
    before = sample;
  }
  return before.actions;
}
