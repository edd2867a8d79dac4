import {setTimeout as delay} from 'node:timers/promises';

/** A machine that others share may be several times as slow as usual; and where leaders are lost again and again, work is begun again and again. */
const patienceMillis = 60_000;

/** Tries until the answer is as wanted, or fails with the last one after `timeoutMillis`. */
export async function eventually<T>(
  look: () => T | Promise<T>,
  isWanted: (value: T) => boolean,
  timeoutMillis = patienceMillis,
): Promise<T> {
  const deadline = performance.now() + timeoutMillis;
  for (;;) {
    const value = await look();
    if (isWanted(value)) return value;
    if (performance.now() > deadline) throw new Error(`not as wanted within ${timeoutMillis} ms: ${JSON.stringify(value)}`);
    await delay(5);
  }
}

/** Looks again and again until there is something to see, and returns it. @throws Error with `what` after `timeoutMillis` */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  timeoutMillis = patienceMillis,
): Promise<Exclude<T, undefined | false>> {
  const deadline = performance.now() + timeoutMillis;
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== false) return value as Exclude<T, undefined | false>;
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMillis} ms: ${what}`);
    await delay(5);
  }
}
