import {setTimeout as sleep} from 'node:timers/promises';
import type {HttpsClient, HttpsResponse} from './https-client.js';

/** Numbers from 0 (included) to 1 (excluded), the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface WritersOptions {
  readonly writers: number;
  /** Answered writes of each writer. */
  readonly writes: number;
  readonly seed: number;
  /** Called after every answered write with the number of them so far. */
  readonly progress?: (answered: number) => void;
}

/**
 * Lets several writers create, update, patch and delete ConfigMaps at once, all on the same few names. A 503 is repeated
 * after a moment, as clients do; conflicts and missing objects are part of the game; anything else throws.
 */
export async function runWriters(
  clients: readonly HttpsClient[],
  path: string,
  options: WritersOptions,
): Promise<{answered: number; unavailable: number}> {
  let answered = 0;
  let unavailable = 0;
  const writer = async (number: number): Promise<void> => {
    const random = seededRandom(options.seed + number);
    const client = clients[number % clients.length]!;
    for (let write = 0; write < options.writes;) {
      const name = `shared-${Math.floor(random() * 12)}`;
      const body = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name}, data: {writer: String(number), write: String(write)}};
      const choice = random();
      let response: HttpsResponse;
      if (choice < 0.35) response = await client.post(path, body);
      else if (choice < 0.6) response = await client.put(`${path}/${name}`, body);
      else if (choice < 0.8) response = await client.patch(`${path}/${name}`, {data: {patched: String(write)}});
      else response = await client.delete(`${path}/${name}`);
      if (response.status === 503) {
        unavailable++;
        await sleep(20);
        continue;
      }
      if (![200, 201, 404, 409].includes(response.status)) throw new Error(`${response.status} ${response.text}`);
      write++;
      options.progress?.(++answered);
    }
  };
  await Promise.all(Array.from({length: options.writers}, (_, number) => writer(number)));
  return {answered, unavailable};
}
