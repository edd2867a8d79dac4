import test from 'ava';
import {BoundedCache} from '../../../../core/api/cache/bounded-cache.js';

test('a result is computed once while it is in use', (t) => {
  let computed = 0;
  const cache = new BoundedCache((text) => ({text, computed: ++computed}), 4);
  const first = cache.get('hot');
  for (let index = 0; index < 100; index++) {
    cache.get(`cold ${index}`);
    t.is(cache.get('hot'), first);
  }
});

test('what is not used is forgotten, so that memory is bounded', (t) => {
  let computed = 0;
  const cache = new BoundedCache(() => ({computed: ++computed}), 4);
  for (let index = 0; index < 9; index++) cache.get(`${index}`);
  cache.get('0');
  t.is(computed, 10);
});

test('long arguments are computed anew each time', (t) => {
  let computed = 0;
  const cache = new BoundedCache(() => ({computed: ++computed}), 4, 3);
  cache.get('1234');
  cache.get('1234');
  cache.get('123');
  cache.get('123');
  t.is(computed, 3);
});

test('an error is passed on and not remembered', (t) => {
  let computed = 0;
  const cache = new BoundedCache((text) => {
    if (++computed === 1) throw new Error(text);
    return text;
  });
  t.throws(() => cache.get('a'), {message: 'a'});
  t.is(cache.get('a'), 'a');
});
