import test from 'ava';
import {humanDuration as formatDuration} from '../../../../sdk/index.js';
import {formatAge} from '../../../../core/api/table/duration.js';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

const examples: [milliseconds: number, text: string][] = [
  [-2 * second, '<invalid>'],
  [-1999, '0s'],
  [-second, '0s'],
  [0, '0s'],
  [999, '0s'],
  [1000, '1s'],
  [119 * second, '119s'],
  [2 * minute, '2m'],
  [2 * minute + second, '2m1s'],
  [10 * minute - second, '9m59s'],
  [10 * minute, '10m'],
  [10 * minute + 59 * second, '10m'],
  [3 * hour - second, '179m'],
  [3 * hour, '3h'],
  [3 * hour + minute, '3h1m'],
  [8 * hour - minute, '7h59m'],
  [8 * hour, '8h'],
  [48 * hour - second, '47h'],
  [2 * day, '2d'],
  [2 * day + hour, '2d1h'],
  [8 * day - second, '7d23h'],
  [8 * day, '8d'],
  [2 * year - second, '729d'],
  [2 * year, '2y'],
  [2 * year + day, '2y1d'],
  [8 * year - second, '7y364d'],
  [8 * year, '8y'],
  [9 * year - second, '8y'],
  [100 * year, '100y'],
];
test('durations are told the rougher the longer they are', (t) => {
  for (const [milliseconds, text] of examples) t.is(formatDuration(milliseconds), text, `${milliseconds}`);
});

test('an age is the time since a timestamp', (t) => {
  const now = new Date('2024-01-02T00:00:00Z');
  t.is(formatAge('2024-01-01T23:58:20Z', now), '100s');
  t.is(formatAge('2024-01-02T01:00:00+02:00', now), '60m');
  t.is(formatAge('2024-01-01T23:59:59.500000Z', now), '0s');
  t.is(formatAge('2024-01-03T00:00:00Z', now), '<invalid>');
  for (const unset of [undefined, null, '']) t.is(formatAge(unset, now), '<unknown>');
  for (const bad of ['x', '2024-13-01T00:00:00Z', '2024-01-01', 5, {}]) t.is(formatAge(bad, now), '<invalid>');
});
