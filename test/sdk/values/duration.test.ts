import test from 'ava';
import fc from 'fast-check';
import {durationMillis, formatDuration, normalDuration, parseDuration} from '../../../sdk/values/duration.js';

const second = 1_000_000_000n;
const highest = 2n ** 63n - 1n;

test('durations are read as Go reads them', (t) => {
  const cases: readonly [text: string, nanoseconds: bigint | undefined][] = [
    ['0', 0n],
    ['0s', 0n],
    ['-0', 0n],
    ['1ns', 1n],
    ['1us', 1000n],
    ['1µs', 1000n],
    ['1μs', 1000n],
    ['1.5ms', 1_500_000n],
    ['1h2m3.5s', 3723n * second + second / 2n],
    ['.5s', second / 2n],
    ['1.s', second],
    ['-1m', -60n * second],
    ['+1m', 60n * second],
    ['3s1h', 3603n * second],
    ['9223372036854775807ns', highest],
    ['9223372036854775808ns', undefined],
    ['2562048h', undefined],
    ['', undefined],
    ['-', undefined],
    ['1', undefined],
    ['s', undefined],
    ['.s', undefined],
    ['1d', undefined],
    ['1s ', undefined],
    ['1s-1s', undefined],
    ['--1s', undefined],
    ['1e3s', undefined],
    ['1 s', undefined],
    ['0x1s', undefined],
  ];
  for (const [text, nanoseconds] of cases) t.is(parseDuration(text), nanoseconds, text);
});

test('durations are written as Kubernetes writes them', (t) => {
  const cases: readonly [nanoseconds: bigint, text: string][] = [
    [0n, '0s'],
    [1n, '1ns'],
    [1500n, '1.5µs'],
    [200_000_000n, '200ms'],
    [second, '1s'],
    [second + second / 2n, '1.5s'],
    [90n * second, '1m30s'],
    [3600n * second, '1h0m0s'],
    [-90n * second, '-1m30s'],
    [highest, '2562047h47m16.854775807s'],
  ];
  for (const [nanoseconds, text] of cases) t.is(formatDuration(nanoseconds), text);
});

test('what is written is read back as the same duration, and is its own normal form', (t) => {
  fc.assert(
    fc.property(fc.bigInt({min: -highest, max: highest}), (nanoseconds) => {
      const text = formatDuration(nanoseconds);
      return parseDuration(text) === nanoseconds && normalDuration(text) === text;
    }),
  );
  t.is(normalDuration('90m'), '1h30m0s');
  t.is(normalDuration('soon'), undefined);
});

test('flags take durations without a sign, in milliseconds', (t) => {
  t.deepEqual(['2m', '1h30m', '500ms', '0', '1us', '-1s', '+1s', '5'].map(durationMillis), [
    120_000,
    5_400_000,
    500,
    0,
    0.001,
    undefined,
    undefined,
    undefined,
  ]);
});

test('a long text is not read', (t) => {
  t.is(parseDuration('0s'.repeat(500)), 0n);
  t.is(parseDuration('0s'.repeat(501)), undefined);
});
