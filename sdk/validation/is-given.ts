/** Whether an optional field is set: neither absent nor null. */
export function isGiven<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null;
}
