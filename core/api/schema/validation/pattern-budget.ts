import {RegexpTooExpensive, type Regexp} from '../regexp.js';

/** Total milliseconds of CPU time for the patterns of one object. */
const maximumMillis = 150;
/** The elapsed time is checked after this many steps: in the worst case they take ten milliseconds. */
const stepsBetweenLooks = 500_000;

/**
 * The CPU time used by the patterns of one object. The cost of a step varies a hundredfold between patterns, so no limit on steps could
 * both stop slow patterns and allow large objects with ordinary ones. Hence CPU time is measured.
 */
export class PatternBudget {
  #steps = 0;
  #startedAt: number | undefined;
  #isUsedUp = false;

  /**
   * Whether the string matches.
   *
   * @throws RegexpTooExpensive if the string is too long for the pattern, or if earlier strings have used up the budget of the object
   */
  test(pattern: Regexp, text: string): boolean {
    this.#startedAt ??= threadMillis();
    const work = pattern.workFor(text);
    this.#steps += work;
    if (this.#steps > stepsBetweenLooks) {
      this.#steps = work;
      this.#isUsedUp ||= threadMillis() - this.#startedAt > maximumMillis;
    }
    if (this.#isUsedUp) throw new RegexpTooExpensive(`no time is left to test ${JSON.stringify(pattern.pattern)}`);
    return pattern.test(text);
  }
}

function threadMillis(): number {
  const {user, system} = process.threadCpuUsage();
  return (user + system) / 1000;
}
