/** Waits for all, so that nothing is still being opened when the first failure is thrown. */
export async function settleAll<T extends readonly unknown[]>(work: readonly [...{[K in keyof T]: Promise<T[K]>}]): Promise<T> {
  const outcomes = await Promise.allSettled(work as readonly Promise<unknown>[]);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as unknown as T;
}
