import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Duplex} from 'node:stream';
import type {UserInfo} from './user.js';
import type {Startable} from './startable.js';

/** A request for a non-resource path; it has passed authentication and authorization (verb = method, path), unless the route is public. */
export interface RouteRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly user: UserInfo;
  /** Aborted when the client has gone or the time of the request is up; the response is no longer the route's to write then. */
  readonly signal: AbortSignal;
  readonly incoming: IncomingMessage;
}

/** An HTTP path outside the resource tree. Contributed by a plugin as a class decorated with `@route`. */
export interface Route extends Startable {
  /** Writes the response. A thrown `StatusError` is rendered as such. */
  handle(request: RouteRequest, response: ServerResponse): void | Promise<void>;
  /**
   * Takes over the connection of a request with `Upgrade` (a WebSocket, say); such a request has no deadline. What it throws before it has written anything is
   * answered as in `handle`. Without this method, `handle` gets such requests like all others.
   *
   * @param head what the client has sent of the new protocol already
   */
  upgrade?(request: RouteRequest, socket: Duplex, head: Buffer): void | Promise<void>;
}
