import test from 'ava';
import fc from 'fast-check';
import {shownLines, shownText, shownWord} from '../../../sdk/values/shown-text.js';

test('texts in the usual scripts are shown as they are', (t) => {
  for (const text of ['rooms 1.2.0', 'Räume für alle', '会議室', 'комната', 'a–b “c” …', '🙂', "it's a/b c"]) t.is(shownText(text), text);
});

test('what a terminal obeys is shown as JSON writes it', (t) => {
  t.is(shownText('a\u001b[2K\r\n\tb\u202e\u{e0041}\u2028\ud800'), 'a\\u001b[2K\\r\\n\\tb\\u202e\\udb40\\udc41\\u2028\\ud800');
  t.is(shownLines('a\u001b[2K\r\n\tb'), 'a\\u001b[2K\\r\n\tb');
});

test('a long text is cut', (t) => {
  t.is(shownText('x'.repeat(11), 10), `${'x'.repeat(10)}…`);
  t.is(shownText('x'.repeat(10), 10), 'x'.repeat(10));
  t.true(shownText('\u0000'.repeat(1e6)).length < 13_000);
});

test('a word that could be taken for others is in quotes', (t) => {
  for (const word of ['pods', 'pods/log', '*', 'apps.v1', '^1.0.0']) t.is(shownWord(word), word);
  t.is(shownWord('a b'), '"a b"');
  t.is(shownWord('a, b'), '"a, b"');
  t.is(shownWord(''), '""');
});

test('no text at all brings a control character, and JSON stays the JSON it was', (t) => {
  fc.assert(
    fc.property(fc.string({unit: 'binary'}), (text) => {
      t.notRegex(shownText(text), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      t.deepEqual(JSON.parse(shownLines(JSON.stringify([text], undefined, 1))), [text]);
    }),
  );
});
