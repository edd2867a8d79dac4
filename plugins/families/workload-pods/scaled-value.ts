/**
 * A number, or a percentage of `total` rounded up. Undefined for a string that is not a percentage.
 *
 * @example `scaledValue('30%', 4)` is 2
 */
export function scaledValue(value: number | string, total: number): number | undefined {
  if (typeof value === 'number') return value;
  const percent = /^([0-9]+)%$/.exec(value)?.[1];
  return percent === undefined ? undefined : Math.ceil((Number(percent) * total) / 100);
}
