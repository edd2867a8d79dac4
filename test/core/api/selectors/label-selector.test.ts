import test from 'ava';
import fc from 'fast-check';
import {StatusError} from '../../../../sdk/index.js';
import {LabelSelector, parseLabelSelector} from '../../../../core/api/selectors/label-selector.js';
import {checkProperty} from '../seeded.js';

const examples: [text: string, labels: Record<string, string> | undefined, matches: boolean][] = [
  ['', undefined, true],
  ['   ', {a: 'b'}, true],
  ['a=b', {a: 'b'}, true],
  ['a=b', {a: 'c'}, false],
  ['a=b', undefined, false],
  ['a == b', {a: 'b'}, true],
  ['a=', {a: ''}, true],
  ['a=,b', {a: '', b: 'x'}, true],
  ['a!=b', {a: 'c'}, true],
  ['a!=b', {}, true],
  ['a!=b', {a: 'b'}, false],
  ['a', {a: ''}, true],
  ['a', {b: 'a'}, false],
  ['!a', {b: 'x'}, true],
  [' ! a ', {a: 'x'}, false],
  ['a in (b, c)', {a: 'c'}, true],
  ['a in (b,c)', {a: 'd'}, false],
  ['a in (b)', {}, false],
  ['a in (,b)', {a: ''}, true],
  ['a in (b,)', {a: ''}, true],
  ['a in (,)', {a: ''}, true],
  ['a notin (b,c)', {a: 'b'}, false],
  ['a notin (b,c)', {}, true],
  ['a notin (b,c)', {a: 'd'}, true],
  ['a>1', {a: '2'}, true],
  ['a>1', {a: '1'}, false],
  ['a>1', {a: 'x'}, false],
  ['a>1', {}, false],
  ['a<1', {a: '0'}, true],
  ['a<9223372036854775807', {a: '9223372036854775806'}, true],
  ['a=b,c!=d,e', {a: 'b', c: 'x', e: ''}, true],
  ['a=b,c!=d,e', {a: 'b', c: 'd', e: ''}, false],
  ['in in (notin)', {in: 'notin'}, true],
  ['in=notin,notin', {in: 'notin', notin: ''}, true],
  ['example.com/a=b', {'example.com/a': 'b'}, true],
  ['constructor', {}, false],
  ['!toString', {}, true],
];
for (const [text, labels, matches] of examples) {
  test(`${JSON.stringify(text)} ${matches ? 'matches' : 'does not match'} ${JSON.stringify(labels)} [A-QP-17]`, (t) => {
    t.is(parseLabelSelector(text).matches(labels), matches);
  });
}

const ofNothing: typeof examples = [
  ['a in ()', {a: ''}, true],
  ['a in ()', {a: 'b'}, false],
  ['a in ()', {}, false],
  ['a in ( ),b', {a: '', b: 'x'}, true],
  ['a notin ()', {a: ''}, false],
  ['a notin ()', {a: 'b'}, true],
  ['a notin ()', {}, true],
];
for (const [text, labels, matches] of ofNothing) {
  test(`${JSON.stringify(text)}, a set of the empty text, ${matches ? 'matches' : 'does not match'} ${JSON.stringify(labels)}`, (t) => {
    const selector = parseLabelSelector(text);
    t.is(selector.matches(labels), matches);
    t.is(parseLabelSelector(selector.toString()).matches(labels), matches);
  });
}

const faults: [text: string, message: RegExp][] = [
  ['a=b=c', /^found '=', expected: ',' or 'end of string'$/],
  ['a b', /^unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt$/],
  ['a in', /^unable to parse requirement: found '' expected: '\('$/],
  ['a in (b', /^unable to parse requirement: found '', expected: ',' or '\)'$/],
  ['a in (b c)', /found 'c', expected: ',' or '\)'/],
  ['a in (b,=)', /found '='/],
  ['a,', /^found '', expected: identifier after ','$/],
  [',a', /^found ',', expected: !, identifier, or 'end of string'$/],
  ['a,,b', /^found ',', expected: identifier after ','$/],
  ['!', /unable to parse requirement: found '', expected: identifier/],
  ['!a=b', /^found '=', expected: ',' or 'end of string'$/],
  ['a=(', /found '\(', expected: identifier/],
  ['a/b/c', /unable to parse requirement: <nil>: Invalid value: "a\/b\/c": a qualified name must consist of/],
  ['-a=b', /unable to parse requirement: <nil>: Invalid value: "-a": name part must consist of/],
  ['a=-b', /unable to parse requirement: values\[0\]\[a\]: Invalid value: "-b": a valid label must be/],
  [`a=${'x'.repeat(64)}`, /must be no more than 63 characters/],
  ['a>b', /the value must be an integer/],
  ['a>9223372036854775808', /the value must be an integer/],
  ['a=ü', /Invalid value: "ü"/],
];
for (const [text, message] of faults) {
  test(`${JSON.stringify(text.slice(0, 20))} is answered 400`, (t) => {
    const error = t.throws(() => parseLabelSelector(text), {instanceOf: StatusError});
    t.is(error.code, 400);
    t.is(error.reason, 'BadRequest');
    t.regex(error.message, message);
  });
}

test('the text form is normal: sorted, without blanks, the same for the same selector', (t) => {
  t.is(parseLabelSelector('z notin (c, b,b) , a == x,!m, k > 3,e').toString(), 'a==x,e,k>3,!m,z notin (b,c)');
  t.is(parseLabelSelector('b=1,a=2').toString(), parseLabelSelector(' a = 2 , b = 1 ').toString());
  t.is(parseLabelSelector('').toString(), '');
});

test('a selector can be read back from its text', (t) => {
  const word = fc.stringMatching(/^[a-z0-9A-Z]([-_.a-zA-Z0-9]{0,8}[a-zA-Z0-9])?$/);
  const term = fc.oneof(
    fc.tuple(word, fc.constantFrom('=', '==', '!='), fc.oneof(word, fc.constant(''))).map((parts) => parts.join('')),
    fc
      .tuple(word, fc.constantFrom('>', '<'), fc.integer())
      .map((parts) => parts.join(''))
      .filter((text) => !text.includes('-')),
    word,
    word.map((key) => `!${key}`),
    fc
      .tuple(word, fc.constantFrom(' in ', ' notin '), fc.array(word, {minLength: 1, maxLength: 3}))
      .map(([key, operator, values]) => `${key}${operator}(${values.join(',')})`),
  );
  checkProperty(
    t,
    fc.property(fc.array(term, {maxLength: 4}), fc.dictionary(word, word), (terms, labels) => {
      const selector = parseLabelSelector(terms.join(','));
      const again = parseLabelSelector(selector.toString());
      t.is(again.toString(), selector.toString());
      t.is(again.matches(labels), selector.matches(labels));
    }),
  );
});

test('random texts are parsed or answered 400, nothing else', (t) => {
  const piece = fc.constantFrom('a', 'b/', '=', '!', '(', ')', ',', '<', '>', ' ', 'in', 'notin', '1', '-', '\n', '\0', 'ü', '__proto__');
  checkProperty(
    t,
    fc.property(fc.array(piece, {maxLength: 12}), (pieces) => {
      try {
        parseLabelSelector(pieces.join('')).matches({a: '1', b: ''});
      } catch (error) {
        t.true(StatusError.is(error) && error.code === 400, String(error));
      }
    }),
    3000,
  );
});

test('equal texts share one selector', (t) => {
  t.is(parseLabelSelector('shared=x'), parseLabelSelector('shared=x'));
  t.is(parseLabelSelector(''), LabelSelector.everything);
  t.true(parseLabelSelector(' ').empty);
  t.false(parseLabelSelector('a').empty);
});
