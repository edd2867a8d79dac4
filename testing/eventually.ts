import {setTimeout as delay} from 'node:timers/promises';

/** How long `eventually` tries, and how often. */
export interface EventuallyOptions {
  /** 5,000 by default. */
  readonly timeoutMillis?: number;
  /** Pause between two attempts; 5 by default. */
  readonly everyMillis?: number;
  /** Ends the attempts; the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Calls `attempt` until it does not throw, and returns what it returns. So assertions of any test runner can be used to wait:
 * `await eventually(async () => assert.equal(await ready(), 3))`.
 *
 * @throws the error of the last attempt once the time is up
 */
export async function eventually<T>(attempt: () => T | Promise<T>, options: EventuallyOptions = {}): Promise<T> {
  const {timeoutMillis = 5000, everyMillis = 5, signal} = options;
  const deadline = performance.now() + timeoutMillis;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() >= deadline) throw error;
    }
    await delay(everyMillis, undefined, signal ? {signal} : {});
  }
}
