import test from 'ava';
import fc from 'fast-check';
import {StatusError} from '../../../../sdk/index.js';
import {FieldSelector, checkFields, escapeFieldValue, parseFieldSelector} from '../../../../core/api/selectors/field-selector.js';
import {checkProperty} from '../seeded.js';

const examples: [text: string, fields: Record<string, string>, matches: boolean][] = [
  ['', {}, true],
  ['metadata.name=a', {'metadata.name': 'a'}, true],
  ['metadata.name==a', {'metadata.name': 'b'}, false],
  ['metadata.name!=a', {'metadata.name': 'b'}, true],
  ['metadata.name!=a', {'metadata.name': 'a'}, false],
  ['a=1,b=2', {a: '1', b: '2'}, true],
  ['a=1,b=2', {a: '1', b: '3'}, false],
  ['a=', {}, true],
  ['a!=', {}, false],
  ['a=x\\,y', {a: 'x,y'}, true],
  ['a=x\\=y', {a: 'x=y'}, true],
  ['a=x\\\\', {a: 'x\\'}, true],
  [',a=1,', {a: '1'}, true],
  ['constructor=', {}, true],
];
for (const [text, fields, matches] of examples) {
  test(`${JSON.stringify(text)} ${matches ? 'matches' : 'does not match'} ${JSON.stringify(fields)} [A-QP-19]`, (t) => {
    t.is(parseFieldSelector(text).matches(fields), matches);
  });
}

const withoutField: typeof examples = [
  ['=', {a: '1'}, true],
  ['==', {'': 'x'}, true],
  ['!=', {}, true],
  ['=,a=1', {a: '1'}, true],
  ['=,a=1', {a: '2'}, false],
];
for (const [text, fields, matches] of withoutField) {
  test(`${JSON.stringify(text)} ${matches ? 'matches' : 'does not match'} ${JSON.stringify(fields)}`, (t) => {
    t.is(parseFieldSelector(text).matches(fields), matches);
  });
}

const faults: [text: string, message: string][] = [
  ['a', "invalid selector: 'a'; can't understand 'a'"],
  ['a=1,b', "invalid selector: 'a=1,b'; can't understand 'b'"],
  ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
  ['a=\\x', 'invalid field selector: invalid escape sequence: \\x'],
  ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
];
for (const [text, message] of faults) {
  test(`${JSON.stringify(text)} is answered 400`, (t) => {
    const error = t.throws(() => parseFieldSelector(text), {instanceOf: StatusError, message});
    t.is(error.code, 400);
  });
}

test('a field that the type does not offer is answered 400', (t) => {
  const supported = new Set(['metadata.name', 'metadata.namespace']);
  t.notThrows(() => checkFields(supported, parseFieldSelector('metadata.name=a,metadata.namespace!=b')));
  const error = t.throws(() => checkFields(supported, parseFieldSelector('metadata.name=a,spec.x=b')), {instanceOf: StatusError});
  t.is(error.code, 400);
  t.is(error.message, 'field label not supported: spec.x');
  const builtIn = t.throws(() => checkFields(supported, parseFieldSelector('metadata.name=a,spec.x=b'), true), {instanceOf: StatusError});
  t.is(builtIn.message, '"spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"');
  const own = new Set([...supported, 'spec.y']);
  const other = t.throws(() => checkFields(own, parseFieldSelector('spec.y=a,spec.x=b'), true), {instanceOf: StatusError});
  t.is(other.message, 'field label not supported: spec.x');
});

test('the value that a selector demands of a field is found where there is one', (t) => {
  t.is(parseFieldSelector('metadata.namespace=x,metadata.name=a').exactValue('metadata.name'), 'a');
  t.is(parseFieldSelector('metadata.name!=a').exactValue('metadata.name'), undefined);
  t.is(FieldSelector.everything.exactValue('metadata.name'), undefined);
});

test('any value can be selected once it is escaped, and the text form reads back', (t) => {
  checkProperty(
    t,
    fc.property(
      fc.array(
        fc.tuple(
          fc.constantFrom('a', 'b.c'),
          fc.constantFrom('=', '==', '!='),
          fc.string({unit: fc.constantFrom('a', ',', '=', '\\', '!', ' ', '\n')}),
        ),
        {maxLength: 3},
      ),
      fc.string(),
      (terms, value) => {
        const selector = parseFieldSelector(
          terms.map(([field, operator, text]) => `${field}${operator}${escapeFieldValue(text)}`).join(','),
        );
        t.deepEqual(
          selector.requirements.map((requirement) => requirement.value),
          terms.map(([, , text]) => text),
        );
        const again = parseFieldSelector(selector.toString());
        t.is(again.toString(), selector.toString());
        t.is(again.matches({a: value, 'b.c': value}), selector.matches({a: value, 'b.c': value}));
      },
    ),
    1000,
  );
});

test('the text form does not depend on the order of terms', (t) => {
  t.is(parseFieldSelector('b==2,a=1').toString(), 'a=1,b=2');
});
