/** Calls that are under way at the same time: what each has in memory is gone before the next ones need room, and a store that answers after a millisecond is kept busy. */
const mostAtOnce = 32;

/** Calls `work` for each number below `count`, few at once. Never rejects. @returns the errors of those that failed, in the order in which they did */
export async function fewAtOnce(count: number, work: (index: number) => Promise<void>): Promise<unknown[]> {
  const errors: unknown[] = [];
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < count) {
      try {
        await work(next++);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({length: Math.min(mostAtOnce, count)}, one));
  return errors;
}
