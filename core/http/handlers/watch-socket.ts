import type {WebSocket, WebSocketServer} from 'ws';
import {badRequest} from '../../../sdk/index.js';
import type {KindFigures} from '../metrics/watch-figures.js';
import type {Exchange} from '../request/exchange.js';
import {isOutOfRoom} from './watch-room.js';
import type {WatchOutput} from './watch-stream.js';

const newline = 0x0a;
/** One message carries one event; frames of the binary form carry their own length. */
const lengthBytes = 4;
/** If more bytes than this are queued for a client, its pings are not answered. */
const unansweredPingBytes = 64 * 1024;

/** Maximum messages per second from a client: one that only listens sends an occasional ping. */
const maximumFramesInASecond = 100;

let acceptor: Promise<WebSocketServer> | undefined;

/** The library is loaded with the first WebSocket. */
async function makeAcceptor(): Promise<WebSocketServer> {
  const {WebSocketServer: Acceptor} = await import('ws');
  // One frame per turn of the event loop, so that one client's input does not delay others.
  const server = new Acceptor({noServer: true, maxPayload: 64 * 1024, autoPong: false, allowSynchronousEvents: false});
  // Thrown through the library to the caller of the handshake; otherwise the library would answer by itself.
  server.on('wsClientError', (error) => {
    throw badRequest(error.message);
  });
  return server;
}

/** Whether a request asks for a WebSocket. */
export function asksForWebSocket(exchange: Exchange): boolean {
  return exchange.upgrade !== undefined && /^websocket$/i.test(exchange.header('upgrade') ?? '');
}

/** Takes over the connection. @throws StatusError 400 for an invalid handshake, in which case the connection remains HTTP */
export async function acceptWebSocket(exchange: Exchange): Promise<WebSocket> {
  const server = await (acceptor ??= makeAcceptor());
  const {socket, head} = exchange.upgrade!;
  let accepted: WebSocket | undefined;
  // Calls back before it returns.
  server.handleUpgrade(exchange.request, socket, head, (webSocket) => (accepted = webSocket));
  if (!accepted) throw badRequest('the connection ended during the handshake');
  exchange.takeConnection();
  return accepted;
}

/** Counts what a client sends within a second. */
class FrameCount {
  #since = performance.now();
  #count = 0;

  /** To be called for each frame. */
  isTooMany(): boolean {
    const now = performance.now();
    if (now - this.#since > 1000) {
      this.#since = now;
      this.#count = 0;
    }
    return ++this.#count > maximumFramesInASecond;
  }
}

/** A watch whose events are messages of a WebSocket: text for JSON, binary otherwise. */
export class WatchSocket implements WatchOutput {
  readonly closed: Promise<void>;

  readonly #exchange: Exchange;
  readonly #socket: WebSocket;
  readonly #binary: boolean;
  readonly #figures: KindFigures;

  /** @param figures counts what is sent */
  constructor(exchange: Exchange, socket: WebSocket, binary: boolean, figures: KindFigures) {
    this.#figures = figures;
    this.#exchange = exchange;
    this.#socket = socket;
    this.#binary = binary;
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    exchange.holdQueue(this);
    // What a client sends has no meaning here, but costs time.
    const frames = new FrameCount();
    const heard = () => {
      if (frames.isTooMany()) socket.terminate();
    };
    socket
      .on('message', heard)
      .on('pong', heard)
      .on('ping', (data: Buffer) => {
        heard();
        // A client that reads nothing could have any number of pongs queued.
        if (this.queuedBytes < unansweredPingBytes) socket.pong(data);
      });
    // A broken connection closes, which is enough to know.
    socket.on('error', () => socket.terminate());
  }

  /** The handshake has been the response. */
  begin(): void {}

  get queuedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  write(chunk: Buffer, sizes?: readonly number[]): void {
    if (isOutOfRoom(this.#exchange, this.queuedBytes)) return;
    if (this.#binary) this.#writeFrames(chunk);
    else this.#writeLines(chunk);
    this.#figures.sent(sizes);
    this.#exchange.sampleAnswer();
  }

  caughtUp(): void {
    this.#exchange.whenInitialized?.();
  }

  end(frame?: Buffer): void {
    if (frame) this.write(frame);
    this.#socket.close(1000);
  }

  #writeLines(chunk: Buffer): void {
    for (let start = 0; start < chunk.length;) {
      const found = chunk.indexOf(newline, start);
      const end = found < 0 ? chunk.length : found;
      this.#socket.send(chunk.subarray(start, end), {binary: false});
      start = end + 1;
    }
  }

  #writeFrames(chunk: Buffer): void {
    for (let start = 0; start + lengthBytes <= chunk.length;) {
      const end = start + lengthBytes + chunk.readUInt32BE(start);
      this.#socket.send(chunk.subarray(start + lengthBytes, end), {binary: true});
      start = end;
    }
  }
}
