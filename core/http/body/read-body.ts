import {badRequest, requestEntityTooLarge, tooManyRequests} from '../../../sdk/index.js';
import type {Exchange, IncomingBody} from '../request/exchange.js';
import {ReceivedBody} from './received-body.js';
import {giveUpBody} from '../response/unread-body.js';
import {requireAnswerRoom, smallAnswer} from '../response/answer-room.js';

/** Parsing, validating and storing an object from a larger body takes milliseconds. */
const largeBody = 16 * 1024;

/**
 * Reads the whole body. If several large ones arrive together, each is returned in its own turn of the event loop, so that other requests
 * wait for at most one of them.
 *
 * @throws 413 if it is too large, 429 if there is no memory for it or its response, 408 if it arrives too slowly (and the connection is
 * closed), 400 if the client disconnects
 */
export async function readBody(exchange: Exchange): Promise<Buffer> {
  const body = await receive(exchange);
  // Most of the work follows.
  await (body.length >= largeBody ? exchange.pace.begin() : exchange.turns?.giveWay());
  const now = exchange.working();
  exchange.trace?.step('body', now);
  return body;
}

function receive(exchange: Exchange): Promise<Buffer> {
  const {request, carrier} = exchange;
  const {maxBodyBytes} = carrier.limits;
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > maxBodyBytes) return Promise.reject(unread(exchange, requestEntityTooLarge(maxBodyBytes)));
  return new Promise((resolve, reject) => {
    const body = new ReceivedBody();
    const progress: IncomingBody = {
      since: performance.now(),
      get received() {
        return body.length;
      },
      refuse: (error) => settle(() => reject(unread(exchange, error))),
    };
    const settle = (action: () => void) => {
      exchange.body = undefined;
      request.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      action();
    };
    const onData = (chunk: Buffer) => {
      body.add(chunk);
      // No response: the rest of the body would have to be parsed to its end.
      if (body.isInCrumbs) return carrier.cut();
      if (body.length > maxBodyBytes) return progress.refuse(requestEntityTooLarge(maxBodyBytes));
      try {
        requireBodyRoom(exchange);
        if (body.length > smallAnswer) requireAnswerRoom(exchange);
      } catch (error) {
        return progress.refuse(error as Error);
      }
      exchange.holdBody(body.length);
    };
    const onEnd = () => settle(() => resolve(body.bytes()));
    const onError = () => settle(() => reject(badRequest('the request body could not be read to its end')));
    const onClose = () => settle(() => reject(badRequest('the connection was closed before the request body was complete')));
    exchange.body = progress;
    request.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
    // Already answered, because it timed out.
    exchange.whenFinished(() => {
      if (exchange.body === progress) onClose();
    });
  });
}

/** @throws 429 if bodies use up their memory budget, or that of this caller */
function requireBodyRoom(exchange: Exchange): void {
  const {carrier, user} = exchange;
  if (carrier.bodies.hasRoom(user)) return;
  exchange.terminated = true;
  const limit = carrier.bodies.isFull ? 'maxBodyBytesInAll' : 'maxBodyBytesPerUser';
  carrier.acted(limit, 'a request was refused whose body there is no memory for', {user: user.username});
  throw tooManyRequests('too many large requests are under way, please try again later', 1);
}

function unread(exchange: Exchange, error: Error): Error {
  giveUpBody(exchange);
  exchange.request.resume();
  return error;
}
