import type {Environment} from '@marcbachmann/cel-js';
import {BoundedCache} from '../../cache/bounded-cache.js';
import {meter} from '../cost-meter.js';

const sync = {async: false};
const type = 'google.protobuf.Timestamp';
const millisPerDay = 86_400_000;
/** To learn the rules of a zone, and to find the time there. */
const stepsPerZone = 30_000;
const stepsPerTime = 400;
/** To read an offset. */
const stepsPerOffset = 12;

/** The parts of a time, from a date whose UTC time is the local one. */
const parts: Readonly<Record<string, (local: Date) => number>> = {
  getFullYear: (local) => local.getUTCFullYear(),
  getMonth: (local) => local.getUTCMonth(),
  getDate: (local) => local.getUTCDate(),
  getDayOfMonth: (local) => local.getUTCDate() - 1,
  getDayOfWeek: (local) => local.getUTCDay(),
  getDayOfYear: (local) =>
    Math.floor(
      (Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()) - Date.UTC(local.getUTCFullYear(), 0, 1)) / millisPerDay,
    ),
  getHours: (local) => local.getUTCHours(),
  getMinutes: (local) => local.getUTCMinutes(),
  getSeconds: (local) => local.getUTCSeconds(),
  getMilliseconds: (local) => local.getUTCMilliseconds(),
};

/** The parts of times, in UTC or in a time zone: a name of the time zone database, or an offset (`+02:00`). */
export function addTimeFunctions(environment: Environment): void {
  for (const [name, part] of Object.entries(parts)) {
    const partOf = (time: Date): bigint => {
      if (Number.isNaN(time.getTime())) throw new Error('timestamp out of range');
      return BigInt(part(time));
    };
    environment
      .registerFunction(`${type}.${name}_(): int`, partOf, sync)
      .registerFunction(`${type}.${name}_(string): int`, (time: Date, zone: string) => partOf(inZone(time, zone)), sync);
  }
}

/** The functions that replace the library's. */
export const timeFunctions: readonly string[] = Object.keys(parts);

/** Names of zones have up to 32 characters; the platform reads whatever it is given. */
const longestName = 64;
const zones = new BoundedCache((name) => {
  if (name.length > longestName) throw new Error(`unknown time zone ${name.slice(0, 100)}`);
  meter.spend(stepsPerZone);
  const options = {
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  } as const;
  try {
    return new Intl.DateTimeFormat('en-US', {timeZone: name === '' ? 'UTC' : name, era: 'short', ...options});
  } catch {
    throw new Error(`unknown time zone ${name.slice(0, 100)}`);
  }
}, 64);

/** A date whose UTC time is the local time. @throws Error if there is no such zone */
function inZone(time: Date, zone: string): Date {
  meter.spend(stepsPerOffset);
  const offset = /^([+-]?)(\d\d):(\d\d)$/.exec(zone);
  const millis = time.getTime();
  if (offset) return new Date(millis + (offset[1] === '-' ? -1 : 1) * (Number(offset[2]) * 60 + Number(offset[3])) * 60_000);
  if (Number.isNaN(millis)) return time;
  const format = zones.get(zone);
  meter.spend(stepsPerTime);
  const shown = Object.fromEntries(format.formatToParts(time).map(({type: part, value}) => [part, value]));
  const number = (part: string) => Number(shown[part]);
  const local = new Date(0);
  // The year before 1 AD is 1 BC.
  local.setUTCFullYear(shown['era'] === 'BC' ? 1 - number('year') : number('year'), number('month') - 1, number('day'));
  local.setUTCHours(number('hour'), number('minute'), number('second'), time.getUTCMilliseconds());
  return local;
}
