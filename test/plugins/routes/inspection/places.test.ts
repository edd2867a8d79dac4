import test from 'ava';
import {Places} from '../../../../plugins/routes/inspection/places.js';

const {signal} = new AbortController();
const full = () => new Error('full');

test('places go to users in turn, so that who asks often holds up nobody else', async (t) => {
  const places = new Places(1, 20);
  const done: string[] = [];
  const began = Promise.withResolvers<void>();
  const first = places.within('greedy', signal, full, () => began.promise);
  const rest = ['greedy 1', 'greedy 2', 'greedy 3', 'other 1', 'third 1', 'other 2'].map((name) =>
    places.within(name.split(' ')[0]!, signal, full, async () => void done.push(name)),
  );
  began.resolve();
  await Promise.all([first, ...rest]);
  t.deepEqual(done, ['greedy 1', 'other 1', 'third 1', 'greedy 2', 'other 2', 'greedy 3']);
});

test('one user has half of those that may wait, and all together are bounded', async (t) => {
  const places = new Places(1, 8);
  const began = Promise.withResolvers<void>();
  const nothing = () => Promise.resolve();
  const all = [places.within('a', signal, full, () => began.promise)];
  for (const user of ['a', 'b']) for (let time = 0; time < 4; time += 1) all.push(places.within(user, signal, full, nothing));
  await t.throwsAsync(places.within('a', signal, full, nothing), {message: 'full'});
  await t.throwsAsync(places.within('e', signal, full, nothing), {message: 'full'});
  began.resolve();
  await Promise.all(all);
  await t.notThrowsAsync(places.within('a', signal, full, nothing));
});

test('one user who waits for too much leaves room for others', async (t) => {
  const places = new Places(1, 8);
  const began = Promise.withResolvers<void>();
  const nothing = () => Promise.resolve();
  const all = [0, 1, 2, 3, 4].map((time) => places.within('a', signal, full, time === 0 ? () => began.promise : nothing));
  await t.throwsAsync(places.within('a', signal, full, nothing), {message: 'full'});
  all.push(places.within('b', signal, full, nothing));
  began.resolve();
  await t.notThrowsAsync(Promise.all(all));
});
