import {tooManyRequests} from '../../../sdk/index.js';
import type {AuthenticatedExchange} from '../request/stages.js';

/** Responses below this size, in bytes, are created even if memory is short: a Status, an object of normal size. */
export const smallAnswer = 16 * 1024;

/**
 * To be called before a large response is created, and before a request whose response may be large.
 *
 * @throws 429 if unsent responses use up their memory budget, or that of this caller
 */
export function requireAnswerRoom(exchange: AuthenticatedExchange): void {
  const {carrier, user} = exchange;
  if (carrier.answers.hasRoom(user)) return;
  exchange.terminated = true;
  const limit = carrier.answers.isFull ? 'maxUnsentBytes' : 'maxUnsentBytesPerUser';
  carrier.acted(limit, 'a request was refused whose answer may be large', {user: user.username});
  throw tooManyRequests('too many answers wait to be read by their clients, please try again later', 1);
}
