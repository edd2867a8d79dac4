import test from 'ava';
import fc from 'fast-check';
import {TransientMap} from '../../../sdk/values/transient-map.js';

type Step = readonly ['set', number, number] | readonly ['delete', number] | readonly ['clear'];

const steps = fc.array(
  fc.oneof(
    {weight: 10, arbitrary: fc.tuple(fc.constant('set' as const), fc.nat(20), fc.nat())},
    {weight: 10, arbitrary: fc.tuple(fc.constant('delete' as const), fc.nat(20))},
    {weight: 1, arbitrary: fc.tuple(fc.constant('clear' as const))},
  ),
  {maxLength: 200},
);

test('a transient map has what a map has, in the same order', (t) => {
  fc.assert(
    fc.property(steps, (all: readonly Step[]) => {
      const [map, expected] = [new TransientMap<number, number>(), new Map<number, number>()];
      for (const [what, key = 0, value = 0] of all) {
        if (what === 'set') {
          map.set(key, value);
          expected.set(key, value);
        } else if (what === 'delete') {
          t.is(map.delete(key), expected.delete(key));
        } else {
          map.clear();
          expected.clear();
        }
        t.is(map.get(key), expected.get(key));
        t.is(map.size, expected.size);
      }
      t.deepEqual([...map.keys()], [...expected.keys()]);
      t.deepEqual([...map.values()], [...expected.values()]);
    }),
  );
});

test('a transient map of many entries loses each that is deleted, and no other', (t) => {
  const map = new TransientMap<number, number>();
  const count = 2000;
  for (let key = 0; key < count; key++) map.set(key, -key);
  for (let key = 0; key < count; key++) {
    // From both ends, and from the middle.
    const deleted = key % 2 === 0 ? key / 2 : count - (key + 1) / 2;
    t.is(map.get(deleted), -deleted);
    t.true(map.delete(deleted));
    t.false(map.delete(deleted));
    t.is(map.size, count - key - 1);
  }
});

test('entries of a transient map may be deleted while it is gone through: each is met once', (t) => {
  const map = new TransientMap<number, true>();
  for (let key = 0; key < 50; key++) map.set(key, true);
  const met: number[] = [];
  for (const key of map.keys()) {
    met.push(key);
    map.delete(key);
  }
  t.deepEqual(
    met,
    Array.from({length: 50}, (_, key) => key),
  );
  t.is(map.size, 0);
});
