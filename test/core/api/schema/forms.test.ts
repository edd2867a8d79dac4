import fc from 'fast-check';
import test from 'ava';
import {normalBase64} from '../../../../core/api/schema/forms/base64.js';
import {normalDuration} from '../../../../sdk/values/duration.js';
import {normalQuantity} from '../../../../sdk/index.js';
import {compareQuantities} from '../../../../sdk/values/quantity.js';
import {normalMicroTime, normalTime} from '../../../../core/api/schema/forms/time.js';

function table(
  t: {is(actual: unknown, expected: unknown, message?: string): void},
  normal: (text: string) => string | undefined,
  rows: Record<string, string | undefined>,
): void {
  for (const [text, expected] of Object.entries(rows)) t.is(normal(text), expected, text);
}

test('quantities get the largest suffix of their family that keeps an integer', (t) => {
  table(t, normalQuantity, {
    '0': '0',
    '1': '1',
    '1000m': '1',
    '1500m': '1500m',
    '0.5': '500m',
    '1.5': '1500m',
    '1000': '1k',
    '1024': '1024',
    '12345': '12345',
    '1Ki': '1Ki',
    '1024Ki': '1Mi',
    '1.5Gi': '1536Mi',
    '0.5Ki': '512',
    '1000Ki': '1000Ki',
    '2Gi': '2Gi',
    '0.1Ki': '102400m',
    '1e3': '1e3',
    '1E3': '1e3',
    '1.5e3': '1500',
    '100e-3': '100e-3',
    '-1500m': '-1500m',
    '+1': '1',
    '.5': '500m',
    '5.': '5',
    '1n': '1n',
    '0.1n': '1n',
    '1u': '1u',
    '0.0000000001': '1n',
    '100k': '100k',
    '5E': '5E',
    '12e18': '9223372036854775807',
    '1e100': '9223372036854775807',
    '1e-100': '1e-9',
    '': undefined,
    a: undefined,
    '1 Ki': undefined,
    '1KB': undefined,
    '1ki': undefined,
    '--1': undefined,
    '1e': undefined,
  });
});

test('a normal quantity is its own normal form', (t) => {
  const suffix = fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei', 'e3', 'e-3', 'E6');
  const seed = Date.now() & 0x7fffffff;
  fc.assert(
    fc.property(fc.integer({min: -(10 ** 9), max: 10 ** 9}), fc.nat(999), suffix, (whole, fraction, unit) => {
      const once = normalQuantity(`${whole}.${fraction}${unit}`) as string;
      const twice = normalQuantity(once) as string;
      // As in Kubernetes, 15.625Ki is 16000: no multiple of 1024, so without a suffix, and read again it is decimal, 16k.
      const isNormal = twice === once || (unit.endsWith('i') && /^-?\d+$/.test(once) && compareQuantities(once, twice) === 0);
      return isNormal && normalQuantity(twice) === twice;
    }),
    {seed, numRuns: 2_000},
  );
  t.pass(`seed ${seed}`);
});

test('times are written in UTC with whole seconds or microseconds', (t) => {
  table(t, normalTime, {
    '2020-01-02T03:04:05Z': '2020-01-02T03:04:05Z',
    '2020-01-02T03:04:05.999Z': '2020-01-02T03:04:05Z',
    '2020-01-01T00:30:00+01:00': '2019-12-31T23:30:00Z',
    '0001-01-01T00:00:00Z': '0001-01-01T00:00:00Z',
    '2020-02-30T00:00:00Z': undefined,
    '2020-01-01T24:00:00Z': undefined,
    '2020-01-01 00:00:00Z': undefined,
    '2020-01-01T00:00:00': undefined,
    '': undefined,
  });
  table(t, normalMicroTime, {
    '2020-01-02T03:04:05.123456-05:00': '2020-01-02T08:04:05.123456Z',
    '2020-01-02T03:04:05Z': undefined,
    '2020-01-02T03:04:05.123Z': undefined,
    '2020-01-02T03:04:05.1234567Z': undefined,
  });
});

test('durations are written as Go writes them', (t) => {
  table(t, normalDuration, {
    '0': '0s',
    '1h': '1h0m0s',
    '90m': '1h30m0s',
    '1.5s': '1.5s',
    '100ms': '100ms',
    '1us': '1µs',
    '1500ns': '1.5µs',
    '-1m': '-1m0s',
    '1h0.5s': '1h0m0.5s',
    '': undefined,
    '1': undefined,
    h: undefined,
    '1d': undefined,
    '1h-1m': undefined,
    '10000000h': undefined,
  });
});

test('base64 loses line breaks and unused bits, and anything else is refused', (t) => {
  table(t, normalBase64, {
    '': '',
    'aGVsbG8=': 'aGVsbG8=',
    'aGVs\nbG8=': 'aGVsbG8=',
    'aGVsbG9=': 'aGVsbG8=',
    aGVsbG8: undefined,
    aGV_: undefined,
    'a===': undefined,
    'aGVs bG8=': undefined,
  });
});
