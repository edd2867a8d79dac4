import {badRequest, requestEntityTooLarge, tooManyRequests} from '../../../sdk/index.js';
import type {IncomingBody} from '../request/exchange.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import {ReceivedBody} from './received-body.js';
import {giveUpBody} from '../response/unread-body.js';
import {requireAnswerRoom, smallAnswer} from '../response/answer-room.js';

/** Parsing, validating and storing an object from a larger body takes milliseconds. */
const largeBody = 16 * 1024;

/**
 * Reads the whole body. If several large ones arrive together, the next is returned in a later turn of the event loop than the work on the one
 * before, so that other requests wait for at most one of them.
 *
 * @throws 413 if it is too large, 429 if there is no memory for it or its response, 408 if it arrives too slowly (and the connection is
 * closed), 400 if the client disconnects
 */
export async function readBody(exchange: AuthenticatedExchange): Promise<Buffer> {
  const body = await receive(exchange);
  // Most of the work follows.
  await (body.length >= largeBody ? exchange.task.yield() : exchange.resume());
  const now = exchange.working();
  exchange.trace?.step('body', now);
  return body;
}

function receive(exchange: AuthenticatedExchange): Promise<Buffer> {
  const {request, carrier} = exchange;
  const {maxBodyBytes} = carrier.limits;
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > maxBodyBytes) return Promise.reject(unread(exchange, requestEntityTooLarge(maxBodyBytes)));
  return new Promise((resolve, reject) => new Receiving(exchange, resolve, reject));
}

/** A body on its way. A class, not a literal with a getter (see `IncomingCredentials`). */
class Receiving implements IncomingBody {
  readonly since = performance.now();
  readonly #body = new ReceivedBody();
  readonly #exchange: AuthenticatedExchange;
  readonly #resolve: (body: Buffer) => void;
  readonly #reject: (error: Error) => void;

  constructor(exchange: AuthenticatedExchange, resolve: (body: Buffer) => void, reject: (error: Error) => void) {
    this.#exchange = exchange;
    this.#resolve = resolve;
    this.#reject = reject;
    exchange.body = this;
    exchange.request.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onError).on('close', this.#onClose);
    // Already answered, because it timed out.
    exchange.whenFinished(() => {
      if (exchange.body === this) this.#onClose();
    });
  }

  get received(): number {
    return this.#body.length;
  }

  refuse(error: Error): void {
    this.#settle();
    this.#reject(unread(this.#exchange, error));
  }

  readonly #onData = (chunk: Buffer): void => {
    const exchange = this.#exchange;
    const {carrier} = exchange;
    const body = this.#body;
    const {maxBodyBytes} = carrier.limits;
    body.add(chunk);
    if (body.length > maxBodyBytes) return this.refuse(requestEntityTooLarge(maxBodyBytes));
    try {
      requireBodyRoom(exchange);
      if (body.length > smallAnswer) requireAnswerRoom(exchange);
    } catch (error) {
      return this.refuse(error as Error);
    }
    exchange.holdBody(body.length);
  };

  readonly #onEnd = (): void => {
    this.#settle();
    this.#resolve(this.#body.bytes());
  };

  readonly #onError = (): void => {
    this.#settle();
    this.#reject(badRequest('the request body could not be read to its end'));
  };

  readonly #onClose = (): void => {
    this.#settle();
    this.#reject(badRequest('the connection was closed before the request body was complete'));
  };

  #settle(): void {
    const exchange = this.#exchange;
    exchange.body = undefined;
    exchange.request.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onError).off('close', this.#onClose);
  }
}

/** @throws 429 if bodies use up their memory budget, or that of this caller */
function requireBodyRoom(exchange: AuthenticatedExchange): void {
  const {carrier, user} = exchange;
  if (carrier.bodies.hasRoom(user)) return;
  exchange.terminated = true;
  const limit = carrier.bodies.isFull ? 'maxBodyBytesInAll' : 'maxBodyBytesPerUser';
  carrier.acted(limit, 'a request was refused whose body there is no memory for', {user: user.username});
  throw tooManyRequests('too many large requests are under way, please try again later', 1);
}

function unread(exchange: AuthenticatedExchange, error: Error): Error {
  giveUpBody(exchange);
  exchange.request.resume();
  return error;
}
