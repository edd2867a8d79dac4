import {connect, type TLSSocket} from 'node:tls';
import type {Target} from './work.js';

export interface RawResponse {
  readonly status: number;
  /** The body when it was asked for, else empty. */
  readonly body: Buffer;
}

/** Sends requests, one at a time. */
export interface Sender {
  readonly host: string;
  /** Sends a request and waits for the whole response. Rejects when the connection breaks meanwhile. @param text as it goes over the wire with HTTP/1.1 */
  send(text: string, keepBody?: boolean): Promise<RawResponse>;
  close(): void;
}

const empty = Buffer.alloc(0);
const headEnd = Buffer.from('\r\n\r\n');
const lineEnd = Buffer.from('\r\n');

/** Opens a TLS connection; resolves when the handshake is done. */
export function openTls(target: Target): Promise<TLSSocket> {
  const url = new URL(target.url);
  return new Promise((resolve, reject) => {
    const socket = connect({host: url.hostname, port: Number(url.port), ca: target.ca, cert: target.cert, key: target.key});
    socket.setNoDelay(true);
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

/** The text of a request's head and body, as it goes over the wire. */
export function requestText(method: string, path: string, host: string, body = '', contentType = 'application/json'): string {
  const head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: application/json\r\n`;
  if (body === '') return `${head}\r\n`;
  return `${head}Content-Type: ${contentType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/**
 * A connection that stays open, for one request at a time. It understands just enough of HTTP/1.1 (lengths and chunks) to
 * cost little: on a small machine the client takes its time from the server that it measures.
 */
export class HttpConnection implements Sender {
  readonly host: string;
  readonly #target: Target;
  #socket: TLSSocket;
  #rest: Buffer = empty;
  #resolve: ((response: RawResponse) => void) | undefined;
  #reject: ((error: Error) => void) | undefined;
  /** Whether the connection is over: nothing would come of a request that is sent then. */
  #isOver = false;
  #keep = false;
  #status = 0;
  #chunked = false;
  #lengthKnown = true;
  /** Bytes of the body (or of the current chunk with its line end) that are still to come; -1 while the head or a chunk's size is. */
  #left = -1;
  #inBody = false;
  #parts: Buffer[] = [];

  private constructor(socket: TLSSocket, target: Target) {
    this.#target = target;
    this.host = new URL(target.url).host;
    this.#socket = this.#listenTo(socket);
  }

  static async open(target: Target): Promise<HttpConnection> {
    return new HttpConnection(await openTls(target), target);
  }

  /**
   * Sends a request and waits for the whole response. Opens a connection again that ended between two requests, as servers end those that are
   * idle for long. Rejects when the connection breaks meanwhile.
   */
  async send(text: string, keepBody = false): Promise<RawResponse> {
    if (this.#isOver) await this.#reopen();
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#keep = keepBody;
      this.#socket.write(text);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #listenTo(socket: TLSSocket): TLSSocket {
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the server closed the connection')));
    return socket;
  }

  async #reopen(): Promise<void> {
    const socket = await openTls(this.#target);
    this.#isOver = false;
    this.#rest = empty;
    this.#socket = this.#listenTo(socket);
  }

  #fail(error: Error): void {
    this.#isOver = true;
    this.#reject?.(error);
    this.#resolve = this.#reject = undefined;
  }

  #take(chunk: Buffer): void {
    let data = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    this.#rest = empty;
    for (;;) {
      if (!this.#inBody) {
        const end = data.indexOf(headEnd);
        if (end < 0) break;
        this.#readHead(data.toString('latin1', 0, end));
        data = data.subarray(end + 4);
        if (!this.#chunked && this.#left === 0) {
          this.#finish();
          if (data.length === 0) return;
          continue;
        }
      }
      if (this.#left < 0) {
        const end = data.indexOf(lineEnd);
        if (end < 0) break;
        const size = Number.parseInt(data.toString('latin1', 0, end), 16);
        data = data.subarray(end + 2);
        // The last chunk is empty and is followed by an empty line.
        this.#left = size + 2;
        if (size === 0) this.#chunked = false;
      }
      if (data.length === 0) return;
      const taken = Math.min(this.#left, data.length);
      if (this.#keep) {
        // A chunk carries its line end with it, which is no part of the body.
        const own = this.#lengthKnown ? taken : Math.min(taken, Math.max(0, this.#left - 2));
        if (own > 0) this.#parts.push(data.subarray(0, own));
      }
      this.#left -= taken;
      data = data.subarray(taken);
      if (this.#left > 0) return;
      if (this.#chunked) this.#left = -1;
      else {
        this.#finish();
        if (data.length === 0) return;
      }
    }
    this.#rest = data;
  }

  #readHead(head: string): void {
    this.#status = Number(head.slice(9, 12));
    const lower = head.toLowerCase();
    const at = lower.indexOf('\r\ncontent-length:');
    this.#lengthKnown = at >= 0;
    this.#chunked = at < 0 && lower.includes('\r\ntransfer-encoding: chunked');
    this.#left = this.#chunked ? -1 : at < 0 ? 0 : Number.parseInt(lower.slice(at + 17), 10);
    this.#inBody = true;
  }

  #finish(): void {
    const body = this.#parts.length === 0 ? empty : Buffer.concat(this.#parts);
    const resolve = this.#resolve;
    this.#parts = [];
    this.#inBody = false;
    this.#left = -1;
    this.#resolve = this.#reject = undefined;
    resolve?.({status: this.#status, body});
  }
}
