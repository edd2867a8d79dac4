import test from 'ava';
import {isZeroIntOrPercent, validateAtMostHundredPercent, validateIntOrPercent} from '../../../sdk/validation/int-or-percent.js';
import {FieldPath, fieldErrorText} from '../../../sdk/index.js';

const path = FieldPath.of('spec', 'share');

test('numbers that are not negative and percentages are accepted', (t) => {
  for (const value of [0, 5, '0%', '100%', '250%']) t.deepEqual(validateIntOrPercent(value, path), [], String(value));
});

test('other values are refused', (t) => {
  t.deepEqual(validateIntOrPercent(-1, path).map(fieldErrorText), ['spec.share: Invalid value: -1: must be greater than or equal to 0']);
  for (const value of ['', '5', '-5%', '5 %', '5.5%', '%'])
    t.regex(fieldErrorText(validateIntOrPercent(value, path)[0]!), /must be a numeric string followed by an ending '%'/, value);
});

test('more than all is refused for percentages only', (t) => {
  for (const value of [500, '100%', 'x%']) t.deepEqual(validateAtMostHundredPercent(value, path), [], String(value));
  t.deepEqual(validateAtMostHundredPercent('101%', path).map(fieldErrorText), [
    'spec.share: Invalid value: "101%": must not be greater than 100%',
  ]);
});

test('nothing is 0, 0% or what is no percentage', (t) => {
  for (const value of [0, '0%', '00%', 'x']) t.true(isZeroIntOrPercent(value), String(value));
  for (const value of [1, -1, '1%']) t.false(isZeroIntOrPercent(value), String(value));
});
