import type {Exchange} from '../request/exchange.js';

/** Bytes that may be queued for a client that keeps up. */
const keepingUpBytes = 128 * 1024;

/**
 * Closes the connection of a watch whose client is behind if there is no memory for its queue. Returns whether it did.
 *
 * @param queuedBytes bytes queued for this client
 */
export function isOutOfRoom({carrier}: Exchange, queuedBytes: number): boolean {
  if (queuedBytes <= keepingUpBytes || !carrier.answers.isFull) return false;
  carrier.acted('maxUnsentBytes', 'a watch was ended whose client is behind', {unsent: queuedBytes});
  carrier.cut();
  return true;
}
