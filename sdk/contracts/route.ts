import type {IncomingMessage, ServerResponse} from 'node:http';
import type {UserInfo} from './user.js';
import type {Startable} from './startable.js';

/** A request for a non-resource path; it has passed authentication and authorization (verb = method, path). */
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
}
