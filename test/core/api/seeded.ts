import type {ExecutionContext} from 'ava';
import fc from 'fast-check';

/** Runs a property with a seed that is printed when it fails and can be set with `ORCH_TEST_SEED`. */
export function checkProperty<T extends unknown[]>(t: ExecutionContext, property: fc.IProperty<T>, numRuns = 300): void {
  const seed = Number(process.env.ORCH_TEST_SEED ?? 20_261_120);
  t.log(`seed ${seed}`);
  fc.assert(property, {seed, numRuns});
  t.pass();
}
