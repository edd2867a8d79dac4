import type {IncomingMessage, ServerResponse} from 'node:http';
import {pipeline} from 'node:stream/promises';
import {serviceUnavailable, StatusError, WebhookError} from '../../../sdk/index.js';
import {sendRequest, type OutgoingRequest, type RequestAnswer} from '../../../sdk/https/index.js';
import type {Backend} from './backend.js';
import {answerHeaders} from './forwarded-headers.js';
import {outgoingRequest, type ForwardedRequest} from './forwarded-request.js';

/**
 * Forwards a request to another server and its response back, both as streams.
 *
 * @throws StatusError 503 when the server cannot be reached or breaks off before it answers, 502 for what is no answer to the request and for a redirect
 *   that is not allowed
 */
export async function forwardRequest(request: ForwardedRequest, response: ServerResponse, backend: Backend): Promise<void> {
  const {head: answer} = await answerOf(outgoingRequest(request, backend), backend);
  response.writeHead(answer.statusCode!, answerHeaders(answer));
  // The body of a stream may begin much later.
  response.flushHeaders();
  // If either side disconnects during the response, both end, and nobody is left to report it to.
  await pipeline(answer, response).catch(() => response.destroy());
}

/** Sends a request on. @throws StatusError as `forwardRequest` */
export async function answerOf(request: OutgoingRequest, {rejectsRedirects = false}: Backend): Promise<RequestAnswer> {
  let answer: RequestAnswer;
  try {
    answer = await sendRequest(request);
  } catch (error) {
    const text = `error trying to reach service: ${(error as Error).message}`;
    if (WebhookError.is(error) && error.code === 'BadAnswer') throw new StatusError(502, 'InternalError', text, {cause: error});
    throw serviceUnavailable(text, 1, {cause: error});
  }
  if (!rejectsRedirects || !isRedirect(answer.head)) return answer;
  answer.head.destroy();
  throw new StatusError(502, 'InternalError', 'the backend attempted to redirect this request, which is not permitted');
}

function isRedirect({statusCode = 0, headers}: IncomingMessage): boolean {
  return statusCode >= 300 && statusCode <= 399 && headers.location !== undefined;
}
