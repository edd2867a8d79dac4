import test from 'ava';
import {
  dataKeyFaults,
  dns1035LabelFaults,
  dnsLabelFaults,
  dnsSubdomainFaults,
  environmentNameFaults,
  headerNameFaults,
  labelValueFaults,
  pathSegmentFaults,
  portNameFaults,
  qualifiedNameFaults,
} from '../../../../core/api/metadata/name-formats.js';
import {generateName} from '../../../../sdk/values/generate-name.js';
import {objectNameFaults, objectNamePrefixFaults} from '../../../../core/api/metadata/object-name.js';

const rules: [name: string, rule: (text: string) => string[], valid: string[], invalid: string[]][] = [
  ['DNS label', dnsLabelFaults, ['a', '0', 'a-b', 'a'.repeat(63)], ['', 'A', '-a', 'a-', 'a.b', 'a_b', 'a'.repeat(64), 'ü', 'a\n']],
  [
    'DNS subdomain',
    dnsSubdomainFaults,
    ['a', 'a.b', '1.2', `${'a'.repeat(100)}.b`, 'a'.repeat(253)],
    ['', '.a', 'a.', 'a..b', 'A', 'a'.repeat(254), 'a.-b', 'a\n', 'a/b'],
  ],
  ['DNS-1035 label', dns1035LabelFaults, ['a', 'a1', 'a-1'], ['', '1a', '-', 'a-', 'A', 'a'.repeat(64)]],
  ['path segment', pathSegmentFaults, ['a', 'A:b', 'system:x', '...', 'ü'], ['.', '..', 'a/b', 'a%b']],
  [
    'qualified name',
    qualifiedNameFaults,
    ['a', 'A.b_c-d', 'example.com/a', `${'a'.repeat(253)}/${'b'.repeat(63)}`],
    ['', '/', 'a/', '/a', 'a/b/c', 'Ex.com/a', '-a', 'a-', 'a'.repeat(64), 'a b', `${'a'.repeat(254)}/b`, '__proto__'],
  ],
  ['label value', labelValueFaults, ['', 'a', 'A_1', 'a'.repeat(63)], ['-', 'a b', '_a', 'a'.repeat(64), 'a/b']],
  ['data key', dataKeyFaults, ['a', '.a', 'A_b-c.d', '-', 'a..b'], ['', '.', '..', '..a', 'a/b', 'a b', 'a'.repeat(254)]],
  ['environment variable', environmentNameFaults, ['A', '_a', 'a.b', '-a'], ['', '1a', 'a b', '.', '..', '..a', 'a=b']],
  ['header name', headerNameFaults, ['X-A', 'a1'], ['', 'a b', 'a_b', 'a:']],
  ['port name', portNameFaults, ['http', '9p', 'a-b'], ['', '80', 'a--b', '-a', 'a-', 'A', 'a'.repeat(16)]],
];
for (const [name, rule, valid, invalid] of rules) {
  test(`the rule for a ${name} accepts and refuses what Kubernetes does`, (t) => {
    for (const text of valid) t.deepEqual(rule(text), [], text);
    for (const text of invalid) t.true(rule(text).length > 0, text);
  });
}

test('messages are those of Kubernetes', (t) => {
  t.deepEqual(dnsSubdomainFaults('A'), [
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ]);
  t.deepEqual(dnsLabelFaults(`${'a'.repeat(64)}`), ['must be no more than 63 characters']);
  t.deepEqual(qualifiedNameFaults(''), [
    'name part must be non-empty',
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
  ]);
  t.deepEqual(pathSegmentFaults('a/b%'), ["may not contain '/'", "may not contain '%'"]);
});

test('a long text is refused in little time', (t) => {
  const started = performance.now();
  for (const text of ['a'.repeat(3_000_000), 'a.'.repeat(1_500_000), `${'a-'.repeat(1_500_000)}`]) {
    for (const [, rule] of rules) rule(text);
  }
  t.true(performance.now() - started < 3000);
});

test('a prefix may end in a hyphen where a name may not', (t) => {
  t.deepEqual(objectNamePrefixFaults('web-', 'dns-subdomain'), []);
  t.deepEqual(objectNamePrefixFaults('a-', 'dns-1035-label'), []);
  t.deepEqual(objectNamePrefixFaults('..', 'path-segment'), []);
  t.true(objectNameFaults('web-', 'dns-subdomain').length > 0);
  t.true(objectNamePrefixFaults('Web-', 'dns-label').length > 0);
  t.true(objectNamePrefixFaults('a/', 'path-segment').length > 0);
});

test('a generated name keeps the base and adds five characters of the alphabet [A-META-2]', (t) => {
  t.regex(generateName('web-'), /^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  t.regex(generateName('x'.repeat(100)), /^x{58}[bcdfghjklmnpqrstvwxz2456789]{5}$/);
});

test('generated names differ and use all characters about equally [A-META-3]', (t) => {
  const counts = new Map<string, number>();
  const names = Array.from({length: 20_000}, () => generateName(''));
  for (const character of names.join('')) counts.set(character, (counts.get(character) ?? 0) + 1);
  t.is(counts.size, 27);
  const expected = 100_000 / 27;
  for (const [character, count] of counts) t.true(Math.abs(count - expected) < expected * 0.15, `${character}: ${count}`);
  t.true(new Set(names).size > 19_950);
});
