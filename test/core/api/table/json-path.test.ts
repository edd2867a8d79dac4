import test from 'ava';
import fc from 'fast-check';
import {compileJsonPath} from '../../../../core/api/table/evaluate-json-path.js';
import {checkProperty} from '../seeded.js';

const object = {
  metadata: {name: 'a', labels: {'example.com/x': 'y', 'b.c': 'd'}},
  spec: {replicas: 3, list: [1, 2, 3, 4], 'odd name': true, nothing: null, nested: [[1], [2]]},
  status: {
    conditions: [
      {type: 'Ready', status: 'True', weight: 5},
      {type: 'Progressing', status: 'False', weight: 7, reason: 'x'},
    ],
    wanted: 'Ready',
  },
};

const examples: [path: string, found: unknown[]][] = [
  ['.metadata.name', ['a']],
  ['metadata.name', ['a']],
  ['{.metadata.name}', ['a']],
  ['$.metadata.name', ['a']],
  ['.spec.replicas', [3]],
  ['.spec.missing', []],
  ['.spec.replicas.x', []],
  ['.spec.nothing', [null]],
  ['.spec.nothing.x', []],
  ['.constructor', []],
  ['.metadata.labels.example\\.com/x', ['y']],
  ["['metadata']['labels']['b.c']", ['d']],
  ['.metadata.labels["b.c"]', ['d']],
  ["['metadata','spec'].name", ['a']],
  [".spec['odd name']", [true]],
  ['.spec.list[0]', [1]],
  ['.spec.list[-1]', [4]],
  ['.spec.list[9]', []],
  ['.spec.list[0,2]', [1, 3]],
  ['.spec.list[1:3]', [2, 3]],
  ['.spec.list[:2]', [1, 2]],
  ['.spec.list[-2:]', [3, 4]],
  ['.spec.list[::2]', [1, 3]],
  ['.spec.list[*]', [1, 2, 3, 4]],
  ['.spec.nested[*][0]', [1, 2]],
  ['.metadata.labels.*', ['y', 'd']],
  ['..type', ['Ready', 'Progressing']],
  ['..conditions[0].type', ['Ready']],
  ['.status.conditions[?(@.type=="Ready")].status', ['True']],
  [".status.conditions[?(@.type=='Ready')].status", ['True']],
  ['.status.conditions[?(@.type != "Ready")].status', ['False']],
  ['.status.conditions[?( @.weight > 5 )].type', ['Progressing']],
  ['.status.conditions[?(@.weight>=5)].type', ['Ready', 'Progressing']],
  ['.status.conditions[?(@.weight<6)].type', ['Ready']],
  ['.status.conditions[?(@.reason)].type', ['Progressing']],
  ['.status.conditions[?(@.type==$.status.wanted)].status', ['True']],
  ['.status.conditions[?(@.weight=="5")].type', []],
  ['.spec.list[?(@>2)]', [3, 4]],
];
for (const [path, found] of examples) {
  test(`${path} finds ${JSON.stringify(found)}`, (t) => {
    t.deepEqual(compileJsonPath(path)(object), found);
  });
}

test('a lone dot is the whole object', (t) => {
  t.deepEqual(compileJsonPath('.')(object), [object]);
});

test('__proto__ is an ordinary name', (t) => {
  t.deepEqual(compileJsonPath('.__proto__')({}), []);
  t.deepEqual(compileJsonPath('.__proto__.a')(JSON.parse('{"__proto__":{"a":1}}')), [1]);
});

const faults = [
  '.a[',
  '.a[]',
  ".a['x",
  '.a[x]',
  '.a b',
  '.a[?(@.b==)]',
  '.a[?@.b]',
  '.a[?(@.b]',
  '.a[1:2:0]',
  '.a..',
  '..',
  '.a]',
  '{.a',
  '.a[1,]',
  '[?(1 ~ 2)]',
];
for (const path of faults) {
  test(`${path} is refused with a place`, (t) => {
    t.throws(() => compileJsonPath(path), {instanceOf: SyntaxError, message: /^invalid JSON path .* at position \d+$/});
  });
}

test('filters nest to a bound', (t) => {
  const nested = (depth: number) => `${'[?(@'.repeat(depth)}.a${')]'.repeat(depth)}`;
  t.notThrows(() => compileJsonPath(nested(10)));
  t.throws(() => compileJsonPath(nested(10_000)), {instanceOf: SyntaxError, message: /nested too deep/});
});

test('random paths are evaluated or refused, in bounded time', (t) => {
  const piece = fc.constantFrom(
    '.',
    '..',
    'a',
    'b',
    '[',
    ']',
    '*',
    '0',
    '-1',
    ':',
    ',',
    '?(',
    '@',
    ')',
    '==',
    '"x"',
    "'",
    '\\',
    ' ',
    '$',
    '{',
    '}',
  );
  const value = {a: [{b: [{a: 'x'}, 1]}, 'x'], b: {a: {b: null}}};
  checkProperty(
    t,
    fc.property(fc.array(piece, {maxLength: 14}), (pieces) => {
      try {
        t.true(Array.isArray(compileJsonPath(pieces.join(''))(value)));
      } catch (error) {
        t.true(error instanceof SyntaxError, String(error));
      }
    }),
    5000,
  );
});

test('descending again and again does not multiply without bound', (t) => {
  const wide = {a: Array.from({length: 50}, () => Array.from({length: 50}, () => [1, 2]))};
  t.true(compileJsonPath('..*..*..*..*')(wide).length <= 10_000);
});

test('one evaluation looks at a bounded number of values, however many values each step finds', (t) => {
  const bushy = (depth: number): object => (depth === 0 ? {b: 1} : {a: bushy(depth - 1), c: bushy(depth - 1)});
  const object = {spec: bushy(12), items: Array.from({length: 3000}, (_, n) => ({n}))};
  for (const path of [`.spec${'..a'.repeat(20)}`, `.spec${'..*'.repeat(20)}`, '.items[?(@..n==$..n)]', '.items[?($..b)]..n']) {
    const find = compileJsonPath(path);
    find({spec: {}});
    const before = process.threadCpuUsage();
    t.true(find(object).length <= 20_000, path);
    const {user, system} = process.threadCpuUsage(before);
    t.true(user + system < 100_000, `${path}: ${(user + system) / 1000} ms`);
  }
});
