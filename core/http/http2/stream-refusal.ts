import {expectationProblem, hostProblem, type Refusal} from '../connections/refuse-request.js';
import type {HttpLimits} from '../limits/http-limits.js';
import {headBytesOf} from './session-options.js';
import type {StreamRequest} from './stream-request.js';

/**
 * What is wrong with the headers of a request of HTTP/2 as a whole. Node's library has refused those that a server of HTTP/1.1 behind this one could read
 * otherwise (RFC 9113, 8.2 and 8.3): headers of connections, capital letters, line ends, lengths that are not the body's.
 */
export function streamRefusal(request: StreamRequest, limits: HttpLimits): Refusal | undefined {
  const {method, url, headers, given, headBytes} = request;
  const isAuthorized = request.socket.authorized;
  const maximum = headBytesOf(limits, isAuthorized);
  if (headBytes > maximum) {
    const limit = isAuthorized ? 'maxHeaderBytesWithCertificate' : 'maxHeaderBytes';
    return {code: 431, text: `the request's line and headers have more than ${maximum} bytes`, limit};
  }
  const count = request.rawHeaders.length / 2;
  if (count > limits.maxHeaders)
    return {code: 431, text: `the request has ${count} headers, and at most ${limits.maxHeaders} are taken`, limit: 'maxHeaders'};
  if (method === 'CONNECT') return {code: 405, text: 'CONNECT is not served'};
  if ((given.scheme !== 'https' && given.scheme !== 'http') || !(url.startsWith('/') || url === '*'))
    return {code: 400, text: 'the request has no path of HTTP'};
  const {host} = headers;
  if (host === undefined) return {code: 400, text: 'missing required Host header'};
  if (given.authority !== undefined && given.authority !== host)
    return {code: 400, text: 'the authority and the Host header of the request differ'};
  return hostProblem(request.rawHeaders, host) ?? expectationProblem(headers.expect);
}
