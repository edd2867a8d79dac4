import test from 'ava';
import {ReadPace} from '../../../../plugins/stores/redis/read-pace.js';

/** Reads until one has to wait: how many did not, and the rest. */
function untilRest(pace: ReadPace): {reads: number; rest: Promise<void>} {
  for (let reads = 0; ; reads += 1) {
    const rest = pace.rest();
    if (rest) return {reads, rest};
  }
}

test('a few reads follow one another at once, more of them after a rest, which ends at once where somebody waits', async (t) => {
  const pace = new ReadPace();
  const {reads, rest} = untilRest(pace);
  t.true(reads >= 16, `${reads} at once`);
  const began = performance.now();
  await rest;
  t.true(performance.now() - began > 1);
  const next = untilRest(pace);
  t.true(next.reads < reads);
  pace.hurry();
  await next.rest;
  pace.hurry();
  t.is(pace.rest(), undefined, 'somebody waits for what comes with the next read');
});
