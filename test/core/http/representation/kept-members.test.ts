import test from 'ava';
import {KeptMembers} from '../../../../core/http/representation/kept-members.js';

const state = (bytes = 100) => ({bytes: Buffer.alloc(bytes)});

test('what was made of a state is found by that state only', (t) => {
  const kept = new KeptMembers(1024 * 1024);
  const [first, equal] = [state(), state()];
  const made = Buffer.from('made');
  t.is(kept.get(first), undefined);
  kept.add(first, made);
  t.is(kept.get(first), made);
  t.is(kept.get(equal), undefined);
});

test('all together have a bound, and what is used stays', (t) => {
  const kept = new KeptMembers(64 * 1024);
  const used = state();
  kept.add(used, Buffer.alloc(100));
  const others = Array.from({length: 400}, () => state());
  for (const other of others) {
    kept.add(other, Buffer.alloc(100));
    t.truthy(kept.get(used));
  }
  // Of each the object, what was made of it and what both take in the runtime: 456 bytes.
  t.true(others.filter((other) => kept.get(other) !== undefined).length <= (64 * 1024) / 456);
});

test('what is large is not kept', (t) => {
  const kept = new KeptMembers(8 * 1024 * 1024);
  const large = state(300 * 1024);
  kept.add(large, Buffer.alloc(100));
  t.is(kept.get(large), undefined);
});
