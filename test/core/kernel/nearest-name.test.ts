import test from 'ava';
import {nearestName} from '../../../core/kernel/nearest-name.js';
import {jsonPath} from '../../../core/kernel/schema/json-path.js';
import {dependencyOrder} from '../../../core/kernel/manifests/dependency-order.js';

test('a mistyped name leads to the known one that is nearest', (t) => {
  const known = ['data-dir', 'secure-port', 'store', 'plugin'];
  t.is(nearestName('datadir', known), 'data-dir');
  t.is(nearestName('secure-prot', known), 'secure-port');
  t.is(nearestName('Store', known), 'store');
  t.is(nearestName('plugins-folder', known), 'plugin');
  t.is(nearestName('verbose', known), undefined);
  t.is(nearestName('x', []), undefined);
});

test('a JSON pointer becomes a path that reads like code', (t) => {
  t.is(jsonPath(''), '');
  t.is(jsonPath('/a/0/b-c', ['d']), 'a[0].b-c.d');
  t.is(jsonPath('/a~1b/c d', ['e~f']), '["a/b"]["c d"]["e~f"]');
});

test('dependency order keeps the order given where nothing speaks against it, and finds every cycle', (t) => {
  const node = (name: string, ...requires: string[]) => ({name, requires});
  const {order, cycles} = dependencyOrder([node('d', 'b', 'absent'), node('a'), node('b', 'c'), node('c'), node('x', 'y'), node('y', 'x'), node('self', 'self')]);
  t.deepEqual(order.map((entry) => entry.name), ['c', 'b', 'd', 'a', 'y', 'x', 'self']);
  t.deepEqual(cycles, [['x', 'y', 'x'], ['self', 'self']]);
});
