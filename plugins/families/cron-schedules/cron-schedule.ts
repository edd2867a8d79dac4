import {parseDuration} from '../../../sdk/index.js';
import {isTimeZone} from './time-zone.js';

/** The values of a field. */
export interface FieldValues {
  readonly values: ReadonlySet<number>;
  /** Whether it says nothing: of the two fields for days the other one decides then. */
  readonly isAny: boolean;
}

/** When something runs. */
export interface CronSchedule {
  /** The time zone that the text names; undefined if it names none. */
  readonly zone: string | undefined;
  /** Minute, hour, day of the month, month (from 1) and day of the week (from Sunday, 0). */
  readonly fields?: readonly [FieldValues, FieldValues, FieldValues, FieldValues, FieldValues];
  /** Of `@every`: the pause in milliseconds, whole seconds and at least one. */
  readonly everyMillis?: number;
}

interface Bounds {
  readonly low: number;
  readonly high: number;
  readonly names: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** The fields of a schedule; names count from the lower bound. */
const bounds: readonly Bounds[] = [
  {low: 0, high: 59, names: []},
  {low: 0, high: 23, names: []},
  {low: 1, high: 31, names: []},
  {low: 1, high: 12, names: months},
  {low: 0, high: 6, names: days},
];

const descriptors: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
const nanosPerSecond = 1_000_000_000n;

/** A schedule cannot be read; the message says why, in the words of Kubernetes. */
class ScheduleFault extends Error {}

/**
 * Reads a schedule: five fields (minute, hour, day of the month, month, day of the week) with lists of ranges and steps, or one of `@hourly`, `@daily`, … or `@every DURATION`; a
 * time zone may precede it (`TZ=Europe/Rome `).
 *
 * @returns the schedule, or why it is invalid
 */
export function parseCronSchedule(text: string): CronSchedule | string {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof ScheduleFault) return error.message;
    throw error;
  }
}

/** Why a schedule is invalid. Undefined if it is valid. */
export function cronScheduleFault(text: string): string | undefined {
  const parsed = parseCronSchedule(text);
  return typeof parsed === 'string' ? parsed : undefined;
}

function parse(text: string): CronSchedule {
  const named = /^(?:TZ|CRON_TZ)=(\S*)(.*)$/s.exec(text);
  const zone = named?.[1];
  if (zone !== undefined && !isTimeZone(zone)) throw new ScheduleFault(`provided bad location ${zone}: unknown time zone ${zone}`);
  const rest = (named ? named[2]! : text).trim();
  if (rest === '') throw new ScheduleFault('empty spec string');
  return {zone, ...(rest.startsWith('@') ? parseDescriptor(rest) : {fields: parseFields(rest)})};
}

function parseDescriptor(text: string): Pick<CronSchedule, 'fields' | 'everyMillis'> {
  if (Object.hasOwn(descriptors, text)) return {fields: parseFields(descriptors[text]!)};
  const every = '@every ';
  if (!text.startsWith(every)) throw new ScheduleFault(`unrecognized descriptor: ${text}`);
  const duration = text.slice(every.length);
  const nanos = parseDuration(duration);
  if (nanos === undefined) throw new ScheduleFault(`failed to parse duration ${text}: time: invalid duration ${JSON.stringify(duration)}`);
  return {everyMillis: Math.max(Number(nanos / nanosPerSecond), 1) * 1000};
}

function parseFields(text: string): NonNullable<CronSchedule['fields']> {
  const parts = text.split(/\s+/);
  if (parts.length !== bounds.length)
    throw new ScheduleFault(`expected exactly ${bounds.length} fields, found ${parts.length}: [${parts.join(' ')}]`);
  const [minute, hour, day, month, weekday] = parts.map((part, index) => parseField(part, bounds[index]!));
  return [minute!, hour!, day!, month!, weekday!];
}

function parseField(field: string, within: Bounds): FieldValues {
  const values = new Set<number>();
  let isAny = false;
  for (const expression of field.split(',').filter((part) => part !== '')) {
    const range = parseRange(expression, within);
    for (let value = range.start; value <= range.end; value += range.step) values.add(value);
    isAny ||= range.isAny;
  }
  return {values, isAny};
}

/** `*`, `?`, a number or name, or a range of them; each with an optional step after a slash. */
function parseRange(expression: string, {low, high, names}: Bounds): {start: number; end: number; step: number; isAny: boolean} {
  const [range = '', step, ...furtherSteps] = expression.split('/');
  const [first = '', last, ...furtherEnds] = range.split('-');
  const isAny = first === '*' || first === '?';
  let start = low;
  let end = high;
  if (!isAny) {
    start = valueOf(first, low, names);
    if (furtherEnds.length > 0) throw new ScheduleFault(`too many hyphens: ${expression}`);
    const upper = last === undefined ? start : valueOf(last, low, names);
    // `N/STEP` runs from N to the end.
    if (last !== undefined || step === undefined) end = upper;
  }
  if (furtherSteps.length > 0) throw new ScheduleFault(`too many slashes: ${expression}`);
  const stride = step === undefined ? 1 : numberOf(step);
  if (start < low) throw new ScheduleFault(`beginning of range (${start}) below minimum (${low}): ${expression}`);
  if (end > high) throw new ScheduleFault(`end of range (${end}) above maximum (${high}): ${expression}`);
  if (start > end) throw new ScheduleFault(`beginning of range (${start}) beyond end of range (${end}): ${expression}`);
  if (stride === 0) throw new ScheduleFault(`step of range should be a positive number: ${expression}`);
  return {start, end, step: stride, isAny: isAny && stride === 1};
}

/** A number, or the place of a name. */
function valueOf(text: string, low: number, names: readonly string[]): number {
  const index = names.indexOf(text.toLowerCase());
  return index >= 0 ? index + low : numberOf(text);
}

function numberOf(text: string): number {
  if (!/^[-+]?\d{1,9}$/.test(text))
    throw new ScheduleFault(`failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  const value = Number(text);
  if (value < 0) throw new ScheduleFault(`negative number (${value}) not allowed: ${text}`);
  return value;
}
