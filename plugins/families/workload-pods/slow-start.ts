/**
 * Calls `work` `count` times in batches of 1, 2, 4 and so on, those of a batch at once; the batch after a failure is not begun, so that what fails for all of them (a quota) fails
 * for few.
 *
 * @returns how many succeeded, and the first failure
 */
export async function slowStart(count: number, work: (index: number) => Promise<void>): Promise<{succeeded: number; error?: unknown}> {
  let succeeded = 0;
  let begun = 0;
  for (let size = 1; begun < count; size *= 2) {
    const indexes = Array.from({length: Math.min(size, count - begun)}, (_, index) => begun + index);
    begun += indexes.length;
    const results = await Promise.allSettled(indexes.map((index) => work(index)));
    const failed = results.filter((result) => result.status === 'rejected');
    succeeded += results.length - failed.length;
    if (failed[0]) return {succeeded, error: failed[0].reason};
  }
  return {succeeded};
}
