import fc from 'fast-check';
import test from 'ava';
import {Regexp, RegexpSyntaxError, RegexpTooExpensive} from '../../../../core/api/schema/regexp.js';

const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['', ['', 'a'], []],
  ['^a|b$', ['ax', 'xb'], ['xa', 'bx']],
  ['^[a-z]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$', ['a', 'a-b.c1'], ['', '-a', 'a-', 'a..b']],
  ['^a{2,3}$', ['aa', 'aaa'], ['a', 'aaaa']],
  ['^a{2,}$', ['aa', 'aaaaa'], ['a']],
  ['^a{2}$', ['aa'], ['aaa']],
  ['^a{,2}$', ['a{,2}'], ['a']],
  ['^(?:a|(?P<name>b))+?$', ['ab'], ['']],
  ['(?i)^straße$', ['STRAßE', 'straße'], ['strasse']],
  ['^(?i:a)b$', ['Ab'], ['AB']],
  ['(?m)^b$', ['a\nb\nc'], ['ab']],
  ['^.$', ['a', '😀'], ['\n', 'ab']],
  ['(?s)^.$', ['\n'], []],
  ['^\\d\\w\\s\\D\\W\\S$', ['1_ x!y'], ['x_ x!y']],
  ['^[[:alpha:]][^[:space:]]$', ['ab'], ['1b', 'a ']],
  ['^\\p{Greek}\\pL\\PL$', ['αb1'], ['abc']],
  ['\\bfoo\\b', ['a foo b'], ['afoo']],
  ['^\\Q.*\\E$', ['.*'], ['ab']],
  ['^\\x41\\x{1F600}\\101\\.$', ['A😀A.'], ['A😀Ax']],
  ['^[]a]$', [']', 'a'], ['b']],
  ['^[a\\-z]$', ['-', 'z'], ['b']],
  ['\\Aa\\z', ['a'], ['a\n']],
  ['^(a*)*$', ['', 'aaa'], ['b']],
  ['^()+$', [''], ['a']],
];

for (const [pattern, good, bad] of cases) {
  test(`the expression ${JSON.stringify(pattern)} matches what Go's would`, (t) => {
    const regexp = new Regexp(pattern);
    for (const text of good) t.true(regexp.test(text), text);
    for (const text of bad) t.false(regexp.test(text), text);
  });
}

test('what Go refuses is refused with a reason', (t) => {
  for (const pattern of [
    '(',
    ')',
    '[',
    '[b-a]',
    '*a',
    'a**',
    '(?=a)',
    '(?<!a)',
    '\\1',
    '\\y',
    'a{1001}',
    'a{3,2}',
    '\\p{Nope}',
    '[[:nope:]]',
    '\\',
    '(?x)a',
    '\\x{110000}',
  ]) {
    t.throws(() => new Regexp(pattern), {instanceOf: RegexpSyntaxError}, pattern);
  }
});

test('expressions that would become too large are refused in time', (t) => {
  const started = performance.now();
  for (const pattern of ['((a{1000}){1000}){1000}', '((a?){1000}){1000}', '('.repeat(5000) + ')'.repeat(5000), 'a'.repeat(20_000)]) {
    t.throws(() => new Regexp(pattern), {instanceOf: RegexpSyntaxError});
  }
  t.true(performance.now() - started < 2_000);
});

test('a test that might take long is refused', (t) => {
  const regexp = new Regexp('[ab]*a[ab]{800}[cd]');
  const started = performance.now();
  t.false(regexp.test('ab'.repeat(500)));
  t.throws(() => regexp.test('ab'.repeat(500_000)), {instanceOf: RegexpTooExpensive});
  t.true(performance.now() - started < 2_000);
});

test('all matches are found from left to right', (t) => {
  t.deepEqual([...new Regexp('[0-9]+').matches('a1b22c333')], ['1', '22', '333']);
  t.deepEqual([...new Regexp('x').matches('abc')], []);
});

test('random expressions match as those of the language do', (t) => {
  const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '(?:a|b)', '(a)', '\\.', '^', '$', '\\b');
  const piece = fc
    .tuple(atom, fc.constantFrom('', '', '', '*', '+', '?', '{1,2}'))
    .map(([item, repeat]) => (/^[\^$]$|\\b/.test(item) ? item : item + repeat));
  const sequence = fc.array(piece, {maxLength: 4}).map((pieces) => pieces.join(''));
  const pattern = fc.array(sequence, {minLength: 1, maxLength: 3}).map((choices) => choices.join('|'));
  const text = fc.array(fc.constantFrom('a', 'b', '.', ' ', 'é'), {maxLength: 6}).map((letters) => letters.join(''));
  const seed = Date.now() & 0x7fffffff;
  fc.assert(
    fc.property(pattern, text, (source, input) => new Regexp(source).test(input) === new RegExp(source, 'u').test(input)),
    {seed, numRuns: 3_000},
  );
  t.pass(`seed ${seed}`);
});
