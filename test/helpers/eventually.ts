import {setTimeout as delay} from 'node:timers/promises';

/** A machine that others share may be several times as slow as usual; and where leaders are lost again and again, work is begun again and again. */
export const patienceMillis = 120_000;

/**
 * Milliseconds until somebody looks again who has waited for so long: a tenth of that, at most 100. Who looks all the time takes the processor from what he waits for,
 * as many tests at once do.
 */
function pauseMillis(waitedMillis: number): number {
  return Math.min(Math.max(waitedMillis / 10, 5), 100);
}

/** Tries until the answer is as wanted, or fails with the last one after `timeoutMillis`. */
export async function eventually<T>(
  look: () => T | Promise<T>,
  isWanted: (value: T) => boolean,
  timeoutMillis = patienceMillis,
): Promise<T> {
  const began = performance.now();
  for (;;) {
    const value = await look();
    if (isWanted(value)) return value;
    const waited = performance.now() - began;
    if (waited > timeoutMillis) throw new Error(`not as wanted within ${timeoutMillis} ms: ${JSON.stringify(value)}`);
    await delay(pauseMillis(waited));
  }
}

/** Looks again and again until there is something to see, and returns it. @throws Error with `what` after `timeoutMillis` */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  timeoutMillis = patienceMillis,
): Promise<Exclude<T, undefined | false>> {
  const began = performance.now();
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== false) return value as Exclude<T, undefined | false>;
    const waited = performance.now() - began;
    if (waited > timeoutMillis) throw new Error(`not within ${timeoutMillis} ms: ${what}`);
    await delay(pauseMillis(waited));
  }
}
