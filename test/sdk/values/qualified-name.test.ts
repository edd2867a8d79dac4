import test from 'ava';
import {qualifiedNameFaults} from '../../../sdk/index.js';

test('a qualified name is 1 to 63 characters, with an optional DNS subdomain in front', (t) => {
  for (const name of ['a', 'A.b_c-1', 'x'.repeat(63), 'example.com/a', `${'a'.repeat(253)}/b`])
    t.deepEqual(qualifiedNameFaults(name), [], name);
  for (const name of [
    '',
    '-a',
    'a-',
    'a b',
    'ä',
    'x'.repeat(64),
    '/a',
    'a/',
    'Example.com/a',
    'a..b/c',
    `${'a'.repeat(254)}/b`,
    'a/b/c',
    'a\n',
  ]) {
    t.true(qualifiedNameFaults(name).length > 0, name);
  }
});

test('faults say which part is wrong', (t) => {
  t.deepEqual(qualifiedNameFaults('/a'), ['prefix part must be non-empty']);
  t.deepEqual(qualifiedNameFaults(`a/${'x'.repeat(64)}`), ['name part must be no more than 63 characters']);
  t.regex(qualifiedNameFaults('-')[0]!, /^name part must consist of alphanumeric characters/);
  t.regex(qualifiedNameFaults('A/b')[0]!, /^prefix part a lowercase RFC 1123 subdomain/);
});

test('hostile text is refused at once', (t) => {
  const start = performance.now();
  t.true(qualifiedNameFaults(`${'a'.repeat(3_000_000)}!/x`).length > 0);
  t.true(qualifiedNameFaults(`${'a'.repeat(3_000_000)}!`).length > 0);
  t.true(performance.now() - start < 1000);
});
