import type {WebSocket, WebSocketServer} from 'ws';
import type {Exchange} from '../exchange.js';
import {isOutOfRoom} from './watch-room.js';
import type {WatchOutput} from './watch-stream.js';

const newline = 0x0a;
/** One message carries one event; frames of the binary form carry their own length. */
const lengthBytes = 4;
/** With more than this waiting for a client its pings are not answered. */
const unansweredPingBytes = 64 * 1024;

let acceptor: Promise<WebSocketServer> | undefined;

/** The library is loaded when the first client wants it. */
async function makeAcceptor(): Promise<WebSocketServer> {
  const {WebSocketServer: Acceptor} = await import('ws');
  return new Acceptor({noServer: true, maxPayload: 64 * 1024, autoPong: false});
}

/** Whether a request asks for a WebSocket. */
export function asksForWebSocket(exchange: Exchange): boolean {
  return exchange.upgrade !== undefined && /^websocket$/i.test(exchange.header('upgrade') ?? '');
}

/** Takes the connection over. Rejects when the handshake is not one. */
export async function acceptWebSocket(exchange: Exchange): Promise<WebSocket> {
  const server = await (acceptor ??= makeAcceptor());
  const {socket, head} = exchange.takeConnection();
  return new Promise((resolve, reject) => {
    socket.once('close', () => reject(new Error('the connection ended during the handshake')));
    server.handleUpgrade(exchange.request, socket, head, (webSocket) => resolve(webSocket));
  });
}

/** A watch whose events are messages of a WebSocket: text for JSON, binary otherwise. */
export class WatchSocket implements WatchOutput {
  readonly closed: Promise<void>;

  constructor(
    private readonly exchange: Exchange,
    private readonly socket: WebSocket,
    private readonly binary: boolean,
  ) {
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    exchange.holdQueue(this);
    // One that takes nothing could have any number of answers wait for it.
    socket.on('ping', (data: Buffer) => {
      if (this.queuedBytes < unansweredPingBytes) socket.pong(data);
    });
    // What a client sends has no meaning here; a broken connection closes, which is enough to know.
    socket.on('error', () => socket.terminate());
  }

  /** The handshake has told the client already. */
  begin(): void {}

  get queuedBytes(): number {
    return this.socket.bufferedAmount;
  }

  write(chunk: Buffer): void {
    if (isOutOfRoom(this.exchange, this.queuedBytes)) return;
    if (this.binary) this.#writeFrames(chunk);
    else this.#writeLines(chunk);
    this.exchange.sampleAnswer();
  }

  caughtUp(): void {
    this.exchange.whenInitialized?.();
  }

  end(frame?: Buffer): void {
    if (frame) this.write(frame);
    this.socket.close(1000);
  }

  #writeLines(chunk: Buffer): void {
    for (let start = 0; start < chunk.length;) {
      const found = chunk.indexOf(newline, start);
      const end = found < 0 ? chunk.length : found;
      this.socket.send(chunk.subarray(start, end), {binary: false});
      start = end + 1;
    }
  }

  #writeFrames(chunk: Buffer): void {
    for (let start = 0; start + lengthBytes <= chunk.length;) {
      const end = start + lengthBytes + chunk.readUInt32BE(start);
      this.socket.send(chunk.subarray(start + lengthBytes, end), {binary: true});
      start = end;
    }
  }
}
