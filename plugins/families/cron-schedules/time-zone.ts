/** Whether a time zone is known by exactly this name. Offsets and the local zone have no name in the time zone database. */
export function isTimeZone(name: string): boolean {
  // The runtime ignores case in names; the controllers that read them do not.
  if (!/^[A-Z][^/]*(?:\/[A-Z][^/]*)*$/.test(name)) return false;
  try {
    const known = new Intl.DateTimeFormat('en', {timeZone: name}).resolvedOptions().timeZone;
    return known === name || known.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}

/** Clocks change at full quarters of an hour. */
const quarterMillis = 900_000;
const minuteMillis = 60_000;

/** The clocks of a time zone. */
export class TimeZone {
  /** Undefined for UTC. */
  readonly #format: Intl.DateTimeFormat | undefined;
  #quarter = NaN;
  #offset = 0;

  /** @param name one that `isTimeZone` knows; that of the process by default */
  constructor(name?: string) {
    const format = new Intl.DateTimeFormat('en', {timeZone: name, timeZoneName: 'longOffset'});
    this.#format = ['UTC', 'Etc/UTC'].includes(format.resolvedOptions().timeZone) ? undefined : format;
  }

  /** By how many milliseconds its clocks are ahead of UTC at an instant, in milliseconds since 1970. */
  offsetAt(instant: number): number {
    if (!this.#format) return 0;
    const quarter = Math.floor(instant / quarterMillis);
    if (quarter !== this.#quarter) {
      this.#quarter = quarter;
      this.#offset = offsetOf(this.#format, instant);
    }
    return this.#offset;
  }

  /** What its clocks show at an instant, to be read with the UTC methods of the date. */
  clockAt(instant: number): Date {
    return new Date(instant + this.offsetAt(instant));
  }

  /**
   * The instant at which its clocks show a time. Numbers out of their range carry over, as in `Date.UTC`. Of a time that the clocks show twice or never it is one of the two that
   * Go would choose.
   */
  instantOf(year: number, month: number, day: number, hour = 0): number {
    const shown = Date.UTC(year, month, day, hour);
    const first = this.offsetAt(shown);
    return first === 0 ? shown : shown - this.offsetAt(shown - first);
  }

  /** An instant to the second, as RFC 3339 has it. */
  text(instant: number): string {
    const shown = this.clockAt(instant).toISOString().slice(0, 19);
    const minutes = Math.round(this.offsetAt(instant) / minuteMillis);
    if (minutes === 0) return `${shown}Z`;
    const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
    return `${shown}${minutes < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(rest)}`;
  }
}

function offsetOf(format: Intl.DateTimeFormat, instant: number): number {
  const text = format.formatToParts(instant).find(({type}) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = /^GMT([+-])(\d+):(\d+)(?::(\d+))?$/.exec(text) ?? [];
  const offset = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -offset : offset;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
