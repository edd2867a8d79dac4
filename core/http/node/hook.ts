import type {IncomingMessage, Server, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';

/** A request that has been announced. */
export interface Arrival {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** A connection that its client wants to upgrade to another protocol, and what was received after the request. */
  readonly upgrade?: {readonly socket: Socket; readonly head: Buffer};
}

/** A use of undocumented behaviour of Node.js or restify, with the proof that it still works. */
export interface Hook {
  /** The file of this folder. */
  readonly name: string;
  /** What has to be true, as a sentence. */
  readonly claim: string;
  /** @throws Error when it is not true; never ends when what it waits for does not come */
  probe(bench: Bench): void | Promise<void>;
}

/** A server without TLS on a loopback port, for as long as hooks are probed on its connections. */
export interface Bench {
  readonly server: Server;
  /**
   * A connection that Node's HTTP server has taken on.
   *
   * @param headBytes what a head on it may have
   */
  connect(headBytes?: number): Promise<BenchConnection>;
}

/** Both ends of a connection to the bench. */
export interface BenchConnection {
  readonly client: Socket;
  /** The server's end. */
  readonly socket: Socket;
  /** Called with each request while Node announces it, and how many there have been. */
  onArrival: (arrival: Arrival, number: number) => void;
  /** Whether a request has arrived that no probe has waited for. */
  readonly hasArrived: boolean;
  /** The code of the error with which Node's server gives the connection up. */
  readonly failure: Promise<string>;
  send(text: string): void;
  /** Sends bytes and waits for the next request that they complete the head of. */
  request(text: string): Promise<Arrival>;
  /** Waits until the server has received this many bytes in total. */
  received(bytes: number): Promise<void>;
  /** It is as it was, and serves another probe. */
  release(): void;
}

/** @throws Error with what has been found instead */
export function expect(isTrue: boolean, otherwise: string): void {
  if (!isTrue) throw new Error(otherwise);
}

/** One turn of the event loop: what has come by then has been read. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
