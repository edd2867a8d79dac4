import {tooManyRequests} from '../../../sdk/index.js';
import type {Exchange} from '../request/exchange.js';

/** Answers below this size are made even when memory is short, in bytes: a Status, an object of usual size. */
export const smallAnswer = 16 * 1024;

/**
 * To be asked before a large answer is made, and before a request is carried out whose answer may be large.
 *
 * @throws 429 when answers that wait to be sent take all the memory there is for them, or for those of this caller
 */
export function requireAnswerRoom({carrier, user}: Exchange): void {
  if (carrier.answers.hasRoom(user)) return;
  const limit = carrier.answers.isFull ? 'maxUnsentBytes' : 'maxUnsentBytesPerUser';
  carrier.acted(limit, 'a request was refused whose answer may be large', {user: user.username});
  throw tooManyRequests('too many answers wait to be read by their clients, please try again later', 1);
}
