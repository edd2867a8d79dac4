import type {ServerResponse} from 'node:http';
import type {WatchSink} from '../../storage/watch/watch-query.js';
import type {KindFigures} from '../metrics/watch-figures.js';
import type {Exchange} from '../request/exchange.js';
import {isOutOfRoom} from './watch-room.js';
import {commonHeaders} from '../response/respond.js';

/** Where the events of a watch are sent, and until when. */
export interface WatchOutput extends WatchSink {
  /** Resolves when the client has disconnected or the watch has ended. */
  readonly closed: Promise<void>;
  /** Sends the headers, so that the client knows that the watch has started, before any event. */
  begin(): void;
}

/**
 * A watch as a chunked response. For HTTP/1.0 clients, which do not support chunks, it ends with the connection. Headers are sent at once,
 * with or before the first frame, because clients wait for them.
 */
export class WatchStream implements WatchOutput {
  readonly closed: Promise<void>;
  readonly #response: ServerResponse;
  readonly #exchange: Exchange;
  readonly #contentType: string;
  readonly #figures: KindFigures;

  /** @param figures counts what is sent */
  constructor(exchange: Exchange, contentType: string, figures: KindFigures) {
    this.#figures = figures;
    this.#exchange = exchange;
    this.#contentType = contentType;
    this.#response = exchange.response;
    this.closed = new Promise((resolve) => exchange.whenFinished(resolve));
    exchange.holdQueue(this);
  }

  get queuedBytes(): number {
    return this.#response.writableLength;
  }

  begin(): void {
    if (this.#response.headersSent || this.#response.destroyed) return;
    this.#response.writeHead(200, commonHeaders(this.#exchange, this.#contentType));
    this.#response.flushHeaders();
  }

  write(chunk: Buffer, sizes?: readonly number[]): void {
    // Something else has answered while the watch was being opened: its time cannot be over, but its body can be broken.
    if (this.#response.writableEnded) return;
    this.begin();
    if (isOutOfRoom(this.#exchange, this.queuedBytes)) return;
    this.#response.write(chunk);
    this.#figures.sent(sizes);
    this.#exchange.sampleAnswer();
  }

  caughtUp(): void {
    this.#exchange.whenInitialized?.();
  }

  onceDrained(resume: () => void): void {
    if (this.#response.writableNeedDrain) this.#response.once('drain', resume);
    else setImmediate(resume);
  }

  end(frame?: Buffer): void {
    if (this.#response.writableEnded) return;
    this.begin();
    this.#response.end(frame);
  }
}
