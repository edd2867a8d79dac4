import type {IncomingMessage, ServerResponse} from 'node:http';
import {pipeline} from 'node:stream/promises';
import {serviceUnavailable, StatusError} from '../../../sdk/index.js';
import type {Backend} from './backend.js';
import {answerHeaders, hasBody} from './forwarded-headers.js';
import {openRequest, type ForwardedRequest} from './open-request.js';

/**
 * Forwards a request to another server and its response back, both as streams.
 *
 * @throws StatusError 503 when the server cannot be reached or breaks off before it answers, 502 for a redirect that is not allowed
 */
export async function forwardRequest(request: ForwardedRequest, response: ServerResponse, backend: Backend): Promise<void> {
  const answer = await send(request, backend);
  if (isRefused(answer, backend)) {
    answer.destroy();
    throw redirectRefused();
  }
  response.writeHead(answer.statusCode ?? 502, answerHeaders(answer));
  // The body of a stream may begin much later.
  response.flushHeaders();
  // If either side disconnects during the response, both end, and nobody is left to report it to.
  await pipeline(answer, response).catch(() => response.destroy());
}

/** Whether an answer is a redirect that clients must not see. */
export function isRefused({statusCode = 0, headers}: IncomingMessage, {rejectsRedirects = false}: Backend): boolean {
  return rejectsRedirects && statusCode >= 300 && statusCode <= 399 && headers.location !== undefined;
}

export function redirectRefused(): StatusError {
  return new StatusError(502, 'InternalError', 'the backend attempted to redirect this request, which is not permitted');
}

/** @throws StatusError 503 */
export function unreachable(error: Error): StatusError {
  return serviceUnavailable(`error trying to reach service: ${error.message}`, 1, {cause: error});
}

function send(request: ForwardedRequest, backend: Backend): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const {incoming} = request;
    const sendsBody = hasBody(incoming);
    const attempt = () => {
      const outgoing = openRequest(request, backend, false);
      outgoing.on('response', resolve);
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // The server may have closed the idle connection just as it was reused. Only what can be repeated is sent again.
        if (outgoing.reusedSocket && error.code === 'ECONNRESET' && !sendsBody && isSafe(request.method)) attempt();
        else reject(unreachable(error));
      });
      if (sendsBody) incoming.pipe(outgoing);
      else outgoing.end();
    };
    try {
      attempt();
    } catch (error) {
      // Headers that cannot be sent, such as a user's name with a line break.
      reject(unreachable(error as Error));
    }
  });
}

function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}
