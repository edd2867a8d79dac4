import test from 'ava';
import {TransientMap} from '../../../sdk/values/transient-map.js';

test('a transient map holds what was set last, until it is deleted', (t) => {
  const map = new TransientMap<string, number>();
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  t.is(map.get('a'), 3);
  t.is(map.size, 2);
  map.delete('a');
  map.delete('missing');
  t.is(map.get('a'), undefined);
  t.is(map.size, 1);
  map.clear();
  t.is(map.get('b'), undefined);
  t.is(map.size, 0);
});
