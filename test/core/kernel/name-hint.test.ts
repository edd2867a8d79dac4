import test from 'ava';
import {nameHint} from '../../../core/kernel/nearest-name.js';

const many = ['store-embedded', 'store-redis', ...Array.from({length: 40}, (_, index) => `controller-${index}`)];

test('a name that is not known is answered with what is meant, with similar ones, or with all if they are few', (t) => {
  t.is(nameHint('store-embeded', many), 'did you mean store-embedded?');
  t.is(nameHint('store-memory', many), 'similar are store-embedded, store-redis');
  t.is(nameHint('nonsense', many), 'known are 42 others');
  t.is(nameHint('nonsense', ['b', 'a']), 'known are a, b');
  t.is(nameHint('x', ['y']), 'known are y', 'one letter means nothing');
  t.is(nameHint('nonsense', []), 'known are none');
});
