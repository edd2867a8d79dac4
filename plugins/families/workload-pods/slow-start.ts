import {fewAtOnce} from './few-at-once.js';

/**
 * Calls `work` `count` times in batches of 1, 2, 4 and so on, those of a batch few at once; the batch after a failure is not begun, so that what fails for all of them (a quota) fails
 * for few.
 *
 * @returns how many succeeded, and the first failure
 */
export async function slowStart(count: number, work: (index: number) => Promise<void>): Promise<{succeeded: number; error?: unknown}> {
  let succeeded = 0;
  let begun = 0;
  for (let size = 1; begun < count; size *= 2) {
    const first = begun;
    const length = Math.min(size, count - first);
    begun += length;
    const errors = await fewAtOnce(length, (index) => work(first + index));
    succeeded += length - errors.length;
    if (errors.length > 0) return {succeeded, error: errors[0]};
  }
  return {succeeded};
}
