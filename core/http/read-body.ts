import {setImmediate as nextTurn} from 'node:timers/promises';
import {badRequest, requestEntityTooLarge} from '../../sdk/index.js';
import type {Exchange} from './exchange.js';

/** Largest body of a request, in bytes. */
export const bodyLimit = 3 * 1024 * 1024;

/** Reading, checking and storing an object from a larger body takes milliseconds. */
const largeBody = 16 * 1024;
let lastTurn: Promise<void> = Promise.resolve();

/**
 * Reads the whole body. Of large ones that arrive together each is handed out in a turn of the event loop of its own, so that
 * other requests wait for one of them at most.
 *
 * @throws 413 when it is larger than `bodyLimit` (the connection is closed then), 400 when the client breaks off
 */
export async function readBody(exchange: Exchange): Promise<Buffer> {
  const body = await receive(exchange);
  if (body.length >= largeBody) await (lastTurn = lastTurn.then(() => nextTurn()));
  return body;
}

function receive(exchange: Exchange): Promise<Buffer> {
  const {request} = exchange;
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > bodyLimit) return Promise.reject(tooLarge(exchange));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (action: () => void) => {
      request.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      action();
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > bodyLimit) settle(() => reject(tooLarge(exchange)));
      else chunks.push(chunk);
    };
    const onEnd = () => settle(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)));
    const onError = () => settle(() => reject(badRequest('the request body could not be read to its end')));
    const onClose = () => settle(() => reject(badRequest('the connection was closed before the request body was complete')));
    request.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}

/** What is still on its way is not worth reading: the connection ends with the answer. */
function tooLarge(exchange: Exchange): Error {
  exchange.response.setHeader('Connection', 'close');
  exchange.request.resume();
  return requestEntityTooLarge(bodyLimit);
}
