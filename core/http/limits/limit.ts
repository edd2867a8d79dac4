/** What a limit counts. Counts, bytes and bytes per second are whole numbers; durations are milliseconds. */
export type LimitUnit = 'count' | 'bytes' | 'bytes per second' | 'duration';

/** One limit of the server: what it counts, its value, and why. */
export interface LimitDefinition {
  readonly unit: LimitUnit;
  /** In the unit above; computed if it depends on the memory that the process may use. */
  readonly default: number | ((heapBytes: number) => number);
  /** The default as shown in help and documentation: as a setting is written, or in words if it is computed. */
  readonly defaultText: string;
  readonly minimum: number;
  /** What is limited and what happens beyond it, in one sentence for the help. */
  readonly description: string;
}

const kibi = 1024;
const mebi = 1024 * kibi;
const unitMillis: readonly (readonly [suffix: string, millis: number])[] = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
];
const unitBytes: readonly (readonly [suffix: string, bytes: number])[] = [
  ['Gi', 1024 * mebi],
  ['Mi', mebi],
  ['Ki', kibi],
];

export function count(value: number, description: string, minimum = 1): LimitDefinition {
  return {unit: 'count', default: value, defaultText: String(value), minimum, description};
}

export function bytes(value: number, minimum: number, description: string, unit: 'bytes' | 'bytes per second' = 'bytes'): LimitDefinition {
  return {unit, default: value, defaultText: suffixed(value, unitBytes), minimum, description};
}

/** @param millis in milliseconds */
export function duration(millis: number, minimum: number, description: string): LimitDefinition {
  return {unit: 'duration', default: millis, defaultText: suffixed(millis, unitMillis), minimum, description};
}

/** A limit whose default grows with the memory of the process. */
export function byMemory(
  unit: 'count' | 'bytes',
  compute: (heapBytes: number) => number,
  defaultText: string,
  minimum: number,
  description: string,
): LimitDefinition {
  return {unit, default: (heapBytes) => Math.floor(compute(heapBytes)), defaultText, minimum, description};
}

/** A value as a setting is written: with the largest suffix that keeps it whole. */
export function limitText(value: number, unit: LimitUnit): string {
  if (unit === 'duration') return suffixed(value, unitMillis);
  return unit === 'count' ? String(value) : suffixed(value, unitBytes);
}

function suffixed(value: number, units: readonly (readonly [string, number])[]): string {
  const found = units.find(([, size]) => value >= size && value % size === 0);
  return found ? `${value / found[1]}${found[0]}` : String(value);
}
