import test from 'ava';
import {Backoff} from '../../../sdk/values/backoff.js';

/** The base of the next waits, checked against the random part of at most half of it. */
function checkWaits(backoff: Backoff, bases: readonly number[], limit?: number): string[] {
  return bases.flatMap((base, index) => {
    const wait = backoff.next(limit);
    return wait >= base && wait <= base * 1.5 ? [] : [`wait ${index} is ${wait} ms instead of ${base} to ${base * 1.5} ms`];
  });
}

test('each wait is twice the previous one, up to half longer, and never based on more than the maximum', (t) => {
  t.deepEqual(checkWaits(new Backoff({initialMillis: 100, maximumMillis: 450}), [100, 200, 400, 450, 450]), []);
});

test('the first wait is 0.8 s and the longest 30 s by default', (t) => {
  t.deepEqual(checkWaits(new Backoff(), [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]), []);
});

test('after a success the waits start over', (t) => {
  const backoff = new Backoff({initialMillis: 10, maximumMillis: 1000});
  t.deepEqual(checkWaits(backoff, [10, 20, 40]), []);
  backoff.reset();
  t.deepEqual(checkWaits(backoff, [10, 20]), []);
});

test('a limit shortens the wait that it is given for, and the following ones grow from there', (t) => {
  const backoff = new Backoff({initialMillis: 100, maximumMillis: 1000});
  t.deepEqual(checkWaits(backoff, [30, 30], 30), []);
  t.deepEqual(checkWaits(backoff, [60, 120]), []);
});

test('callers that fail at once do not come back at once', (t) => {
  const waits = Array.from({length: 50}, () => new Backoff({initialMillis: 1000}).next());
  t.true(new Set(waits.map(Math.floor)).size > 10);
});
