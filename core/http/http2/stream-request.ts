import type {IncomingHttpHeaders, ServerHttp2Stream} from 'node:http2';
import {Readable} from 'node:stream';
import type {TLSSocket} from 'node:tls';

/** All that may come: one more would need extended CONNECT (RFC 8441), which is not offered, and any other is an error to Node's library. */
const pseudoHeaders = [':method', ':path', ':scheme', ':authority'] as const;

/** What a header costs besides its characters (RFC 9113, 6.5.2). */
const headerBytes = 32;

/**
 * A request of HTTP/2 as code that knows HTTP/1.1 expects it: no header begins with a colon, the authority is the host, and a body whose length is not said
 * has `transfer-encoding: chunked`. Node's own keeps other code waiting for a body that nobody reads, and shows no part of it before.
 */
export class StreamRequest extends Readable {
  readonly httpVersion = '2.0';
  readonly httpVersionMajor = 2;
  readonly httpVersionMinor = 0;
  readonly method: string;
  url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: string[] = [];
  readonly trailers = {};
  readonly stream: ServerHttp2Stream;
  readonly socket: TLSSocket;
  /** Undefined if the request names no scheme. */
  readonly given: {readonly scheme: string | undefined; readonly authority: string | undefined};
  /** Bytes of its names and values, as the peer of a connection counts them. */
  readonly headBytes: number;
  /** Whether something follows the headers. */
  readonly hasBody: boolean;
  /** Whether all of it has come. */
  complete: boolean;
  #distinct: Record<string, string[]> | undefined;

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, rawHeaders: readonly string[], socket: TLSSocket) {
    super({autoDestroy: false});
    const {':method': method, ':path': path, ':scheme': scheme, ':authority': authority} = headers;
    for (const name of pseudoHeaders) Reflect.deleteProperty(headers, name);
    this.method = method ?? 'GET';
    this.url = path ?? '';
    this.headers = headers;
    this.stream = stream;
    this.socket = socket;
    this.given = {scheme, authority};
    this.headBytes = this.#copy(rawHeaders);
    this.hasBody = !stream.endAfterHeaders;
    this.complete = !this.hasBody;
    if (headers.host === undefined && authority !== undefined) {
      headers.host = authority;
      this.rawHeaders.push('host', authority);
    }
    if (this.hasBody && headers['content-length'] === undefined) headers['transfer-encoding'] = 'chunked';
    if (this.complete) this.push(null);
  }

  get connection(): TLSSocket {
    return this.socket;
  }

  get headersDistinct(): Record<string, string[]> {
    if (this.#distinct) return this.#distinct;
    const distinct = Object.create(null) as Record<string, string[]>;
    for (let index = 0; index < this.rawHeaders.length; index += 2)
      (distinct[this.rawHeaders[index]!] ??= []).push(this.rawHeaders[index + 1]!);
    return (this.#distinct = distinct);
  }

  /**
   * Takes the body as it comes, as far as there is room for what nobody has read.
   *
   * @param heard called behind each part with its length
   */
  receive(heard: (bytes: number) => void): void {
    const {stream} = this;
    stream.on('data', (part: Buffer) => {
      if (!this.push(part)) stream.pause();
      heard(part.length);
    });
    stream.once('end', () => {
      this.complete = !stream.aborted;
      if (this.complete) this.push(null);
    });
    stream.once('close', () => this.destroy());
  }

  override _read(): void {
    if (this.hasBody) this.stream.resume();
  }

  #copy(raw: readonly string[]): number {
    let bytes = 0;
    for (let index = 0; index < raw.length; index += 2) {
      const name = raw[index]!;
      const value = raw[index + 1]!;
      bytes += name.length + value.length + headerBytes;
      if (!name.startsWith(':')) this.rawHeaders.push(name, value);
    }
    return bytes;
  }
}
