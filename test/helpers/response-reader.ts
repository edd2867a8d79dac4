/** One answer as it came over a connection. */
export interface ReadResponse {
  readonly status: number;
  /** Status line and headers, without the empty line behind them. */
  readonly head: string;
  /** The body when bodies are kept, else empty. */
  readonly body: Buffer;
}

export interface ResponseReaderOptions {
  /** Whether bodies are handed out; they are only counted otherwise. */
  readonly keepBodies?: boolean;
  /** A whole answer is there. */
  readonly onResponse: (response: ReadResponse) => void;
  /** The head of an answer is there; its body may take long, or never end. */
  readonly onHead?: (status: number, head: string) => void;
  /** Bytes of a body, as they arrive. */
  readonly onBody?: (part: Buffer) => void;
  /** Whether the answer whose head has come has no body whatever its headers say, as those to HEAD. */
  readonly isBodiless?: (status: number) => boolean;
}

const empty = Buffer.alloc(0);
const headEnd = Buffer.from('\r\n\r\n');
const lineEnd = Buffer.from('\r\n');
/** Longest head of an answer; ours are far shorter. */
const maximumHeadBytes = 256 * 1024;

/**
 * Cuts what comes over a connection into answers of HTTP/1.1, any number of them one behind the other. It understands lengths and chunks, and
 * interim answers, which it tells by `onHead` alone.
 */
export class ResponseReader {
  readonly #options: ResponseReaderOptions;
  #rest: Buffer = empty;
  #state: 'head' | 'length' | 'chunk-size' | 'chunk' | 'trailer' | 'until-close' = 'head';
  #left = 0;
  #status = 0;
  #head = '';
  #parts: Buffer[] = [];

  constructor(options: ResponseReaderOptions) {
    this.#options = options;
  }

  /** Whether an answer has begun and is not complete. */
  get isWithinAnswer(): boolean {
    return this.#state !== 'head' || this.#rest.length > 0;
  }

  /** The connection has ended; an answer without length or chunks ends with it. */
  end(): void {
    if (this.#state === 'until-close') this.#finish();
  }

  /** Takes the next bytes. @throws Error when they are no HTTP/1.1 */
  take(chunk: Buffer): void {
    let data = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    while (data.length > 0) {
      const next = this.#step(data);
      if (next === undefined) break;
      data = next;
    }
    this.#rest = data.length === 0 ? empty : data;
  }

  /** Answers what is left of the bytes, or undefined when more have to come first. */
  #step(data: Buffer): Buffer | undefined {
    switch (this.#state) {
      case 'head': {
        const end = data.indexOf(headEnd);
        if (end < 0) {
          if (data.length > maximumHeadBytes || !'HTTP/1.'.startsWith(data.toString('latin1', 0, Math.min(7, data.length))))
            throw new Error(`not an answer of HTTP/1.1: ${JSON.stringify(data.toString('latin1', 0, 60))}`);
          return undefined;
        }
        this.#readHead(data.toString('latin1', 0, end));
        return data.subarray(end + 4);
      }
      case 'length':
      case 'chunk':
        return this.#takeBody(data);
      case 'until-close':
        this.#part(data);
        return empty;
      case 'chunk-size': {
        const end = data.indexOf(lineEnd);
        if (end < 0) return undefined;
        this.#left = Number.parseInt(data.toString('latin1', 0, end), 16);
        if (!(this.#left >= 0)) throw new Error(`not the size of a chunk: ${JSON.stringify(data.toString('latin1', 0, end))}`);
        this.#state = this.#left === 0 ? 'trailer' : 'chunk';
        return data.subarray(end + 2);
      }
      case 'trailer': {
        const end = data.indexOf(lineEnd);
        if (end < 0) return undefined;
        if (end === 0) this.#finish();
        return data.subarray(end + 2);
      }
    }
  }

  #takeBody(data: Buffer): Buffer | undefined {
    if (this.#left > 0) {
      const taken = Math.min(this.#left, data.length);
      this.#part(data.subarray(0, taken));
      this.#left -= taken;
      if (this.#left === 0 && this.#state === 'length') this.#finish();
      return data.subarray(taken);
    }
    // The line end behind a chunk.
    if (data.length < 2) return undefined;
    this.#state = 'chunk-size';
    return data.subarray(2);
  }

  #part(part: Buffer): void {
    if (this.#options.keepBodies) this.#parts.push(part);
    this.#options.onBody?.(part);
  }

  #readHead(head: string): void {
    this.#status = Number(head.slice(9, 12));
    if (!(this.#status >= 100)) throw new Error(`not an answer of HTTP/1.1: ${JSON.stringify(head.slice(0, 60))}`);
    this.#head = head;
    this.#options.onHead?.(this.#status, head);
    if (this.#status < 200) {
      // After 101 it is another protocol, and no answer follows.
      if (this.#status === 101) this.#state = 'until-close';
      return;
    }
    const length = /\r\ncontent-length:[ \t]*(\d+)/i.exec(head);
    if (this.#status === 204 || this.#status === 304 || this.#options.isBodiless?.(this.#status)) this.#finish();
    else if (/\r\ntransfer-encoding:[ \t]*chunked/i.test(head)) this.#state = 'chunk-size';
    else if (!length) this.#state = 'until-close';
    else if ((this.#left = Number(length[1])) === 0) this.#finish();
    else this.#state = 'length';
  }

  #finish(): void {
    const body = this.#parts.length === 0 ? empty : this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#state = 'head';
    this.#options.onResponse({status: this.#status, head: this.#head, body});
  }
}
