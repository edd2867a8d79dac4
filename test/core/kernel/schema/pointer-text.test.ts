import test from 'ava';
import {pointerText} from '../../../../core/kernel/schema/pointer-text.js';

test('a JSON pointer becomes a path that reads like code', (t) => {
  t.is(pointerText(''), '');
  t.is(pointerText('/a/0/b-c', ['d']), 'a[0].b-c.d');
  t.is(pointerText('/a~1b/c d', ['e~f']), '["a/b"]["c d"]["e~f"]');
});
