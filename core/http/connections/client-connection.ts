import type {Socket} from 'node:net';
import type {TLSSocket} from 'node:tls';
import type {LimitName} from '../limits/http-limits.js';
import type {Exchange} from '../request/exchange.js';

/** One client's connection after the handshake, whichever protocol was chosen for it. What else carries requests of it is `Carrier`. */
export interface ClientConnection {
  readonly socket: TLSSocket;
  /** The socket below TLS. */
  readonly transport: Socket;
  /** Key by which the connections of its client are counted. */
  readonly address: string;
  /** Whether the client has authenticated. */
  known: boolean;
  /** Whether no request is in progress, and no answer unsent. */
  readonly isIdle: boolean;
  /** The requests that are in progress or whose responses have not been sent. */
  readonly unfinished: Iterable<Exchange>;
  /**
   * Sees to what comes with no event: called once a second, idle or not. Cuts what has had an answer ready for `stallMillis` of which its client has taken nothing.
   *
   * @param now as `performance.now()`
   */
  look(now: number, stallMillis: number): void;
  /** Others take the server's place: it is to end when its client loses nothing by it. */
  retire(): void;
  /** Ends it behind what is under way, or at once. */
  end(): void;
  /** It has closed: aborts the requests in progress. */
  closed(): void;
  /** Logs that a limit took effect. */
  acted(limit: LimitName, what: string, details: object): void;
}
