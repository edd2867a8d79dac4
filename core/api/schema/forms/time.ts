const timestamp = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/;

/** An RFC 3339 timestamp in UTC with whole seconds; a fraction is truncated. Undefined for anything else. */
export function normalTime(text: string): string | undefined {
  const parts = parse(text);
  return parts && `${parts.utc}Z`;
}

/** An RFC 3339 timestamp in UTC with exactly six fractional digits. Undefined for anything else: Go's layout takes no others. */
export function normalMicroTime(text: string): string | undefined {
  const parts = parse(text);
  return parts?.fraction.length === 6 ? `${parts.utc}.${parts.fraction}Z` : undefined;
}

function parse(text: string): {utc: string; fraction: string} | undefined {
  const match = timestamp.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = match as unknown as string[];
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const time = Date.parse(`${local}Z`);
  // JavaScript moves a day that the month does not have into the next month instead of rejecting it.
  if (Number.isNaN(time) || new Date(time).getUTCDate() !== Number(day)) return undefined;
  if (zone === 'Z') return {utc: local, fraction};
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4, 6));
  if (hours > 23 || minutes > 59) return undefined;
  const offset = (hours * 60 + minutes) * 60_000 * (zone.startsWith('-') ? -1 : 1);
  const shifted = new Date(time - offset);
  if (shifted.getUTCFullYear() < 0 || shifted.getUTCFullYear() > 9999) return undefined;
  return {utc: shifted.toISOString().slice(0, 19), fraction};
}
