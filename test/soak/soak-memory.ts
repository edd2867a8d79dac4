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
}

export interface MemoryVerdict {
  /** How many samples it is based on: those of the last process, without its first minutes. */
  readonly samples: number;
  /** Megabytes an hour, and how far that may be off. */
  readonly slope: number;
  readonly error: number;
  readonly mean: number;
  /** Undefined if there are too few samples. */
  readonly isFlat: boolean | undefined;
}

/** The history that watchers may ask for, which fills up after a start. */
const minutesOfHistory = 6;
const fewestSamples = 5;
/** Share of the mean by which memory may grow in an hour, as far as can be told. */
const growthAllowed = 0.05;

/** Whether memory grows: the slope of a line through the samples, and how sure that is. */
export function memoryVerdict(samples: readonly MemorySample[]): MemoryVerdict {
  const last = samples.at(-1);
  const own = samples.filter(({pid}) => pid === last?.pid);
  const chosen = own.filter(({minutes}) => minutes >= own[0]!.minutes + minutesOfHistory);
  const count = chosen.length;
  const mean = chosen.reduce((sum, {held}) => sum + held, 0) / count;
  const middle = chosen.reduce((sum, {minutes}) => sum + minutes, 0) / count;
  const spread = chosen.reduce((sum, {minutes}) => sum + (minutes - middle) ** 2, 0);
  const slope = chosen.reduce((sum, {minutes, held}) => sum + (minutes - middle) * (held - mean), 0) / spread;
  const rest = chosen.reduce((sum, {minutes, held}) => sum + (held - mean - slope * (minutes - middle)) ** 2, 0);
  const error = 2 * Math.sqrt(rest / (count - 2) / spread);
  const isFlat = count < fewestSamples ? undefined : (slope - error) * 60 <= mean * growthAllowed;
  return {samples: count, slope: slope * 60, error: error * 60, mean, isFlat};
}
