import test from 'ava';
import fc from 'fast-check';
import {decodeJson, encodeJson, encodePretty, maximumDepth} from '../../../../core/api/codec/json.js';
import {DecodeError} from '../../../../core/api/codec/decode-error.js';
import {jsonProblem} from '../../../../core/api/codec/json-problem.js';
import {scanJson} from '../../../../core/api/codec/json-scanner.js';
import {checkProperty} from '../seeded.js';

const decode = (text: string) => decodeJson(Buffer.from(text)).value;

test('what JSON.parse accepts is decoded and encodes to the same text', (t) => {
  checkProperty(
    t,
    fc.property(fc.jsonValue({maxDepth: 6}), fc.constantFrom(0, 1, 4), (value, indentation) => {
      const text = JSON.stringify(value, undefined, indentation);
      t.is(encodeJson(decode(text)), JSON.stringify(value));
      t.is(scanJson(text).fault, undefined);
    }),
  );
});

test('what JSON.parse refuses is refused with 400 and a place [B-ERR-1]', (t) => {
  checkProperty(
    t,
    fc.property(fc.jsonValue(), fc.nat(), fc.constantFrom('', '}', ']', ',', '"', 'x', '\\', '{', '1', '\n'), (value, at, insert) => {
      const valid = JSON.stringify(value);
      const offset = at % (valid.length + 1);
      const text = valid.slice(0, offset) + insert + valid.slice(offset + 1);
      let accepted = true;
      try {
        JSON.parse(text);
      } catch {
        accepted = false;
      }
      t.is(scanJson(text).fault === undefined, accepted, text);
      if (accepted) return;
      const error = t.throws(() => decode(text), {instanceOf: DecodeError});
      t.is(error.code, 400);
      if (text !== '') t.regex(error.message, / at line \d+ column \d+$/);
    }),
    1000,
  );
});

const faults: [text: string, message: string][] = [
  ['', 'the body is empty'],
  ['  ', 'Unexpected end of input at line 1 column 3'],
  ['{', 'Unexpected end of input at line 1 column 2'],
  ['{\n  "a": 1,\n  }', 'Unexpected token } at line 3 column 3'],
  ['[1,]', 'Unexpected token ] at line 1 column 4'],
  ['{} x', 'Unexpected token x at line 1 column 4'],
  ['\uFEFF{}', 'Unexpected token U+FEFF at line 1 column 1'],
  ['{"a":\0}', 'Unexpected token U+0000 at line 1 column 6'],
  ['"a\u0001"', 'Bad control character in string at line 1 column 3'],
  ['"a\\q"', 'Bad escaped character at line 1 column 3'],
  ['"abc', 'Unterminated string at line 1 column 5'],
  ['[01]', 'Unexpected token 1 at line 1 column 3'],
  ['[1.]', 'Unexpected token . at line 1 column 3'],
  ['nul', 'Unexpected token n at line 1 column 1'],
  ["{'a': 1}", "Unexpected token ' at line 1 column 2"],
];
for (const [text, message] of faults) {
  test(`the body ${JSON.stringify(text)} is refused with its fault and place`, (t) => {
    const error = t.throws(() => decode(text), {instanceOf: DecodeError});
    t.is(error.message, `couldn't decode JSON body: ${message}`);
    t.is(error.reason, 'BadRequest');
  });
}

test('bytes that are not UTF-8 are refused, not replaced', (t) => {
  for (const bytes of [
    [0x22, 0xff, 0x22],
    [0x22, 0xc3, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
  ]) {
    t.throws(() => decodeJson(Buffer.from(bytes)), {instanceOf: DecodeError, message: /not valid UTF-8/});
  }
  t.is(decode('"grün 🌱"'), 'grün 🌱');
});

test('nesting is accepted to the limit and refused beyond it, however deep', (t) => {
  const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const objects = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
  t.notThrows(() => decode(lists(maximumDepth)));
  t.notThrows(() => decode(objects(maximumDepth)));
  for (const text of [lists(maximumDepth + 1), objects(maximumDepth + 1), lists(1_500_000), '['.repeat(3_000_000)]) {
    t.throws(() => decode(text), {instanceOf: DecodeError, message: /nested deeper than 1000 levels/});
  }
  const brackets = JSON.stringify({a: '[{"\\'.repeat(5000)});
  t.is(encodeJson(decode(brackets)), brackets);
});

test('integers beyond 2^53 survive a round trip', (t) => {
  const text = '{"a":9007199254740993,"b":-9223372036854775808,"c":[18446744073709551615,1],"d":"12345678901234567890"}';
  const value = decode(text) as Record<string, unknown>;
  t.is(value.a, 9007199254740993n);
  t.is(encodeJson(value), text);
  t.is(decode('9007199254740991'), 9007199254740991);
});

test('fractions and exponents stay doubles, and numbers beyond all doubles are refused', (t) => {
  t.is(decode('0.12345678901234567890'), 0.12345678901234568);
  t.is(decode('1e20'), 1e20);
  t.is(decode('1E-400'), 0);
  for (const text of ['1e400', '[-1e999]', `1${'0'.repeat(400)}`]) {
    t.throws(() => decode(text), {instanceOf: DecodeError, message: /number out of range/});
  }
});

test('__proto__ is an ordinary member on the fast and on the exact path', (t) => {
  for (const text of ['{"__proto__":{"a":1}}', '{"__proto__":{"a":12345678901234567890}}']) {
    const value = decode(text) as object;
    t.deepEqual(Object.keys(value), ['__proto__']);
    t.is(encodeJson(value), text);
  }
});

test('of duplicate members the last one counts, and all are reported with full paths when asked for', (t) => {
  const text =
    '{"metadata":{"labels":{"a":1,"a":2}},"spec":{"containers":[{"name":1},{"name":1,"name":2,"name":3}]},"\\u0061":1,"a":2,"l":[[{"x":1,"x":1}]]}';
  const {value, duplicates} = decodeJson(Buffer.from(text), {duplicates: true});
  t.deepEqual(duplicates, ['metadata.labels.a', 'spec.containers[1].name', 'a', 'l[0][0].x']);
  t.deepEqual((value as Record<string, unknown>).metadata, {labels: {a: 2}});
  t.deepEqual(decodeJson(Buffer.from(text)).duplicates, []);
});

test('the report of duplicates is bounded', (t) => {
  const members = Array.from({length: 500}, (_, index) => `"k${index}":1,"k${index}":2`);
  t.is(decodeJson(Buffer.from(`{${members.join(',')}}`), {duplicates: true}).duplicates.length, 100);
});

test('values without duplicates have none reported', (t) => {
  checkProperty(
    t,
    fc.property(fc.jsonValue(), (value) => {
      t.deepEqual(decodeJson(Buffer.from(JSON.stringify(value)), {duplicates: true}).duplicates, []);
    }),
  );
});

test('the indented form has two blanks a level and ends in a line feed', (t) => {
  t.is(encodePretty({a: [1n, {}], b: undefined}), '{\n  "a": [\n    1,\n    {}\n  ]\n}\n');
});

test('encoding reports what JSON cannot hold instead of looping', (t) => {
  const loop: Record<string, unknown> = {};
  loop.self = loop;
  t.throws(() => encodeJson(loop), {instanceOf: TypeError});
});

test('an escape that is half of a surrogate pair is read as U+FFFD, in names and in values, and pairs stay', (t) => {
  t.deepEqual(decode(String.raw`{"ge\udffft": ["\uD800", {"a": "\ud83d\ude00 \ud83d"}], "n": 12345678901234567890}`), {
    'ge\ufffdt': ['\ufffd', {a: '\u{1f600} \ufffd'}],
    n: 12345678901234567890n,
  });
});

test('Go names the bracket that nests too deep, and what is wrong before it', (t) => {
  const lists = '['.repeat(maximumDepth);
  t.is(jsonProblem(Buffer.from(`${lists}[1]`)), "invalid character '[' exceeded max depth");
  t.is(jsonProblem(Buffer.from(`${lists}{}`)), "invalid character '{' exceeded max depth");
  t.is(jsonProblem(Buffer.from(`[x${lists}`)), "invalid character 'x' looking for beginning of value");
  t.is(jsonProblem(Buffer.from(lists + ']'.repeat(maximumDepth))), undefined);
});
