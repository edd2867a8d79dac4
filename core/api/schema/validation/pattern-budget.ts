import {RegexpTooExpensive, type Regexp} from '../regexp.js';

/** Milliseconds of processor that the patterns of one object may take together. */
const maximumMillis = 150;
/** Steps after which it is looked how long they took: at worst that many take ten milliseconds. */
const stepsBetweenLooks = 500_000;

/**
 * The time that one object's patterns take. How long a step takes differs by a hundred times from pattern to pattern, so that no
 * count of steps would stop the slow ones and let large objects with ordinary patterns through: measured is the processor's time.
 */
export class PatternBudget {
  #steps = 0;
  #startedAt: number | undefined;
  #isUsedUp = false;

  /**
   * Whether the text matches.
   *
   * @throws RegexpTooExpensive when the text is too long for the pattern, or the texts before have used up what an object may cost
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
