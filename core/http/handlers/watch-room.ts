import type {Exchange} from '../request/exchange.js';

/** What a client that keeps up may have waiting for it, in bytes. */
const keepingUpBytes = 128 * 1024;

/**
 * Cuts the connection of a watch whose client is behind when there is no memory for what waits. Answers whether it did.
 *
 * @param queuedBytes what waits for this client
 */
export function isOutOfRoom({carrier}: Exchange, queuedBytes: number): boolean {
  if (queuedBytes <= keepingUpBytes || !carrier.answers.isFull) return false;
  carrier.acted('maxUnsentBytes', 'a watch was ended whose client is behind', {unsent: queuedBytes});
  carrier.cut();
  return true;
}
