import test from 'ava';
import {fittingManager, validateFieldManager} from '../../../../core/api/metadata/managed-fields-entries.js';
import {FieldPath} from '../../../../sdk/index.js';

const path = FieldPath.of('fieldManager');

test('a text becomes a field manager without what cannot be printed, at most 128 bytes of it', (t) => {
  t.is(fittingManager('kubectl'), 'kubectl');
  t.is(fittingManager('\u0000\u0001\u0002a\u0007\u0008b\n\nc'), 'abc');
  t.is(fittingManager('\u0000\u0001'), '');
  t.is(fittingManager('ä'.repeat(70)), 'ä'.repeat(64));
  t.is(fittingManager(`a${'𝒳'.repeat(40)}`), `a${'𝒳'.repeat(31)}`);
});

test('what a text became is always a valid field manager', (t) => {
  for (const text of ['a\u200bb\u200bc', '\ud800x', 'x'.repeat(1000), 'two words', '\u00a0\u00a0']) {
    t.deepEqual(validateFieldManager(fittingManager(text), path), [], JSON.stringify(text));
  }
});
