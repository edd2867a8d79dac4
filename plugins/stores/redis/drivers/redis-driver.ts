import type {ConnectionOptions} from 'node:tls';

/** An argument of a command. Strings are sent as UTF-8. */
export type Argument = string | Buffer;

/** A reply of RESP version 2. Bulk strings come as buffers; simple strings may come as text. */
export type Reply = Buffer | string | number | null | readonly Reply[];

export interface Endpoint {
  readonly host: string;
  readonly port: number;
  /** Given when the connection is to be encrypted. */
  readonly tls?: ConnectionOptions;
}

/** One plain connection: it is never re-established and no command is ever sent twice. */
export interface RedisConnection {
  /**
   * Sends a command; the commands of one turn of the event loop leave in one write. Replies come in the order of the commands.
   * A command sent `atOnce` leaves without waiting for others, if the driver supports it. Rejects with `ReplyError` if Redis answers with an error, with `ConnectionLost` if
   * the connection ends before the answer.
   */
  send(command: readonly Argument[], atOnce?: boolean): Promise<Reply>;
  /** Resolves with the reason once either side has ended the connection. Never rejects. */
  readonly ended: Promise<string>;
  /** Ends the connection at once; commands without an answer reject with `ConnectionLost`. */
  end(reason: string): void;
}

/**
 * The interface of a client library. Everything above a single connection (reconnecting, retrying, timeouts, finding
 * the right server) is done by the store, the same for all libraries, because a library that retries a commit on its own
 * would apply it twice.
 */
export interface RedisDriver {
  /** Opens a connection, without logging in. Rejects with `ConnectionLost` and the reason. */
  connect(endpoint: Endpoint, timeoutMillis: number): Promise<RedisConnection>;
}
