import type {ServerHttp2Stream} from 'node:http2';
import process from 'node:process';
import type {Scheduler} from '../../../sdk/index.js';
import type {ConnectionOwner} from '../connections/connection.js';
import type {HttpLimits, LimitName} from '../limits/http-limits.js';
import type {MemoryBudget} from '../limits/memory-budget.js';
import type {Carrier, Exchange} from '../request/exchange.js';
import type {StreamRequest} from './stream-request.js';
import type {StreamResponse} from './stream-response.js';

// As in `listener.ts`.
const {constants} = process.getBuiltinModule('node:http2');

/** What a stream needs from its connection. */
export interface StreamOwner {
  readonly owner: ConnectionOwner;
  identified(): void;
  unidentified(): void;
  unsentChanged(bytes: number): void;
  acted(limit: LimitName, what: string, details: object): void;
}

/** One stream of HTTP/2: it carries one request, and what happens to it does not concern the others of its connection. */
export class StreamCarrier implements Carrier {
  /** Once it is served. */
  exchange: Exchange | undefined;
  /** Bytes of its head that are counted. */
  headBytes = 0;
  /** Whether what serves it still works. */
  isHandled = true;
  /** Whether its end has been seen to. */
  isOver = false;
  #unsent = 0;
  /** Bytes of its body that have come and that nobody has read. */
  #unread = 0;
  /** When its client last took bytes of an answer that is ready, and how many it had by then. */
  #taken: {readonly at: number; readonly bytes: number} | undefined;

  constructor(
    readonly stream: ServerHttp2Stream,
    readonly request: StreamRequest,
    readonly response: StreamResponse,
    readonly connection: StreamOwner,
  ) {}

  get limits(): HttpLimits {
    return this.connection.owner.limits;
  }

  get scheduler(): Scheduler {
    return this.connection.owner.scheduler;
  }

  get answers(): MemoryBudget {
    return this.connection.owner.answers;
  }

  get bodies(): MemoryBudget {
    return this.connection.owner.bodies;
  }

  identified(): void {
    this.connection.identified();
  }

  unidentified(): void {
    this.connection.unidentified();
  }

  cut(): void {
    this.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }

  /** The stream ends with its answer in any case. */
  endsWith(): void {}

  unsentChanged(bytes: number): void {
    this.#unsent += bytes;
    this.connection.unsentChanged(bytes);
  }

  /** Sets how many bytes of the body wait to be read: counted among all bodies, until whoever reads them counts them for their user. */
  holdUnread(bytes: number): void {
    this.bodies.add(bytes - this.#unread);
    this.#unread = bytes;
  }

  working(exchange: Exchange): number {
    return this.connection.owner.working(exchange);
  }

  acted(limit: LimitName, what: string, details: object): void {
    this.connection.acted(limit, what, details);
  }

  /** As `cutStalled` of its connection: its client may read others, and have closed the window of this one. */
  cutStalled(now: number, stallMillis: number): void {
    if (this.#unsent === 0 || this.stream.writableLength === 0) {
      this.#taken = undefined;
      return;
    }
    const bytes = this.response.takenBytes;
    if (this.#taken?.bytes !== bytes) {
      this.#taken = {at: now, bytes};
    } else if (now - this.#taken.at >= stallMillis) {
      this.acted('stallTimeout', 'a stream was reset whose client takes nothing of its answer', {unsent: this.#unsent});
      this.stream.close(constants.NGHTTP2_CANCEL);
    }
  }
}
