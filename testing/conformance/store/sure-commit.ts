import {setTimeout as delay} from 'node:timers/promises';
import {StoreError, type Commit, type Store, type StoredRecord} from '../../../sdk/index.js';

/** Bytes of a text. */
export const bytes = (text: string): Buffer => Buffer.from(text);

/** Creates a record from text and answers its revision. */
export function create(store: Store, type: string, key: string, text: string): Promise<number> {
  return store.commit({type, key, expected: 0, value: bytes(text)});
}

/** Repeats a call while the store is `Unavailable`, for at most 20 seconds. */
export async function whenAvailable<T>(call: () => T | Promise<T>): Promise<T> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!StoreError.is(error) || error.code !== 'Unavailable' || Date.now() > deadline) throw error;
      // Nothing announces that a store is back; a short pause keeps the retries from becoming a busy loop.
      await delay(5);
    }
  }
}

/**
 * Makes a change that nobody else makes, across lost connections: after an indeterminate failure the record tells
 * whether the change took effect. The value must be unlike every other value of the key.
 */
export async function sureCommit(store: Store, change: Commit): Promise<void> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    try {
      await store.commit(change);
      return;
    } catch (error) {
      if (!StoreError.is(error) || error.code !== 'Unavailable' || Date.now() > deadline) throw error;
      const found = await whenAvailable(() => store.read(change.type, change.key));
      if (isResult(found, change)) return;
      await delay(5);
    }
  }
}

function isResult(found: StoredRecord | undefined, change: Commit): boolean {
  if (change.value === null) return found === undefined;
  return found !== undefined && found.value.equals(change.value);
}
