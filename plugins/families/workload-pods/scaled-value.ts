/**
 * A number, or a percentage of `total` rounded up or down. Undefined for a string that is not a percentage.
 *
 * @example `scaledValue('30%', 4)` is 2, `scaledValue('30%', 4, 'down')` is 1
 */
export function scaledValue(value: number | string, total: number, round: 'up' | 'down' = 'up'): number | undefined {
  if (typeof value === 'number') return value;
  const percent = /^([0-9]+)%$/.exec(value)?.[1];
  if (percent === undefined) return undefined;
  const exact = (Number(percent) * total) / 100;
  return round === 'up' ? Math.ceil(exact) : Math.floor(exact);
}
