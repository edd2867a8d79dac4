import test from 'ava';
import {age, humanDuration} from '../../../sdk/index.js';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

test('a duration is shown in one or two units, rounded down', (t) => {
  const cases: [number, string][] = [
    [-2 * second, '<invalid>'],
    [-1 * second, '0s'],
    [0, '0s'],
    [1999, '1s'],
    [119 * second, '119s'],
    [2 * minute, '2m'],
    [2 * minute + 5 * second, '2m5s'],
    [10 * minute - 1, '9m59s'],
    [10 * minute, '10m'],
    [180 * minute - 1, '179m'],
    [3 * hour, '3h'],
    [3 * hour + 20 * minute, '3h20m'],
    [8 * hour, '8h'],
    [48 * hour - 1, '47h'],
    [2 * day, '2d'],
    [2 * day + 3 * hour, '2d3h'],
    [8 * day, '8d'],
    [2 * year - 1, '729d'],
    [2 * year, '2y'],
    [2 * year + 3 * day, '2y3d'],
    [8 * year, '8y'],
  ];
  for (const [milliseconds, text] of cases) t.is(humanDuration(milliseconds), text, String(milliseconds));
});

test('the age of a timestamp is the time since then, and unknown without one', (t) => {
  const now = new Date('2030-01-01T00:01:00Z');
  t.is(age('2030-01-01T00:00:00Z', now), '60s');
  t.is(age('2030-01-01T00:00:59.500000Z', now), '0s');
  for (const none of [undefined, null, '', 'yesterday', 5]) t.is(age(none, now), '<unknown>');
});
