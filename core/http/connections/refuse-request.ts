import type {IncomingMessage} from 'node:http';
import type {Exchange} from '../request/exchange.js';
import type {HttpLimits, LimitName} from '../limits/http-limits.js';
import {respondText} from '../response/respond.js';

/** Why a request goes no further than its head. */
export interface Refusal {
  readonly code: number;
  readonly text: string;
  /** The limit that it breaks, if it is for one. */
  readonly limit?: LimitName;
}

/** What is wrong with a request's head as a whole, whoever sent it and wherever it goes. */
export function refusal(request: IncomingMessage, {maxHeaders}: Pick<HttpLimits, 'maxHeaders'>): Refusal | undefined {
  const {httpVersionMajor: major, httpVersionMinor: minor, headers} = request;
  // Node takes a request line without a version for HTTP/0.9, whose answers have no head.
  if (major !== 1) return {code: 505, text: `HTTP/${major}.${minor} is not served: send requests of HTTP/1.1`};
  const count = request.rawHeaders.length / 2;
  if (count > maxHeaders)
    return {code: 431, text: `the request has ${count} headers, and at most ${maxHeaders} are taken`, limit: 'maxHeaders'};
  if (minor === 0) return undefined;
  if (headers.host === undefined) return {code: 400, text: 'missing required Host header'};
  if (headers.expect !== undefined && !/^100-continue(?:\s*,\s*100-continue)*$/i.test(headers.expect))
    return {code: 417, text: `the expectation ${JSON.stringify(headers.expect)} is not met: 100-continue is the only one that is known`};
  return undefined;
}

/** Answers a refused request in plain text: what it wants is not known yet. The connection ends with the answer. */
export function refuse(exchange: Exchange, {code, text}: Refusal): void {
  exchange.response.setHeader('Connection', 'close');
  respondText(exchange, code, `${text}\n`);
}
