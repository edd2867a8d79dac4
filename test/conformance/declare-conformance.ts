import type {ExecutionContext, TestFn} from 'ava';
import type {ConformanceTest} from '@orch-api/orch/testing/conformance';

/** Declares the tests of a suite, each title starting with `name`. */
export function declareConformance(test: TestFn, name: string, suite: readonly ConformanceTest<ExecutionContext>[]): void {
  for (const {title, alone, timeoutMillis, run} of suite) {
    const declare = alone ? test.serial : test;
    declare(`${name}: ${title}`, async (t) => {
      t.timeout(timeoutMillis);
      await run(t);
      t.pass();
    });
  }
}
