import type {Agent, ClientRequest, IncomingMessage, RequestOptions} from 'node:http';
import {request as httpsRequest} from 'node:https';
import type {Socket} from 'node:net';
import process from 'node:process';
import type {Duplex, Readable} from 'node:stream';
import {WebhookError} from '../errors/webhook-error.js';
import {readInSmallParts} from '../net/small-reads.js';
import {connectionFailure} from './connection-failure.js';

// An import of this module would read all its members, and one of them loads the HTTP client behind `fetch`, which is not needed here.
const http = process.getBuiltinModule('node:http');

/** A body that is handed on as it comes. */
export interface StreamedBody {
  readonly stream: Readable;
  /** In bytes; if absent, it is sent in pieces. */
  readonly length?: number | undefined;
}

/** A request to another server. */
export interface OutgoingRequest {
  /** `https` if absent. */
  readonly protocol?: 'http' | 'https' | undefined;
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly method: string;
  /** Those that say where the request ends, and what its connection is for, are made of the rest; others of the same names are left out. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body?: Buffer | StreamedBody | undefined;
  /** The protocol that the connection is to change to. */
  readonly upgrade?: string | undefined;
  /** Whose connections it uses. One of its own, with `tls`, if absent or false. */
  readonly agent?: Agent | false | undefined;
  readonly tls?: Pick<RequestOptions & {rejectUnauthorized?: boolean; servername?: string}, 'rejectUnauthorized' | 'servername'> & {
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
  };
  /** Whether it is sent again on another connection if the one that was kept open has just been closed. Never with a streamed body. */
  readonly repeats: boolean;
  /** Cancels the request, and its answer as long as that is not complete. */
  readonly signal?: AbortSignal | undefined;
}

/** The head of an answer, with the connection where both sides have agreed to change its protocol. */
export interface RequestAnswer {
  readonly head: IncomingMessage;
  readonly upgraded?: {readonly socket: Duplex; /** What has come on it already. */ readonly rest: Buffer};
}

/** Maximum number of 1xx answers before the final one, the same as Go's client accepts; a service could send them endlessly. */
const maximumInterimAnswers = 5;
/** Until a connection stands, TLS included: a watch has no other limit. */
const connectMillis = 30_000;
/** Headers that are this module's to write. */
const ownHeaders = new Set(['connection', 'content-length', 'transfer-encoding', 'upgrade']);

/**
 * Sends a request and answers as soon as the head of the final answer is there. All requests to other servers are made here, and whatever these
 * do, it ends: with an answer whose status and framing mean what they say, or with an error. The body that follows ends or fails as a stream.
 *
 * @throws WebhookError: `Unreachable` or `Untrusted`, `BadAnswer` for what is no answer to this request, `Misconfigured` for a head that cannot be
 *   sent; the signal's reason
 */
export function sendRequest(request: OutgoingRequest): Promise<RequestAnswer> {
  const {signal} = request;
  return new Promise((resolve, reject) => {
    const begin = () => {
      try {
        signal?.throwIfAborted();
        attempt();
      } catch (error) {
        reject(signal?.aborted ? (signal.reason as Error) : new WebhookError('Misconfigured', (error as Error).message, {cause: error}));
      }
    };
    const attempt = () => {
      const outgoing = open(request);
      let isSettled = false;
      const giveUp = () => outgoing.destroy(signal!.reason as Error);
      signal?.addEventListener('abort', giveUp, {once: true});
      const refuse = (error: WebhookError) => {
        reject(error);
        outgoing.destroy();
      };
      outgoing
        .on('socket', (socket) => prepare(outgoing, socket, request))
        .on('information', interimCounter(refuse))
        .on('upgrade', (head: IncomingMessage, socket: Socket, rest: Buffer) => {
          isSettled = true;
          if (request.upgrade !== undefined) return resolve({head, upgraded: {socket, rest}});
          socket.destroy();
          reject(badAnswer('it changes the protocol, which nobody asked for', head));
        })
        .on('response', (head) => {
          isSettled = true;
          const fault = faultOf(head);
          if (fault !== undefined) return refuse(badAnswer(fault, head));
          // Nobody waits for the rest of a request that is answered, and as long as it is open so is its connection.
          head.once('end', () => !outgoing.writableFinished && outgoing.destroy());
          resolve({head});
        })
        .on('error', (error: NodeJS.ErrnoException) => {
          isSettled = true;
          if (signal?.aborted) return reject(signal.reason as Error);
          // The service may have closed the idle connection just as it was reused. On a new connection nothing is sent twice.
          if (request.repeats && outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')) begin();
          else reject(WebhookError.is(error) ? error : connectionFailure(error, request));
        })
        .on('close', () => {
          signal?.removeEventListener('abort', giveUp);
          if (!isSettled) reject(connectionFailure(new Error('it was closed'), request));
        });
      send(outgoing, request);
    };
    begin();
  });
}

function open({protocol = 'https', host, port, path, method, agent = false, tls, ...request}: OutgoingRequest): ClientRequest {
  const start = protocol === 'https' ? httpsRequest : http.request;
  return start({...tls, host, port, path, method, headers: headOf(request), agent});
}

/** The whole head: how the request ends follows from its body, what its connection becomes from `upgrade`, whatever else it is given. */
function headOf({headers, body, upgrade}: Pick<OutgoingRequest, 'headers' | 'body' | 'upgrade'>): Record<string, string | string[]> {
  const others = Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.has(name.toLowerCase())));
  if (upgrade !== undefined) return {...others, connection: 'Upgrade', upgrade};
  if (body === undefined) return others;
  // Without one of these Node writes the body of a GET or DELETE as it is, and whoever reads it takes it for further requests.
  if (body.length !== undefined && Number.isSafeInteger(body.length)) return {...others, 'content-length': String(body.length)};
  return {...others, 'transfer-encoding': 'chunked'};
}

function send(outgoing: ClientRequest, {body, upgrade}: OutgoingRequest): void {
  if (body === undefined || upgrade !== undefined) outgoing.end();
  else if (Buffer.isBuffer(body)) outgoing.end(body);
  else {
    body.stream.once('close', () => !body.stream.readableEnded && outgoing.destroy());
    body.stream.pipe(outgoing);
  }
  // Who refuses an upgrade may take what comes next for data of the other protocol: the connection is for no further request.
  if (upgrade !== undefined) outgoing.shouldKeepAlive = false;
}

function prepare(outgoing: ClientRequest, socket: Socket, {protocol = 'https'}: OutgoingRequest): void {
  const readOn = readInSmallParts(socket);
  outgoing.once('response', readOn).once('upgrade', readOn);
  if (!socket.connecting) return;
  const late = () => outgoing.destroy(new WebhookError('Unreachable', `no connection within ${connectMillis / 1000} s`));
  const timer = setTimeout(late, connectMillis);
  const stop = () => clearTimeout(timer);
  socket.once(protocol === 'https' ? 'secureConnect' : 'connect', stop).once('close', stop);
}

function interimCounter(refuse: (error: WebhookError) => void): () => void {
  let interim = 0;
  return () => {
    if (++interim > maximumInterimAnswers)
      refuse(new WebhookError('BadAnswer', `there were more than ${maximumInterimAnswers} interim answers`));
  };
}

/** Why an answer is none that can be understood or handed on (RFC 9110, 15 and 8.6; RFC 9112, 6.1). */
function faultOf({statusCode = 0, headers}: IncomingMessage): string | undefined {
  if (statusCode < 200 || statusCode > 599) return 'its status is none of an answer';
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && !/^chunked$/i.test(coding)) return 'its transfer encoding is not known';
  if (statusCode === 204 && (coding !== undefined || Number(headers['content-length'] ?? 0) !== 0))
    return 'it announces content that it cannot have';
  return undefined;
}

function badAnswer(fault: string, {statusCode = 0}: IncomingMessage): WebhookError {
  return new WebhookError('BadAnswer', `the service answers with status ${String(statusCode).padStart(3, '0')}: ${fault}`, {statusCode});
}
