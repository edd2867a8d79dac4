import test from 'ava';
import {randomUuid} from '../../../sdk/values/random-uuid.js';

test('ids are UUIDs of version 4, all different, with every digit in every place that is random', (t) => {
  const ids = new Set(Array.from({length: 5_000}, randomUuid));
  t.is(ids.size, 5_000);
  const seen = Array.from({length: 36}, () => new Set<string>());
  for (const id of ids) {
    t.regex(id, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    for (let place = 0; place < 36; place++) seen[place]!.add(id[place]!);
  }
  const fixed = new Map([
    [8, 1],
    [13, 1],
    [14, 1],
    [18, 1],
    [19, 4],
    [23, 1],
  ]);
  t.deepEqual(
    seen.map(({size}) => size),
    Array.from({length: 36}, (_, place) => fixed.get(place) ?? 16),
  );
});
