import type {OutgoingHttpHeaders, ServerHttp2Stream} from 'node:http2';
import process from 'node:process';
import type {TLSSocket} from 'node:tls';

// As in `listener.ts`.
const {Http2ServerResponse, sensitiveHeaders} = process.getBuiltinModule('node:http2');

/** Headers that mean a connection of HTTP/1.1 (RFC 9113, 8.2.2): plugins may set them, and they are left out. */
const ofConnections = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', 'http2-settings']);

/**
 * Headers with another value in each answer: they are kept out of the table of HPACK. They would fill it with what never comes again, and Node's library compares
 * each new one with all of them, which was a tenth of the work for a small answer.
 */
const everNew = ['audit-id'];

type HeaderValue = number | string | readonly string[];
type Written = (error: Error) => void;

/**
 * The answer to a request of HTTP/2 as code that knows HTTP/1.1 expects it. Node's own sends trailers behind each answer, says `finish` of one that was
 * broken off, and lacks some properties.
 */
export class StreamResponse extends Http2ServerResponse {
  /** Bytes of the body that have been handed to the stream. */
  #written = 0;
  #hasBody: boolean;
  readonly connectionSocket: TLSSocket;

  constructor(stream: ServerHttp2Stream, socket: TLSSocket, isHead: boolean) {
    super(stream);
    this.connectionSocket = socket;
    this.#hasBody = !isHead;
  }

  /** Bytes of the body that the client's windows and the operating system have taken. */
  get takenBytes(): number {
    return this.#written - this.stream.writableLength;
  }

  override setHeader(name: string, value: HeaderValue): this {
    if (!ofConnections.has(name.toLowerCase())) super.setHeader(name, value as string | string[]);
    return this;
  }

  override appendHeader(name: string, value: string | string[]): this {
    if (!ofConnections.has(name.toLowerCase())) super.appendHeader(name, value);
    return this;
  }

  override writeHead(code: number, second?: unknown, third?: unknown): this {
    const {stream} = this;
    if (stream.destroyed || stream.closed) return this;
    if (stream.headersSent) return super.writeHead(code);
    this.statusCode = code;
    const head: OutgoingHttpHeaders = this.getHeaders();
    addHeaders(head, typeof second === 'string' ? third : (second ?? third));
    head[':status'] = code;
    (head as Record<symbol, readonly string[]>)[sensitiveHeaders] = everNew;
    if (code === 204 || code === 205 || code === 304) this.#hasBody = false;
    stream.respond(head, {endStream: this.writableEnded, sendDate: this.sendDate} as Parameters<typeof stream.respond>[1]);
    return this;
  }

  /** As with HTTP/1.1, what is written to an answer that has no body is dropped. */
  override write(chunk: string | Uint8Array, encoding?: BufferEncoding | Written, done?: Written): boolean {
    if (!this.headersSent) this.writeHead(this.statusCode);
    const callback = typeof encoding === 'function' ? encoding : done;
    if (!this.#hasBody) {
      if (callback) process.nextTick(callback as () => void);
      return true;
    }
    this.#written += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, typeof encoding === 'string' ? encoding : 'utf8') : chunk;
    return callback ? super.write(bytes, callback) : super.write(bytes);
  }

  /** Whoever reuses memory behind `finish` must know that nothing reads it any more. */
  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event === 'finish' && !this.stream.writableFinished) return false;
    return super.emit(event as 'close', ...(values as []));
  }
}

Object.defineProperties(StreamResponse.prototype, {
  destroyed: {
    get(this: StreamResponse) {
      return this.stream.destroyed || this.stream.closed;
    },
  },
  socket: {
    get(this: StreamResponse) {
      return this.stream.destroyed ? null : this.connectionSocket;
    },
  },
  // There is none in HTTP/2.
  statusMessage: {value: '', writable: true},
});

/** As `writeHead` of HTTP/1.1: what is given here wins over what was set before, and may be there several times. */
function addHeaders(head: OutgoingHttpHeaders, given: unknown): void {
  if (given === undefined || given === null) return;
  if (!Array.isArray(given)) {
    for (const [name, value] of Object.entries(given as OutgoingHttpHeaders)) put(head, name, value);
    return;
  }
  const list = (Array.isArray(given[0]) ? given.flat() : given) as string[];
  const names: string[] = [];
  for (let index = 0; index < list.length; index += 2) {
    const name = list[index]!.toLowerCase();
    const value = list[index + 1]!;
    const before = names.includes(name) ? (head[name] as string | string[]) : undefined;
    names.push(name);
    put(head, name, before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value]);
  }
}

function put(head: OutgoingHttpHeaders, name: string, value: OutgoingHttpHeaders[string]): void {
  const lower = name.toLowerCase();
  if (value !== undefined && !ofConnections.has(lower)) head[lower] = value;
}
