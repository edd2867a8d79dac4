import type {Duplex} from 'node:stream';
import {HeaderCodec} from './header-codec.js';

/** A stream of a connection that speaks SPDY/3.1. */
export interface SpdyStream {
  readonly headers: ReadonlyMap<string, string>;
  /** Called with what arrives. */
  onData: (data: Buffer) => void;
  /** Called when nothing arrives any more. */
  onEnd: () => void;
  write(data: Buffer | string): void;
  /** Nothing is written any more. */
  end(): void;
}

const version = 0x8003;
const frame = {synStream: 1, synReply: 2, rstStream: 3, ping: 6, goAway: 7} as const;
const finFlag = 1;
const headSize = 8;
/** Bytes of a frame that is taken, and streams that may be open: clients open two for each connection that they forward. */
const largestFrame = 1024 * 1024;
const mostStreams = 2000;
/** What is written is cut into frames of this size. */
const writtenSize = 32 * 1024;

/** Agrees to SPDY on a connection. */
export function agreeToSpdy(socket: Duplex, head: Buffer, protocol: string): void {
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${protocol}\r\n\r\n`,
  );
  if (head.length > 0) socket.unshift(head);
}

/**
 * Speaks SPDY/3.1 as the server of a connection, as far as kubelets do: streams that clients open, data, pings. Resolves when the connection is over.
 *
 * @param accept called with each stream that the client opens
 */
export async function serveSpdy(connection: Duplex, accept: (stream: SpdyStream) => void): Promise<void> {
  const session = new SpdySession(connection, accept);
  try {
    let rest: Buffer = Buffer.alloc(0);
    for await (const chunk of connection as AsyncIterable<Buffer>) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      rest = await session.take(rest);
    }
  } catch {
    // Whoever does not speak it, or has gone, is answered by the end of the connection.
  } finally {
    session.close();
    connection.destroy();
  }
}

class SpdySession {
  readonly #connection: Duplex;
  readonly #accept: (stream: SpdyStream) => void;
  readonly #codec = new HeaderCodec();
  readonly #streams = new Map<number, SpdyStream>();

  constructor(connection: Duplex, accept: (stream: SpdyStream) => void) {
    this.#connection = connection;
    this.#accept = accept;
  }

  /** Takes the frames that are complete, and answers what is left. @throws Error for what is no frame */
  async take(bytes: Buffer): Promise<Buffer> {
    let at = 0;
    while (bytes.length - at >= headSize) {
      const length = bytes.readUInt32BE(at + 4) & 0xff_ff_ff;
      if (length > largestFrame) throw new Error('a frame is too large');
      if (bytes.length - at - headSize < length) break;
      const head = bytes.readUInt32BE(at);
      const flags = bytes[at + 4]!;
      const body = bytes.subarray(at + headSize, at + headSize + length);
      at += headSize + length;
      if (head >>> 31 === 0) this.#data(head, flags, body);
      else if (head >>> 16 === version) await this.#control(head & 0xffff, flags, body);
      else throw new Error('this is another version');
    }
    return bytes.subarray(at);
  }

  close(): void {
    this.#codec.close();
    for (const stream of this.#streams.values()) stream.onEnd();
    this.#streams.clear();
  }

  async #control(type: number, flags: number, body: Buffer): Promise<void> {
    if (type === frame.synStream) return this.#open(flags, body);
    if (type === frame.rstStream && body.length >= 4) this.#ended(body.readUInt32BE(0));
    else if (type === frame.ping && body.length >= 4) this.#send(controlHead(frame.ping, 0, 4), body.subarray(0, 4));
    else if (type === frame.goAway) this.#connection.end();
  }

  async #open(flags: number, body: Buffer): Promise<void> {
    if (body.length < 10 || this.#streams.size >= mostStreams) throw new Error('a stream cannot be opened');
    const id = body.readUInt32BE(0) & 0x7f_ff_ff_ff;
    const headers = await this.#codec.read(body.subarray(10));
    const block = await this.#codec.writeNone();
    const idBytes = Buffer.alloc(4);
    idBytes.writeUInt32BE(id);
    this.#send(controlHead(frame.synReply, 0, 4 + block.length), idBytes, block);
    const stream: SpdyStream = {
      headers,
      onData: () => undefined,
      onEnd: () => undefined,
      write: (data) => this.#write(id, Buffer.from(data as string)),
      end: () => this.#send(dataHead(id, finFlag, 0)),
    };
    this.#streams.set(id, stream);
    this.#accept(stream);
    if ((flags & finFlag) !== 0) this.#ended(id);
  }

  #data(id: number, flags: number, body: Buffer): void {
    if (body.length > 0) this.#streams.get(id)?.onData(body);
    if ((flags & finFlag) !== 0) this.#ended(id);
  }

  /** Nothing more arrives on a stream; it can still be written. */
  #ended(id: number): void {
    const stream = this.#streams.get(id);
    this.#streams.delete(id);
    stream?.onEnd();
  }

  #write(id: number, data: Buffer): void {
    for (let at = 0; at < data.length; at += writtenSize) {
      const part = data.subarray(at, at + writtenSize);
      this.#send(dataHead(id, 0, part.length), part);
    }
  }

  #send(...parts: readonly Buffer[]): void {
    if (this.#connection.writable) this.#connection.write(Buffer.concat(parts));
  }
}

function controlHead(type: number, flags: number, length: number): Buffer {
  const head = Buffer.alloc(headSize);
  head.writeUInt16BE(version, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt32BE(flags * 2 ** 24 + length, 4);
  return head;
}

function dataHead(id: number, flags: number, length: number): Buffer {
  const head = Buffer.alloc(headSize);
  head.writeUInt32BE(id, 0);
  head.writeUInt32BE(flags * 2 ** 24 + length, 4);
  return head;
}
