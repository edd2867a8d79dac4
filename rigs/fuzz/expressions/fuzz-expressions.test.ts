import test from 'ava';
import {fuzzExpressions} from './fuzz-expressions.js';

test('random expressions cost no more than they are charged, and throw no internal errors', async (t) => {
  const {findings, compiled, exceeded, failed} = await fuzzExpressions(1_000, 20_261_123);
  t.deepEqual(findings, []);
  t.true(compiled > 700, `${compiled}`);
  t.true(exceeded > 3, `${exceeded}`);
  t.true(failed > 100, `${failed}`);
});
