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
   * Sends a command; those of one turn of the event loop leave in one write. Replies come in the order of the commands.
   * A driver that can lets one that is sent `atOnce` leave without waiting for others. Rejects with `ReplyError` when Redis answers with an error, with `ConnectionLost` when the connection ended before
   * the answer came.
   */
  send(command: readonly Argument[], atOnce?: boolean): Promise<Reply>;
  /** Resolves with the reason once the connection has ended, by whichever side. Never rejects. */
  readonly ended: Promise<string>;
  /** Ends the connection at once; commands without an answer reject with `ConnectionLost`. */
  end(reason: string): void;
}

/**
 * What a client library has to offer. Everything above a single connection (reconnecting, retrying, time limits,
 * finding the right server) is the same for all libraries and done by the store, because a library that sends a commit
 * again on its own would apply it twice.
 */
export interface RedisDriver {
  /** Opens a connection, without logging in. Rejects with `ConnectionLost` and the reason. */
  connect(endpoint: Endpoint, timeoutMillis: number): Promise<RedisConnection>;
}
