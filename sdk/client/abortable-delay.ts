import {setTimeout as delay} from 'node:timers/promises';

/** Waits. @throws the signal's reason if it fires */
export async function abortableDelay(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(milliseconds, undefined, signal ? {signal} : {});
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
