/**
 * A time as fields of the type Time have it: RFC 3339 in UTC with whole seconds.
 *
 * @param millis milliseconds since 1970
 */
export function secondTime(millis: number): string {
  return new Date(millis).toISOString().replace(/\.\d+/, '');
}
