import test from 'ava';
import {attackStores} from './attack-stores.js';
import {attacks} from './attacks.js';
import {reportLine} from './report.js';
import {standardBounds, type Bounds} from './run/bounds.js';
import {shortList} from './short-list.js';

/** Tests run beside others: times say less here than in `npm run attack`, where they are held against what is promised. */
const bounds: Bounds = {...standardBounds, p99Millis: 1_000, livezMillis: 5_000, idleSeconds: 20};

test('a server with a heap of 300 MB holds against a dozen attacks', async (t) => {
  t.timeout(180_000);
  const chosen = attacks.filter(({name}) => shortList.includes(name));
  t.is(chosen.length, shortList.length);
  const verdicts = await attackStores(t, {stores: ['embedded'], attacks: chosen, bounds, seed: 1});
  for (const verdict of verdicts) t.deepEqual(verdict.failures, [], reportLine(verdict));
});

test('every attack has a name of its own, in a family', (t) => {
  const names = attacks.map(({name}) => name);
  t.is(new Set(names).size, names.length);
  t.true(names.length >= 200);
  for (const {name, outcomes} of attacks) {
    t.regex(name, /^[a-z0-9-]+\/[a-z0-9.-]+$/);
    t.true(outcomes.length > 0, `${name} cannot tell whether it arrived`);
  }
});
