import fc from 'fast-check';
import test from 'ava';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  isWholeQuantity,
  parseQuantity,
  quantityAmount,
  roundToMilli,
  subtractQuantities,
} from '../../../sdk/index.js';

test('an amount is exact, in billionths', (t) => {
  t.is(quantityAmount('1500m'), 1_500_000_000n);
  t.is(quantityAmount('-2Ki'), -2048n * 1_000_000_000n);
  t.is(quantityAmount('0.0000000001'), 1n);
  for (const none of ['x', '', undefined, 3]) t.is(quantityAmount(none), 0n);
});

test('quantities are compared by amount, whatever their suffix', (t) => {
  t.is(compareQuantities('1', '1000m'), 0);
  t.is(compareQuantities('1Gi', '1G'), 1);
  t.is(compareQuantities('-1', '1n'), -1);
});

test('sums are written in the family of the first that is not 0', (t) => {
  t.is(addQuantities('1Gi', '1Mi'), '1025Mi');
  t.is(addQuantities('0', '1Ki'), '1Ki');
  t.is(addQuantities('500m', '500m'), '1');
  t.is(subtractQuantities('1', '1500m'), '-500m');
  t.is(subtractQuantities('1Gi', '1Gi'), '0');
});

test('amounts of resources are rounded away from zero to thousandths', (t) => {
  t.is(roundToMilli('100u'), '1m');
  t.is(roundToMilli('1500m'), '1500m');
  t.is(roundToMilli('-0.0001'), '-1m');
  t.is(roundToMilli('1Gi'), '1Gi');
});

test('whole quantities have no fraction', (t) => {
  t.true(isWholeQuantity('2k'));
  t.true(isWholeQuantity('1000m'));
  t.false(isWholeQuantity('1500m'));
});

test('what is written is read back with the same amount', (t) => {
  const seed = Date.now() & 0x7fffffff;
  const amount = fc.bigInt({min: -(10n ** 24n), max: 10n ** 24n});
  fc.assert(
    fc.property(amount, fc.constantFrom('decimal' as const, 'binary' as const, 'exponent' as const), (value, family) => {
      return parseQuantity(formatQuantity({amount: value, family}))?.amount === value;
    }),
    {seed, numRuns: 2_000},
  );
  t.pass(`seed ${seed}`);
});

test('quantities at and beyond the bounds: the highest amount, the smallest, many digits, powers without end', (t) => {
  const highest = 9_223_372_036_854_775_807n * 1_000_000_000n;
  const amounts: [text: string, amount: bigint][] = [
    ['9223372036854775807', highest],
    ['9223372036854775806', highest - 1_000_000_000n],
    ['9999999999999999999', highest],
    ['0.9e19', 9_000_000_000_000_000_000n * 1_000_000_000n],
    ['8Ei', highest],
    ['1e999999999', highest],
    ['1e-999999999', 1n],
    ['0e999999999', 0n],
    ['-1e400', -highest],
    ['000.0000000010', 1n],
    ['0.00000000010', 1n],
    [`0.${'0'.repeat(900)}1Ei`, 1n],
    [`${'0'.repeat(900)}1.5`, 1_500_000_000n],
  ];
  for (const [text, amount] of amounts) t.is(quantityAmount(text), amount, text);
  t.is(roundToMilli('1e-3'), '1e-3');
  t.is(roundToMilli('1e-6'), '1e-3');
  t.is(roundToMilli('1e+3'), '1e+3');
  t.is(roundToMilli('0.5Ki'), '0.5Ki');
});
