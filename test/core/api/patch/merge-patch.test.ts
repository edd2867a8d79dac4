import test from 'ava';
import fc from 'fast-check';
import type {JsonValue} from '../../../../sdk/index.js';
import {cloneJson} from '../../../../core/api/json/clone-json.js';
import {isJsonObject} from '../../../../core/api/json/is-json-object.js';
import {applyMergePatch} from '../../../../core/api/patch/merge-patch.js';
import {checkProperty} from '../seeded.js';

/** The examples of RFC 7386, appendix A. */
const examples: [target: JsonValue, patch: JsonValue, result: JsonValue][] = [
  [{a: 'b'}, {a: 'c'}, {a: 'c'}],
  [{a: 'b'}, {b: 'c'}, {a: 'b', b: 'c'}],
  [{a: 'b'}, {a: null}, {}],
  [{a: 'b', b: 'c'}, {a: null}, {b: 'c'}],
  [{a: ['b']}, {a: 'c'}, {a: 'c'}],
  [{a: 'c'}, {a: ['b']}, {a: ['b']}],
  [{a: {b: 'c'}}, {a: {b: 'd', c: null}}, {a: {b: 'd'}}],
  [{a: [{b: 'c'}]}, {a: [1]}, {a: [1]}],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{a: 'b'}, ['c'], ['c']],
  [{a: 'foo'}, null, null],
  [{a: 'foo'}, 'bar', 'bar'],
  [{e: null}, {a: 1}, {e: null, a: 1}],
  [[1, 2], {a: 'b', c: null}, {a: 'b'}],
  [{}, {a: {bb: {ccc: null}}}, {a: {bb: {}}}],
];
for (const [target, patch, result] of examples) {
  test(`${JSON.stringify(patch)} merged into ${JSON.stringify(target)} gives ${JSON.stringify(result)} [A-NEG-8]`, (t) => {
    const before = cloneJson([target, patch]);
    t.deepEqual(applyMergePatch(target, patch), result);
    t.deepEqual([target, patch], before);
  });
}

test('a merge gives what the pseudo code of RFC 7386 gives', (t) => {
  const reference = (target: unknown, patch: unknown): unknown => {
    if (!isJsonObject(patch)) return patch;
    const result = new Map(Object.entries(isJsonObject(target) ? target : {}));
    for (const [name, value] of Object.entries(patch)) {
      if (value === null) result.delete(name);
      else result.set(name, reference(result.get(name), value) as JsonValue);
    }
    return Object.fromEntries(result);
  };
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      {maxDepth: 4},
      fc.constantFrom(null, 1, 'x'),
      fc.array(tie('value'), {maxLength: 2}),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value')),
    ),
  })).value as fc.Arbitrary<JsonValue>;
  checkProperty(
    t,
    fc.property(value, value, (target, patch) => {
      t.deepEqual(applyMergePatch(target, patch), reference(target, patch) as JsonValue);
    }),
    1000,
  );
});

test('__proto__ is an ordinary member', (t) => {
  const target = JSON.parse('{"__proto__":{"a":1}}') as JsonValue;
  const result = applyMergePatch(target, JSON.parse('{"__proto__":{"b":2},"c":{"__proto__":{"d":null,"e":1}}}') as JsonValue) as object;
  t.is(JSON.stringify(result), '{"__proto__":{"a":1,"b":2},"c":{"__proto__":{"e":1}}}');
  t.is(JSON.stringify(target), '{"__proto__":{"a":1}}');
  t.is(Object.getPrototypeOf(result), Object.prototype);
  t.is(JSON.stringify(applyMergePatch(target, JSON.parse('{"__proto__":null}') as JsonValue)), '{}');
  t.is(
    JSON.stringify(applyMergePatch({}, JSON.parse('{"constructor":{"prototype":{"x":1}}}') as JsonValue)),
    '{"constructor":{"prototype":{"x":1}}}',
  );
});

test('a result shares nothing with the target or the patch', (t) => {
  const target = {a: {b: [1]}};
  const patch = {c: {d: [1]}};
  const result = applyMergePatch(target, patch) as {a: {b: number[]}; c: {d: number[]}};
  result.a.b.push(2);
  result.c.d.push(2);
  t.deepEqual([target, patch], [{a: {b: [1]}}, {c: {d: [1]}}] as never);
});
