import type {IncomingMessage} from 'node:http';
import type {Duplex} from 'node:stream';
import {pipeline} from 'node:stream/promises';
import {badRequest, internalError, StatusError} from '../../../sdk/index.js';
import type {Backend} from './backend.js';
import {answerHeaders} from './forwarded-headers.js';
import {bodyOf, outgoingRequest, type ForwardedRequest} from './forwarded-request.js';
import {answerOf} from './reverse-proxy.js';

/** How long a side may take what is left for it when the other has gone. */
const flushMillis = 5000;

/**
 * Hands a connection on to another server that is to change its protocol: the server's answer and, if it agrees, all that follows go through
 * unread. Resolves when both sides have ended.
 *
 * @throws StatusError 400 for a request with a body, else as `forwardRequest`
 */
export async function forwardUpgrade(request: ForwardedRequest, client: Duplex, head: Buffer, backend: Backend): Promise<void> {
  if (bodyOf(request.incoming)) throw badRequest('a request for an upgrade has no body');
  const upgrade = request.incoming.headers.upgrade ?? '';
  const {head: answer, upgraded} = await answerOf({...outgoingRequest(request, backend), upgrade}, backend);
  if (!upgraded) {
    client.write(answerHead(answer, {connection: 'close'}), 'latin1');
    return pipeline(answer, client).catch(() => void client.destroy());
  }
  const {socket: server, rest} = upgraded;
  client.write(answerHead(answer, {connection: 'Upgrade', upgrade: answer.headers.upgrade ?? ''}), 'latin1');
  if (rest.length > 0) client.write(rest);
  if (head.length > 0) server.write(head);
  await new Promise<void>((resolve) => {
    const end = () => {
      client.destroy();
      server.destroy();
      resolve();
    };
    // One side's end or failure is the other's: half of a tunnel is of no use. What a side has said before is still handed on.
    for (const [side, other] of [
      [client, server],
      [server, client],
    ] as const)
      side.on('error', end).on('close', () => flush(other, end));
    request.signal.addEventListener('abort', end, {once: true});
    client.pipe(server);
    server.pipe(client);
    if (client.destroyed || server.destroyed || request.signal.aborted) end();
  });
}

/** Writes what is left to be written to a side, as far as it takes it, and calls back. */
function flush(side: Duplex, done: () => void): void {
  if (side.writableFinished || side.destroyed) return done();
  const timer = setTimeout(done, flushMillis);
  side.once('close', () => clearTimeout(timer)).end(done);
}

/** Sends an error response to a client whose connection was taken over. */
export function refuseUpgrade(client: Duplex, error: unknown): void {
  const status = (StatusError.is(error) ? error : internalError('the connection could not be made', {cause: error})).toStatus();
  const body = JSON.stringify(status);
  client.end(
    `HTTP/1.1 ${status.code} ${status.reason ?? 'Error'}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function answerHead(answer: IncomingMessage, connection: Record<string, string>): string {
  const lines = Object.entries({...answerHeaders(answer), ...connection}).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((text) => `${name}: ${text}`),
  );
  return `HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}\r\n${lines.join('\r\n')}\r\n\r\n`;
}
