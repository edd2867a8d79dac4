/**
 * A time as fields of the type MicroTime have it: RFC 3339 in UTC with microseconds.
 *
 * @param millis milliseconds since 1970; now by default
 */
export function microTime(millis: number = Date.now()): string {
  return new Date(millis).toISOString().replace('Z', '000Z');
}
