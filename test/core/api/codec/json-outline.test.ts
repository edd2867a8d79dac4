import test from 'ava';
import {outlineJson} from '../../../../core/api/codec/json-outline.js';

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

test('numbers that need care are seen, texts that look like them are not', (t) => {
  for (const text of ['9007199254740993', '[1e5]', '{"a":-1E+400}', '0.1234567890123456', '1.5e3'])
    t.true(outline(text).needsExactNumbers, text);
  for (const text of [
    '123456789012345',
    'true',
    '[false,1]',
    '"9007199254740993"',
    '"1e400"',
    '{"1e5":"d4e888b0"}',
    '[1234567890,1234567890]',
  ])
    t.false(outline(text).needsExactNumbers, text);
});
