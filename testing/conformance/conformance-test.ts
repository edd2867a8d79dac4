/**
 * One test of a suite, for any runner: `for (const {title, run} of suite) test(title, run)` with node:test and others; with ava
 * `test(title, async (t) => { await run(t); t.pass(); })`.
 */
export interface ConformanceTest<C = unknown> {
  /** What holds, as a sentence. */
  readonly title: string;
  /** It looks at the whole process: no other test may run at the same time. Only of interest to runners that start several tests of a file at once. */
  readonly alone: boolean;
  /** It takes no longer than this. */
  readonly timeoutMillis: number;
  /**
   * @param context what the runner gives to a test; passed on to whoever makes what is tested
   * @throws AssertionError that says what does not hold
   */
  readonly run: (context: C) => Promise<void>;
}
