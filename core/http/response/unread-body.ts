import {lingerAtEnd} from '../connections/linger.js';
import type {Exchange} from '../request/exchange.js';

/** So much of a body that nobody reads is thrown away, in bytes, as by Go's server; with more to come the connection ends with the answer. */
const discardedBytes = 256 * 1024;

/** Whether a request that is answered has much of its body to come. */
export function leavesBodyUnread({request}: Exchange): boolean {
  if (request.complete) return false;
  const {headers} = request;
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] !== undefined : Number(length) > discardedBytes;
}

/** What is still on its way of a request's body is not worth reading: the connection ends with the answer. */
export function giveUpBody({request, response}: Exchange): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
  lingerAtEnd(request.socket);
}
