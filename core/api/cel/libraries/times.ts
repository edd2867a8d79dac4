import {BoundedCache} from '../../cache/bounded-cache.js';
import {meter} from '../cost-meter.js';
import {durationType, intType, stringType, timestampType} from '../types/cel-type.js';
import {Fault} from '../values/fault.js';
import type {DurationValue, TimestampValue} from '../values/times.js';
import {quotedText} from '../../json/quoted-text.js';
import {functionsOf, method, type Library, type Overload} from './overload.js';

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

const units: Readonly<Record<string, bigint>> = {
  getHours: 3_600_000_000_000n,
  getMinutes: 60_000_000_000n,
  getSeconds: 1_000_000_000n,
  getMilliseconds: 1_000_000n,
};

/** The parts of times, in UTC or in a time zone: a name of the time zone database, or an offset (`+02:00`). */
export const timeLibrary: Library = {
  functions: functionsOf(
    Object.fromEntries(
      Object.entries(parts).map(([name, part]): [string, ((name: string) => Overload)[]] => {
        const unit = units[name];
        return [
          name,
          [
            method([timestampType], intType, ({date}: TimestampValue) => BigInt(part(date))),
            method([timestampType, stringType], intType, ({date}: TimestampValue, zone: string) => {
              const local = inZone(date, zone);
              return local instanceof Fault ? local : BigInt(part(local));
            }),
            ...(unit === undefined ? [] : [method([durationType], intType, ({nanos}: DurationValue) => nanos / unit)]),
          ],
        ];
      }),
    ),
  ),
};

/** Names of zones have up to 32 characters; the platform reads whatever it is given. */
const longestName = 64;
const zones = new BoundedCache((name) => {
  if (name.length > longestName) return undefined;
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
    return undefined;
  }
}, 64);

/** A date whose UTC time is the local time. */
function inZone(time: Date, zone: string): Date | Fault {
  meter.spend(stepsPerOffset);
  const millis = time.getTime();
  const colon = zone.indexOf(':');
  if (colon >= 0) {
    const [hours, minutes] = [zone.slice(0, colon), zone.slice(colon + 1)];
    for (const part of [hours, minutes])
      if (!/^[+-]?\d{1,9}$/.test(part)) return new Fault(`strconv.Atoi: parsing ${quotedText(part)}: invalid syntax`);
    const sign = Number(hours) < 0 ? -1 : 1;
    return new Date(millis + (Number(hours) * 60 + sign * Number(minutes)) * 60_000);
  }
  const format = zones.get(zone);
  if (!format) return new Fault(`unknown time zone ${zone.slice(0, 100)}`);
  meter.spend(stepsPerTime);
  const shown = Object.fromEntries(format.formatToParts(time).map(({type: part, value}) => [part, value]));
  const number = (part: string) => Number(shown[part]);
  const local = new Date(0);
  // The year before 1 AD is 1 BC.
  local.setUTCFullYear(shown['era'] === 'BC' ? 1 - number('year') : number('year'), number('month') - 1, number('day'));
  local.setUTCHours(number('hour'), number('minute'), number('second'), time.getUTCMilliseconds());
  return local;
}
