import test from 'ava';
import {nearestName} from '../../../core/kernel/nearest-name.js';

test('a mistyped name leads to the known one that is nearest', (t) => {
  const known = ['data-dir', 'secure-port', 'store', 'plugin'];
  t.is(nearestName('datadir', known), 'data-dir');
  t.is(nearestName('secure-prot', known), 'secure-port');
  t.is(nearestName('Store', known), 'store');
  t.is(nearestName('plugins-folder', known), 'plugin');
  t.is(nearestName('verbose', known), undefined);
  t.is(nearestName('x', []), undefined);
});
