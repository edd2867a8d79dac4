import test from 'ava';
import fc from 'fast-check';
import {sameValue} from '../../../sdk/validation/same-value.js';

const equal: [unknown, unknown][] = [
  [undefined, null],
  [{}, {a: null}],
  [[], null],
  [{a: []}, {}],
  [{a: undefined, b: 1}, {b: 1}],
  [
    {a: 1, b: 2},
    {b: 2, a: 1},
  ],
  [5, 5n],
  [[{a: null}], [{}]],
  [2n ** 60n, 2n ** 60n],
];
for (const [index, [left, right]] of equal.entries()) {
  test(`values of pair ${index} mean the same`, (t) => {
    t.true(sameValue(left, right));
    t.true(sameValue(right, left));
  });
}

const different: [unknown, unknown][] = [
  [null, 0],
  [undefined, ''],
  [{}, null],
  [[], {}],
  [[1], [1, null]],
  [{a: 1}, {a: 2}],
  ['5', 5],
  [true, 1],
  [2n ** 60n, 2n ** 60n + 1n],
  [{}, JSON.parse('{"__proto__": 1}')],
  [{constructor: Object}, {}],
];
for (const [index, [left, right]] of different.entries()) {
  test(`values of pair ${index} differ`, (t) => {
    t.false(sameValue(left, right));
    t.false(sameValue(right, left));
  });
}

const seed = 7_318;
test(`a copy means the same, whatever the order of members (seed ${seed})`, (t) => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, member]) => [name, reversed(member)]),
    );
  };
  fc.assert(
    fc.property(fc.jsonValue(), (value) => sameValue(value, reversed(structuredClone(value)))),
    {seed},
  );
  t.pass();
});
