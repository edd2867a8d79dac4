import type {Socket} from 'node:net';
import process from 'node:process';
import type {HttpLimits} from '../limits/http-limits.js';
import type {LimitLog} from '../limits/limit-log.js';
import {endAndLinger} from '../node/last-answer.js';
import type {Connection} from './connection.js';
import {refuse} from './refuse-request.js';

// As in `listener.ts`.
const {STATUS_CODES} = process.getBuiltinModule('node:http');

/** Error codes of this server: no memory for the head of a request, in total or for the client's address. */
export const headsFull = {inAll: 'ORCH_HEADS_IN_ALL', perAddress: 'ORCH_HEADS_PER_ADDRESS'} as const;
export const noMemoryForHeads = 'too many requests with large headers are under way, please try again later';

const answered = new WeakSet<Socket>();

/** Answers a request that cannot be parsed or is not complete in time, and ends the connection. */
export function answerBrokenRequest(
  error: Pick<NodeJS.ErrnoException, 'code'>,
  socket: Socket,
  connection: Connection | undefined,
  limits: HttpLimits,
  log: LimitLog,
): void {
  // The rest of a request that is already known to be broken.
  if (answered.has(socket)) return;
  const answer = connection && !socket.destroyed && answerTo(error, connection, limits);
  if (!answer) return void socket.destroy();
  if (answer.limit) log.acted(answer.limit, answer.text, {address: connection.address});
  answered.add(socket);
  // Responses to earlier requests come first; closing the connection after them is enough.
  const {incomplete} = connection;
  // If the response has begun, no error can be sent: the connection ends with it.
  if (incomplete && !incomplete.response.headersSent) {
    // Its handler cannot answer any more.
    incomplete.abort();
    refuse(incomplete, answer);
    return connection.end();
  }
  if (!connection.isIdle) {
    socket.pause();
    return connection.end();
  }
  const body = `${answer.text}\n`;
  const head = [`HTTP/1.1 ${answer.code} ${STATUS_CODES[answer.code]}`, 'Content-Type: text/plain; charset=utf-8'];
  socket.write([...head, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close', '', body].join('\r\n'));
  endAndLinger(socket);
}

interface Answer {
  readonly code: number;
  readonly text: string;
  readonly limit?: keyof HttpLimits;
}

/** Undefined if there is no client or no request to answer. */
function answerTo({code}: Pick<NodeJS.ErrnoException, 'code'>, {socket, isIdle}: Connection, limits: HttpLimits): Answer | undefined {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW': {
      const limit = socket.authorized ? 'maxHeaderBytesWithCertificate' : 'maxHeaderBytes';
      return {code: 431, text: `the request's line and headers have more than ${limits[limit]} bytes`, limit};
    }
    case headsFull.inAll:
      return {code: 429, text: noMemoryForHeads, limit: 'maxHeaderBytesInAll'};
    case headsFull.perAddress:
      return {code: 429, text: noMemoryForHeads, limit: 'maxHeaderBytesPerAddress'};
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      if (!isIdle) return {code: 408, text: 'the request did not come to its end in time'};
      return {code: 408, text: `the request's head did not come within ${limits.headersTimeout / 1000} s`, limit: 'headersTimeout'};
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return {code: 413, text: 'the extensions of a chunk are too large'};
    default:
      return code?.startsWith('HPE_') ? {code: 400, text: 'the request is not one of HTTP/1.1'} : undefined;
  }
}
