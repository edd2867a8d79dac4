export const nanosPerSecond = 1_000_000_000n;
const highestDuration = 2n ** 63n - 1n;
const lowestSecond = -62_135_596_800n;
const highestSecond = 253_402_300_799n;

/** A length of time, in nanoseconds. */
export class DurationValue {
  constructor(readonly nanos: bigint) {}

  static isIn(nanos: bigint): boolean {
    return nanos >= -highestDuration - 1n && nanos <= highestDuration;
  }

  /** In seconds: `5400s`, `0.5s`. */
  toString(): string {
    return `${Number(this.nanos) / 1e9}s`;
  }
}

/** A point in time, in nanoseconds since 1970. */
export class TimestampValue {
  /** @param offset of the time zone in which it was written, in minutes */
  constructor(
    readonly nanos: bigint,
    readonly offset = 0,
  ) {}

  /** Whether it is in the years from 1 to 9999. */
  static isIn(nanos: bigint): boolean {
    const second = floorDivided(nanos, nanosPerSecond);
    return second >= lowestSecond && second <= highestSecond;
  }

  get seconds(): bigint {
    return floorDivided(this.nanos, nanosPerSecond);
  }

  get date(): Date {
    return new Date(Number(floorDivided(this.nanos, 1_000_000n)));
  }

  /** As in RFC 3339, with as many digits of a second as there are. */
  toString(): string {
    const fraction = (((this.nanos % nanosPerSecond) + nanosPerSecond) % nanosPerSecond).toString().padStart(9, '0').replace(/0+$/, '');
    const local = new Date(this.date.getTime() + this.offset * 60_000).toISOString().slice(0, 19);
    return `${local}${fraction === '' ? '' : `.${fraction}`}${zoneText(this.offset)}`;
  }
}

function zoneText(offset: number): string {
  if (offset === 0) return 'Z';
  const minutes = Math.abs(offset);
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${offset < 0 ? '-' : '+'}${hour}:${minute}`;
}

function floorDivided(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

const form = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** A time as RFC 3339 has it; undefined for anything else. */
export function parseTimestamp(text: string): TimestampValue | undefined {
  if (text.length > 64) return undefined;
  const parts = form.exec(text);
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [number, number, number, number, number, number];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (month < 1 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59)
    return undefined;
  const [sign, hours, minutes] = [parts[8] === '-' ? -1 : 1, Number(parts[9] ?? 0), Number(parts[10] ?? 0)];
  if (hours > 24 || minutes >= 60) return undefined;
  date.setUTCHours(hour, minute, second);
  const offset = sign * (hours * 60 + minutes);
  const seconds = BigInt(date.getTime() / 1000 - offset * 60);
  return new TimestampValue(seconds * nanosPerSecond + BigInt((parts[7] ?? '').slice(0, 9).padEnd(9, '0')), offset);
}
