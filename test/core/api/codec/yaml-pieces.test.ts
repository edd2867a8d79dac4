import test from 'ava';
import {load} from 'js-yaml';
import type {JsonValue} from '../../../../sdk/index.js';
import {encodeYaml} from '../../../../core/api/codec/yaml.js';
import {yamlPieces} from '../../../../core/api/codec/yaml-pieces.js';
import {Random} from '../../../helpers/random.js';

const many = (count: number, of: (index: number) => JsonValue) => Array.from({length: count}, (_, index) => of(index));
const members = (count: number, of: (index: number) => JsonValue) =>
  Object.fromEntries(many(count, (index) => [`k${index}`, of(index)]) as never);

const cases: readonly (readonly [string, JsonValue])[] = [
  ['a map', {data: members(20_000, (index) => `v${index}`), kind: 'x', zone: [1]}],
  ['a list of objects', {items: many(10_000, (index) => ({ip: `10.0.0.${index}`, on: true}))}],
  ['lists in lists', [[many(9000, (index) => [index, 'no'])], 'x', [many(9000, (index) => index)]]],
  ['texts of several lines', {a: {b: members(3000, (index) => `line ${index}\n\n  indented\n${index % 2 ? '\n\n' : ''}`)}, c: 'x\n'}],
  ['names that need quotes', {'a: b': members(3000, (index) => ({[`"${index}`]: null, '': [], '- x': {}})), true: members(5000, () => '')}],
  ['a large object in a large list', many(3, (index) => ({name: `n${index}`, spec: {map: members(6000, () => 'yes')}}))],
];

for (const [what, value] of cases) {
  test(`${what} in pieces is the same text as at once`, (t) => {
    const pieces = [...yamlPieces(value)];
    t.true(pieces.length > 2);
    t.is(pieces.join(''), encodeYaml(value));
  });
}

test('values with odd texts in pieces are the same text as at once', (t) => {
  const random = new Random(3);
  const odd = (depth: number): JsonValue => {
    if (depth === 0 || random.chance(0.3)) return random.chance(0.8) ? random.text().toWellFormed() : random.below(1000);
    const parts = many(random.below(12), () => odd(depth - 1));
    return random.chance(0.5)
      ? parts
      : (Object.fromEntries(parts.map((part, index) => [`${random.text().toWellFormed()}${index}`, part])) as never);
  };
  let count = 0;
  for (let round = 0; round < 8; round++) {
    const value = many(30, () => odd(3));
    const pieces = [...yamlPieces(value)];
    count += pieces.length;
    t.is(pieces.join(''), encodeYaml(value));
  }
  t.true(count > 16, String(count));
});

test('a very long name in front of something large is an explicit key', (t) => {
  const value = {['n'.repeat(2000)]: members(20_000, () => 'v'), b: 1};
  t.deepEqual(load([...yamlPieces(value)].join('')), value);
});
