import type {Exchange} from '../request/exchange.js';

/** Bytes of an unread body that are discarded, as by Go's server; if more remain, what carries the request ends with the response. */
const discardedBytes = 256 * 1024;

/** Whether much of an answered request's body is still to come. */
export function leavesBodyUnread({request}: Exchange): boolean {
  if (request.complete) return false;
  const {headers} = request;
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] !== undefined : Number(length) > discardedBytes;
}

/** The rest of a request's body is not worth reading. */
export function giveUpBody(exchange: Exchange): void {
  exchange.carrier.endsWith(exchange, true);
}
