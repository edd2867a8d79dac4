import type {ExecutionContext} from 'ava';
import fc from 'fast-check';

/** Runs a property with a seed that is printed when it fails and can be set with `ORCH_TEST_SEED`. */
export function checkProperty<T extends unknown[]>(t: ExecutionContext, property: fc.IProperty<T>, numRuns = 300): void {
  fc.assert(property, {seed: seedOf(t), numRuns});
  t.pass();
}

/** As `checkProperty`, for a property that waits for what it tests. */
export async function checkAsyncProperty<T extends unknown[]>(
  t: ExecutionContext,
  property: fc.IAsyncProperty<T>,
  numRuns = 300,
): Promise<void> {
  await fc.assert(property, {seed: seedOf(t), numRuns});
  t.pass();
}

function seedOf(t: ExecutionContext): number {
  const seed = Number(process.env.ORCH_TEST_SEED ?? 20_261_120);
  t.log(`seed ${seed}`);
  return seed;
}
