import test from 'ava';
import {jsonPath} from '../../../core/kernel/schema/json-path.js';

test('a JSON pointer becomes a path that reads like code', (t) => {
  t.is(jsonPath(''), '');
  t.is(jsonPath('/a/0/b-c', ['d']), 'a[0].b-c.d');
  t.is(jsonPath('/a~1b/c d', ['e~f']), '["a/b"]["c d"]["e~f"]');
});
