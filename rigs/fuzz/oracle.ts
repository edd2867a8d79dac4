import {faultOf} from '../../test/semantics/fuzz/outcome.js';
import type {FuzzRequest} from './fuzz-request.js';
import {answerMillis, type Outcome} from './run/wire.js';

/** Failures of what a user brought along, which Kubernetes too answers with 500: they say whose it is. */
const byDesign = /(conversion webhook for .* failed|failed calling webhook)/;

/** Operations that need another machine, which is not there. */
const reachesOthers = /\/(proxy|log|exec|attach|portforward)(\/|\?|$)/;

/** What is said, in plain text as in Kubernetes, when the aggregated API server for a group version is away. */
const awayText = /^(service unavailable$|error trying to reach service: )/m;

/** A store that a starved machine keeps waiting. Who reads or has not written is told when to come back; nobody is invited to repeat a write. */
const storeAway = /the store cannot be used now: Redis at .* no answer for/;
const unknownOutcome = /whether the change took effect is not known; read the object to find out/;

/** Answers to what is no request, or none that is served. */
const brokenCodes: ReadonlySet<number> = new Set([400, 408, 413, 417, 431, 505]);

/** What is wrong with the outcome of a request, in words; undefined when it is as it should be. */
export function faultOfOutcome(request: FuzzRequest, {response, endless, failure, millis}: Outcome): string | undefined {
  const odd = request.manner === 'raw' || request.manner === 'cut';
  if (failure === 'cut') return odd ? undefined : 'the connection was cut without an answer';
  if (failure === 'timeout') return odd && request.manner === 'raw' ? undefined : `no answer within ${answerMillis / 1000} s`;
  if (failure !== undefined) return failure;
  if (!response) return 'no answer';
  const {status, body, head} = response;
  if (status === 500 && byDesign.test(body.toString())) return undefined;
  if (status === 503 && reachesOthers.test(request.path) && /\r\nretry-after:/i.test(head)) return undefined;
  if (status === 503 && (awayText.test(body.toString()) || (request.method === 'HEAD' && /\r\ncontent-type: text\/plain/i.test(head))))
    return undefined;
  if (status === 503 && storeAway.test(body.toString()) && /\r\nretry-after:/i.test(head)) return undefined;
  if (status === 504 && unknownOutcome.test(body.toString()) && !/\r\nretry-after:/i.test(head)) return undefined;
  if (status === 101) return undefined;
  const headers = headersOf(head);
  if (endless) {
    if (status >= 400) return `a failure of ${status} that does not end`;
    return /chunked/.test(headers['transfer-encoding'] ?? '') || millis < answerMillis ? undefined : 'an answer that does not end';
  }
  // What cannot be read as a request is answered in plain text.
  if (odd && brokenCodes.has(status) && headers['content-type']?.startsWith('text/plain')) return undefined;
  return faultOf({method: odd ? methodOf(request) : request.method}, {status, headers, body});
}

function headersOf(head: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return headers;
}

function methodOf({raw, method}: FuzzRequest): string {
  return raw?.toString('latin1', 0, 20).split(' ')[0] ?? method;
}
