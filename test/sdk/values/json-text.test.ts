import test from 'ava';
import {jsonText, parseJson} from '../../../sdk/index.js';

test('integers beyond 2^53 are read and written to the last digit', (t) => {
  const text = '{"a":9007199254740993,"b":[-12345678901234567890],"c":1.5,"d":1234567890123456.5,"e":"9007199254740993"}';
  t.deepEqual(parseJson(text), {a: 9007199254740993n, b: [-12345678901234567890n], c: 1.5, d: 1234567890123456.5, e: '9007199254740993'});
  t.is(jsonText(parseJson(text)), text);
  t.is(typeof parseJson('9007199254740991'), 'number');
});

test('a number that no double is near to is a fault, not infinity', (t) => {
  t.throws(() => parseJson('{"a":1e999}'), {instanceOf: SyntaxError, message: 'number out of range: 1e999'});
  t.throws(() => parseJson('[-2.5E+400]'), {instanceOf: SyntaxError});
  t.is(parseJson('1e300'), 1e300);
  t.is(parseJson('1e-400'), 0);
});

test('members without a value are left out, and what JSON cannot hold is a fault', (t) => {
  t.is(jsonText({a: undefined, b: 1}), '{"b":1}');
  const loop: Record<string, unknown> = {};
  loop['loop'] = loop;
  t.throws(() => jsonText(loop), {instanceOf: TypeError});
});
