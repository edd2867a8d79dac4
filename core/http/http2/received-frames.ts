import type {IncomingHttpHeaders} from 'node:http2';
import {LeakyBucket} from './leaky-bucket.js';

/**
 * What a connection may receive besides requests, in bytes on the wire with those of TLS: at once, and in a second. Clients send some when they begin, and
 * ask now and then whether the server is there.
 */
const overheadBurst = 1024 * 1024;
const overheadPerSecond = 8 * 1024;

/** Bytes on the wire that a request and each part of a body may take besides what they say: heads of frames and of TLS records, updates of windows. */
const perRequest = 512;
const perPart = 128;
/** Of what is sent, this part may come back as updates of windows: 35 bytes for each 4 KiB by some clients, of a stream and of the connection. */
const windowUpdateShare = 1 / 16;

/**
 * Separates requests from frames that only cost time: PING, SETTINGS, PRIORITY, WINDOW_UPDATE, DATA without data, frames of unknown types, heads of streams that
 * are refused. Node shows only a few of them, so it is the bytes that are counted that belong to no request.
 */
export class ReceivedFrames {
  readonly #bucket = new LeakyBucket(overheadBurst, overheadPerSecond);
  #received: number;
  #sent: number;
  #explained = 0;

  constructor(received: number, sent: number) {
    this.#received = received;
    this.#sent = sent;
  }

  /** A request has come. @param bodyBytes what may still be under way when its answer is complete */
  request(headBytes: number, bodyBytes: number): void {
    this.#explained += perRequest + headBytes + bodyBytes;
  }

  /** A part of a body has come. */
  part(bytes: number): void {
    this.#explained += perPart + bytes;
  }

  /** @param received bytes of the connection so far, and those that were sent @returns whether too many of them belong to no request */
  isTooMuch(received: number, sent: number, now: number): boolean {
    const others = received - this.#received - this.#explained - (sent - this.#sent) * windowUpdateShare;
    this.#received = received;
    this.#sent = sent;
    this.#explained = 0;
    return this.#bucket.add(others, now);
  }
}

/** Most bytes of the trailers of a request, which nothing reads: those of a chunked body of HTTP/1.1 count as a head. */
const maximumTrailerBytes = 8 * 1024;

/** Whether trailers are more than anybody sends. */
export function areTooLong(trailers: IncomingHttpHeaders): boolean {
  let bytes = 0;
  for (const [name, value] of Object.entries(trailers)) bytes += name.length + String(value).length;
  return bytes > maximumTrailerBytes;
}
