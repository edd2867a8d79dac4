import test from 'ava';
import fc from 'fast-check';
import {cloneJson} from '../../../../core/api/json/clone-json.js';
import {equalJson} from '../../../../sdk/values/equal-json.js';
import {getMember} from '../../../../core/api/json/get-member.js';
import {jsonSize} from '../../../../core/api/json/json-size.js';
import {setMember} from '../../../../core/api/json/set-member.js';
import {checkProperty} from '../seeded.js';

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : {a: value};
  return value;
}

test('a member named __proto__ is set as data', (t) => {
  const target: Record<string, unknown> = {};
  setMember(target, '__proto__', {polluted: true});
  t.deepEqual(Object.keys(target), ['__proto__']);
  t.is(Object.getPrototypeOf(target), Object.prototype);
  t.is(target.polluted, undefined);
});

test('a member is read from the object itself only', (t) => {
  t.is(getMember({}, 'constructor'), undefined);
  t.is(getMember({}, '__proto__'), undefined);
  t.deepEqual(getMember(JSON.parse('{"__proto__":1}') as Record<string, unknown>, '__proto__'), 1);
});

test('a clone equals its original and shares no container with it', (t) => {
  checkProperty(
    t,
    fc.property(fc.jsonValue(), (value) => {
      const copy = cloneJson(value);
      t.deepEqual(copy, value);
      t.true(equalJson(copy, value));
      if (typeof value === 'object' && value !== null) t.not(copy, value);
    }),
  );
});

test('a clone keeps __proto__ members and big integers', (t) => {
  const value = JSON.parse('{"__proto__":{"x":[1]},"a":{"__proto__":null}}') as Record<string, unknown>;
  value.big = 2n ** 70n;
  const copy = cloneJson(value);
  t.deepEqual(Object.keys(copy), ['__proto__', 'a', 'big']);
  t.not(Object.getOwnPropertyDescriptor(copy, '__proto__')!.value, Object.getOwnPropertyDescriptor(value, '__proto__')!.value);
  t.is(Object.getPrototypeOf(copy), Object.prototype);
  t.is(copy.big, 2n ** 70n);
});

test('cloning, comparing and measuring work at any depth', (t) => {
  const value = nested(200_000);
  const copy = cloneJson(value);
  t.true(equalJson(value, copy));
  t.false(equalJson(value, nested(199_999)));
  t.true(jsonSize(value, Infinity) > 200_000);
});

test('a change anywhere in a clone makes it unequal and leaves the original alone', (t) => {
  const original = {a: [{b: {c: 1}}]};
  const copy = cloneJson(original);
  copy.a[0]!.b.c = 2;
  t.false(equalJson(original, copy));
  t.is(original.a[0]!.b.c, 1);
});

test('comparison ignores the order of members and sees that of items', (t) => {
  t.true(equalJson({a: 1, b: [1, 2]}, {b: [1, 2], a: 1}));
  t.false(equalJson([1, 2], [2, 1]));
  t.false(equalJson({a: 1}, {a: 1, b: null}));
  t.false(equalJson({a: null}, {b: null}));
  t.false(equalJson([], {}));
  t.false(equalJson({}, []));
  t.false(equalJson(null, {}));
  t.false(equalJson('1', 1));
  t.false(equalJson('1', 1n));
  t.false(equalJson({}, {constructor: 1}));
  t.false(equalJson({constructor: 1}, {}));
});

test('numbers compare by value whatever their type, and undefined members count as absent', (t) => {
  t.true(equalJson({a: 1}, {a: 1n}));
  t.true(equalJson([1n], [1]));
  t.false(equalJson(2 ** 53, 2n ** 53n + 1n));
  t.true(equalJson({a: 1, b: undefined}, {a: 1}));
  t.true(equalJson({a: 1}, {a: 1, b: undefined}));
});

test('measuring a huge value stops soon after the bound', (t) => {
  const value = Array.from({length: 100_000}, () => 'x'.repeat(100));
  t.true(jsonSize(value, Infinity) > 10_000_000);
  t.true(jsonSize(value, 10) > 10);
  for (const measured of [{ab: 'cd'}, {}, [], [[]], {a: undefined}, {a: [1, true, null, {b: 2, c: 'd'}], e: -1.5}, [1, 2, 3]])
    t.is(jsonSize(measured, 100), JSON.stringify(measured).length);
});
