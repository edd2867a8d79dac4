import test from 'ava';
import {outlineJson} from '../../../sdk/values/json-outline.js';

const outline = (text: string, depth = 3) => outlineJson(Buffer.from(text), depth);

test('brackets are counted outside texts only', (t) => {
  t.false(outline('[{"a":[1]}]').tooDeep);
  t.true(outline('[{"a":[[]]}]').tooDeep);
  t.false(outline('"[[[[{{{{"').tooDeep);
  t.false(outline('["\\"[[[["]').tooDeep);
  t.true(outline('"\\\\"[[[[').tooDeep);
  t.false(outline('[][][][][]').tooDeep);
});

test('colons outside texts are counted', (t) => {
  t.is(outline('{"a:":{"b":":\\":"},"a:":1}').colons, 3);
});

test('values are counted, containers among them', (t) => {
  for (const [text, values] of [
    ['0', 1],
    ['[1,2,3]', 4],
    ['{"a":1,"b":[{},{}]}', 6],
    ['"1,2,[{"', 1],
  ] as const)
    t.true(Math.abs(outline(text).values - values) <= 1, text);
});

test('numbers that need care are seen, texts that look like them are not', (t) => {
  for (const text of ['9007199254740993', '0.1234567890123456']) t.true(outline(text).hasLongNumbers, text);
  for (const text of ['[1e5]', '{"a":-1E+400}', '1.5e3']) t.true(outline(text).hasExponents, text);
  for (const text of [
    '123456789012345',
    'true',
    '[false,1]',
    '"9007199254740993"',
    '"1e400"',
    '{"1e5":"d4e888b0"}',
    '[1234567890,1234567890]',
  ])
    t.deepEqual([outline(text).hasLongNumbers, outline(text).hasExponents], [false, false], text);
});
