import test from 'ava';
import fc from 'fast-check';
import {DecodeError} from '../../../../core/api/codec/decode-error.js';
import {decodeYaml, encodeYaml} from '../../../../core/api/codec/yaml.js';
import {checkProperty} from '../seeded.js';

const decode = (text: string) => decodeYaml(Buffer.from(text)).value;

const words: [yaml: string, value: unknown][] = [
  ['~', null],
  ['', null],
  ['Null', null],
  ['null', null],
  ['yes', true],
  ['On', true],
  ['y', true],
  ['TRUE', true],
  ['no', false],
  ['off', false],
  ['"yes"', 'yes'],
  ["'no'", 'no'],
  ['0644', 420],
  ['0o17', 15],
  ['0x1F', 31],
  ['0b101', 5],
  ['-12', -12],
  ['+7', 7],
  ['1_000', 1000],
  ['0', 0],
  ['-0', 0],
  ['08', 8],
  ['1.5', 1.5],
  ['.5', 0.5],
  ['1e3', 1000],
  ['1.', 1],
  ['-.5e-1', -0.05],
  ['1e400', '1e400'],
  ['9007199254740993', 9007199254740993n],
  ['0xFFFFFFFFFFFFFFFF', 18446744073709551615n],
  ['2020-01-01', '2020-01-01'],
  ['2020-01-01T10:00:00Z', '2020-01-01T10:00:00Z'],
  ['12:30', '12:30'],
  ['1.2.3', '1.2.3'],
  ['!!str 12', '12'],
  ['!!int "12"', 12],
  ['! yes', 'yes'],
  ['!!float 3', 3],
  ['!!bool "yes"', true],
  ['!!binary aGk=', 'hi'],
  ['!<tag:yaml.org,2002:str> 1', '1'],
  ['"a\\u0041"', 'aA'],
  ['[a, 1, {b: c}]', ['a', 1, {b: 'c'}]],
];
for (const [yaml, value] of words) {
  test(`${JSON.stringify(yaml)} is read as Kubernetes reads it`, (t) => {
    t.deepEqual(decode(`a: ${yaml}\n`), {a: value} as never);
  });
}

test('names of members become texts', (t) => {
  t.deepEqual(decode('1: a\ntrue: b\non: c\n1.5: d\n0x10: e\n'), {1: 'a', true: 'c', 1.5: 'd', 16: 'e'});
});

test('__proto__ is an ordinary member', (t) => {
  const value = decode('__proto__: {x: 1}\nb: {<<: {__proto__: 2}}\n') as Record<string, object>;
  t.deepEqual(Object.keys(value), ['__proto__', 'b']);
  t.deepEqual(Object.keys(value.b!), ['__proto__']);
  t.is(Object.getPrototypeOf(value), Object.prototype);
});

test('merge keys fill in what a mapping does not have, wherever they stand', (t) => {
  const value = decode(
    'base: &base {a: 1, b: 1}\nother: &other {b: 2, c: 2}\nfirst: {<<: *base, a: 0}\nlast: {a: 0, <<: *base}\nlist: {<<: [*other, *base]}\n',
  );
  t.deepEqual(value, {
    base: {a: 1, b: 1},
    other: {b: 2, c: 2},
    first: {a: 0, b: 1},
    last: {a: 0, b: 1},
    list: {b: 2, c: 2, a: 1},
  });
});

test('aliases are copies, so that changing one place changes no other', (t) => {
  const value = decode('a: &x {k: [1]}\nb: *x\n? &name key\n: v\nc: *name\n') as {a: {k: number[]}; b: {k: number[]}; c: string};
  value.a.k.push(2);
  t.deepEqual(value.b, {k: [1]});
  t.is(value.c, 'key');
});

test('aliases that multiply are refused before they fill memory', (t) => {
  let bomb = `a0: &a0 [${'x,'.repeat(10)}]\n`;
  for (let level = 1; level < 12; level++) bomb += `a${level}: &a${level} [${`*a${level - 1},`.repeat(10)}]\n`;
  t.throws(() => decode(bomb), {instanceOf: DecodeError, message: /aliases add too much/});
  const text = `a: &a ${'x'.repeat(500_000)}\nb: [${'*a,'.repeat(1000)}]`;
  t.throws(() => decode(text), {instanceOf: DecodeError, message: /aliases add too much/});
});

const faults: [text: string, message: RegExp][] = [
  ['', /the body is empty/],
  ['# nothing\n', /the body is empty/],
  ['a: 1\n---\nb: 2\n', /more than one document/],
  ['a: b: c', /at line 1 column \d+/],
  ['a: "x', /at line 1 column \d+/],
  ['a:\n\tb: 1', /at line 2 column \d+/],
  ['a: .inf', /number out of range at line 1 column 4/],
  ['a: !foo 1', /unknown tag !foo/],
  ['a: !!set {x}', /unknown tag !!set/],
  ['a: !!int x', /cannot read "x" as !!int/],
  ['? [1]\n: 2', /the name of a member must be a scalar/],
  ['~: 1', /the name of a member must not be null/],
  ['a: *x', /unknown anchor 'x'/],
  ['a: &x [*x]', /unknown anchor 'x'/],
  ['a: {<<: 1}', /only mappings can be merged/],
  ['{"a": 1,, }', /couldn't decode YAML body/],
  ['['.repeat(1001) + ']'.repeat(1001), /nesting|deeper/],
  [`${'- '.repeat(200_000)}a`, /nesting|deeper/],
];
for (const [text, message] of faults) {
  test(`the body ${JSON.stringify(text.slice(0, 24))} is refused with its fault`, (t) => {
    const error = t.throws(() => decode(text), {instanceOf: DecodeError, message});
    t.is(error.code, 400);
  });
}

test('nesting is accepted to the limit of JSON', (t) => {
  t.notThrows(() => decode(`x: ${'['.repeat(999)}${']'.repeat(999)}`));
});

test('bytes that are not UTF-8 are refused', (t) => {
  t.throws(() => decodeYaml(Buffer.from([0x61, 0x3a, 0x20, 0xff])), {instanceOf: DecodeError, message: /not valid UTF-8/});
});

test('duplicate members are reported with full paths, in YAML and in JSON called YAML', (t) => {
  const yaml = 'metadata:\n  labels: {a: 1, a: 2}\nspec:\n- {m: 1}\n- m: 1\n  "m": 2\nmerged: {<<: {x: 1}, x: 2}\n';
  t.deepEqual(decodeYaml(Buffer.from(yaml), {duplicates: true}).duplicates, ['metadata.labels.a', 'spec[1].m']);
  t.deepEqual(decodeYaml(Buffer.from(' {"a":{"b":1,"b":2}}'), {duplicates: true}).duplicates, ['a.b']);
  t.deepEqual(decode(yaml), {metadata: {labels: {a: 2}}, spec: [{m: 1}, {m: 2}], merged: {x: 2}});
});

test('JSON is read as JSON, big integers included', (t) => {
  t.deepEqual(decode('{"a":12345678901234567890,"b":"yes"}'), {a: 12345678901234567890n, b: 'yes'});
});

test('what is written is read back unchanged', (t) => {
  const tricky = fc.constantFrom(
    'yes',
    'no',
    'on',
    'y',
    '0644',
    '1e3',
    '~',
    '',
    ' a',
    'a: b',
    '- x',
    '#c',
    '2020-01-01',
    '0x1f',
    '.inf',
    '<<',
    '!t',
    '&a',
    '*a',
    '1_0',
    'null',
    'multi\nline\n',
    '\ttab',
    '\u0085',
    '0b1',
    '0o7',
    '__proto__',
  );
  const text = fc.oneof(tricky, fc.string({unit: 'binary', maxLength: 12}));
  // A large double without a fraction is written with all its digits and comes back as the integer that they say.
  const double = fc
    .double({noNaN: true, noDefaultInfinity: true})
    .filter((number) => !Number.isInteger(number) || Number.isSafeInteger(number));
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      {maxDepth: 4},
      text,
      fc.integer(),
      double,
      fc.boolean(),
      fc.constant(null),
      fc.bigInt({min: 2n ** 60n, max: 2n ** 64n}),
      fc.array(tie('value'), {maxLength: 4}),
      fc.dictionary(text, tie('value'), {maxKeys: 4}),
    ),
  })).value;
  checkProperty(
    t,
    fc.property(value, (original) => {
      const decoded = decode(encodeYaml({value: original})) as Record<string, unknown>;
      t.deepEqual(withoutNegativeZero(decoded.value), withoutNegativeZero(original));
    }),
    500,
  );
});

/** Zero has no sign in JSON; texts and objects are compared as they are. */
function withoutNegativeZero(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? `${member}n` : member)));
}

test('members are written in alphabetical order and lists are not indented', (t) => {
  t.is(encodeYaml({kind: 'A', apiVersion: 'v1', items: [{b: 1, a: 'x'}]}), 'apiVersion: v1\nitems:\n- a: x\n  b: 1\nkind: A\n');
});

test('arbitrary bytes are decoded or refused, nothing else', (t) => {
  const piece = fc.constantFrom(
    'a',
    ': ',
    '- ',
    '\n',
    '  ',
    '{',
    '}',
    '[',
    ']',
    ',',
    '&a ',
    '*a',
    '!!str ',
    '|\n',
    '>-\n',
    '"',
    "'",
    '? ',
    '<<: ',
    '---\n',
    '...\n',
    '%YAML 1.2\n',
    '#',
    '\t',
    '0',
    '~',
  );
  checkProperty(
    t,
    fc.property(fc.array(piece, {maxLength: 30}), (pieces) => {
      try {
        decode(pieces.join(''));
      } catch (error) {
        t.true(error instanceof DecodeError, String(error));
      }
    }),
    3000,
  );
});

test('an escape that is half of a surrogate pair is refused, in JSON that is sent as YAML too', (t) => {
  for (const text of ['"\\ud800b"', '"a\\udfff": 1', '{"a\\udfff": 1}', '["\\ud800\\ud800"]'])
    t.throws(() => decodeYaml(Buffer.from(text)), {message: /found invalid Unicode character escape code/}, text);
  t.deepEqual(decodeYaml(Buffer.from('["\\\\ud800", "\\ud83d\\ude00"]')).value, ['\\ud800', '\u{1f600}']);
});
