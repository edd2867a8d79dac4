import test from 'ava';
import {dependencyOrder} from '../../../core/kernel/manifests/dependency-order.js';

test('dependency order keeps the order given where nothing speaks against it, and finds every cycle', (t) => {
  const node = (name: string, ...requires: string[]) => ({name, requires});
  const {order, cycles} = dependencyOrder([
    node('d', 'b', 'absent'),
    node('a'),
    node('b', 'c'),
    node('c'),
    node('x', 'y'),
    node('y', 'x'),
    node('self', 'self'),
  ]);
  t.deepEqual(
    order.map((entry) => entry.name),
    ['c', 'b', 'd', 'a', 'y', 'x', 'self'],
  );
  t.deepEqual(cycles, [
    ['x', 'y', 'x'],
    ['self', 'self'],
  ]);
});
