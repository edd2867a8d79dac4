import type {Exchange} from '../request/exchange.js';
import type {HttpLimits, LimitName} from '../limits/http-limits.js';
import {respondText} from '../response/respond.js';
import {cutText} from '../../registry/value-text.js';

/** Why a request is rejected by its headers. */
export interface Refusal {
  readonly code: number;
  readonly text: string;
  /** The limit that it exceeds, if any. */
  readonly limit?: LimitName;
}

/** A name or an address, and a port (RFC 9110, 7.2; RFC 3986, 3.2.2). */
const hostPattern = /^(?:\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::[0-9]*)?$/i;

/** Node keeps the first of several and drops the others, but other software may use the last. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/** Headers for framing and routing: a server that dropped them because `Connection` names them would parse the body as further requests. */
const framingInConnection = /(?:^|,)[ \t]*(content-length|transfer-encoding|host)[ \t]*(?:,|$)/i;

/** What is wrong with a request's headers as a whole, whatever its sender and path (RFC 9112, 3.2 and 6.1; RFC 9110, 7.6.1). */
export function refusal(
  {request, upgrade}: Pick<Exchange, 'request' | 'upgrade'>,
  {maxHeaders}: Pick<HttpLimits, 'maxHeaders'>,
): Refusal | undefined {
  const {httpVersionMajor: major, httpVersionMinor: minor, headers} = request;
  // Node treats a request line without a version as HTTP/0.9, whose responses have no headers.
  if (major !== 1) return {code: 505, text: `HTTP/${major}.${minor} is not served: send requests of HTTP/1.1`};
  const count = request.rawHeaders.length / 2;
  if (count > maxHeaders)
    return {code: 431, text: `the request has ${count} headers, and at most ${maxHeaders} are taken`, limit: 'maxHeaders'};
  const framing = headers['transfer-encoding'];
  if (framing !== undefined && !/^chunked$/i.test(framing))
    return {code: 400, text: `the transfer encoding ${JSON.stringify(cutText(framing))} is not known: chunked is the only one`};
  const named = framingInConnection.exec(headers.connection ?? '')?.[1];
  if (named !== undefined)
    return {code: 400, text: `the Connection header names ${named.toLowerCase()}, which is never for one connection only`};
  if (upgrade && (framing !== undefined || Number(headers['content-length'] ?? 0) > 0))
    return {code: 400, text: 'a request for an upgrade has no body'};
  const {host} = headers;
  const problem = host === undefined ? undefined : hostProblem(request.rawHeaders, host);
  if (problem || minor === 0) return problem;
  if (host === undefined) return {code: 400, text: 'missing required Host header'};
  return expectationProblem(headers.expect);
}

/** What is wrong with the host of a request. */
export function hostProblem(rawHeaders: readonly string[], host: string): Refusal | undefined {
  if (countHosts(rawHeaders) > 1) return {code: 400, text: 'the request has more than one Host header'};
  if (!hostPattern.test(host)) return {code: 400, text: `${JSON.stringify(cutText(host))} is not a host`};
  return undefined;
}

/** What is wrong with the header `Expect`. */
export function expectationProblem(expect: string | undefined): Refusal | undefined {
  if (expect === undefined || /^100-continue(?:\s*,\s*100-continue)*$/i.test(expect)) return undefined;
  return {code: 417, text: `the expectation ${JSON.stringify(expect)} is not met: 100-continue is the only one that is known`};
}

/** Answers a rejected request in plain text, because its preferred format is not known yet. The connection ends with the response. */
export function refuse(exchange: Exchange, {code, text}: Refusal): void {
  exchange.carrier.endsWith(exchange, false);
  respondText(exchange, code, `${text}\n`);
}
