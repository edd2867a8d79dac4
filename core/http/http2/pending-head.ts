import type {ServerHttp2Session} from 'node:http2';
import type {Socket} from 'node:net';
import type {ConnectionOwner} from '../connections/connection.js';
import {freeHeadBytes} from '../connections/head-memory.js';
import type {LimitName} from '../limits/http-limits.js';

const noGroups: readonly string[] = [];

/**
 * The heads of requests on one connection of HTTP/2: those of requests in progress, and the one that is arriving. A head may come in several frames, and
 * nothing else comes between them; Node shows it when it is complete. That one is arriving is seen from the number of the stream that it begins, and from a
 * PING that is not answered meanwhile.
 */
export class PendingHead {
  /** The latest stream that has been announced, or of which is known that its head is complete. */
  #seen = 0;
  /** Since when a later one has begun. */
  #since: number | undefined;
  #bytesBefore: number;
  /** Bytes of the arriving head that are counted. */
  #counted = 0;
  readonly #session: ServerHttp2Session;
  readonly #transport: Socket;
  readonly #address: string;
  readonly #owner: ConnectionOwner;
  readonly #openedAt = performance.now();

  constructor(session: ServerHttp2Session, transport: Socket, address: string, owner: ConnectionOwner) {
    this.#session = session;
    this.#transport = transport;
    this.#address = address;
    this.#owner = owner;
    this.#bytesBefore = transport.bytesRead;
  }

  /** The head of a stream is complete. */
  seen(stream: number): void {
    this.#seen = Math.max(this.#seen, stream);
    this.#settle();
  }

  /** Counts the head of a request that is to be served, if it is large. @returns the limit that it would exceed */
  take(bytes: number): LimitName | undefined {
    if (bytes <= freeHeadBytes) return undefined;
    const limit = this.#full();
    if (limit === undefined) this.#owner.heads.addFor(this.#address, bytes);
    return limit;
  }

  /** @param bytes that `take` has counted, or fewer than it counts */
  release(bytes: number): void {
    if (bytes > freeHeadBytes) this.#owner.heads.addFor(this.#address, -bytes);
  }

  /** @returns the limit that makes an end to the connection */
  look(now: number): LimitName | undefined {
    const {headersTimeout} = this.#owner.limits;
    // Until a client has agreed to the server's bounds, Node's library keeps to much wider ones.
    if (this.#session.pendingSettingsAck && now - this.#openedAt >= headersTimeout) return 'headersTimeout';
    const {lastProcStreamID: begun = 0} = this.#session.state;
    if (begun <= this.#seen) return this.#settle();
    if (this.#since === undefined) {
      this.#since = now;
      // It is answered behind the head at the latest.
      if (!this.#session.closed) this.#session.ping((error) => !error && this.seen(begun));
    } else if (now - this.#since >= headersTimeout) return 'headersTimeout';
    return this.#count();
  }

  /** The connection has closed. */
  close(): void {
    this.#settle();
  }

  #count(): LimitName | undefined {
    const bytes = this.#transport.bytesRead - this.#bytesBefore;
    if (bytes <= freeHeadBytes || bytes <= this.#counted) return undefined;
    const limit = this.#full();
    if (limit !== undefined) return limit;
    this.#owner.heads.addFor(this.#address, bytes - this.#counted);
    this.#counted = bytes;
    return undefined;
  }

  #settle(): undefined {
    if (this.#counted > 0) this.#owner.heads.addFor(this.#address, -this.#counted);
    this.#counted = 0;
    this.#since = undefined;
    this.#bytesBefore = this.#transport.bytesRead;
    return undefined;
  }

  #full(): LimitName | undefined {
    const {heads} = this.#owner;
    if (heads.hasRoom({username: this.#address, groups: noGroups})) return undefined;
    return heads.isFull ? 'maxHeaderBytesInAll' : 'maxHeaderBytesPerAddress';
  }
}
