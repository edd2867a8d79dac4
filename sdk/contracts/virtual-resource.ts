import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Duplex} from 'node:stream';
import type {ApiObject} from '../objects/api-object.js';
import type {UserInfo} from './user.js';
import type {Startable} from './startable.js';

/** The context of a request for a virtual type or subresource. Authentication and authorization have already happened. */
export interface VirtualRequest {
  readonly user: UserInfo;
  readonly namespace: string;
  /** Name of the parent object for a subresource; empty for a type. */
  readonly name: string;
  readonly subresource: string;
  /** Version of the request. */
  readonly version: string;
  readonly query: URLSearchParams;
  readonly dryRun: boolean;
  readonly now: Date;
  /** Fires when the client has disconnected or the request has timed out. */
  readonly signal: AbortSignal;
  warn(text: string): void;
  /** Adds an annotation to the audit event. */
  annotate(key: string, value: string): void;
}

/** A request that takes over the connection (exec, proxy, log). */
export interface ConnectRequest extends VirtualRequest {
  readonly method: string;
  readonly incoming: IncomingMessage;
  /** Path after the subresource, with a leading slash, or empty. */
  readonly path: string;
}

/**
 * A resource type or subresource that is an operation rather than an object (docs/semantics/objects.md#operations-instead-of-objects).
 * Nothing is stored for it; it changes other objects through `ResourceClient`. Contributed by a plugin as a class decorated
 * with `@virtualResource` and named by `handler` in a resource definition or subresource. Missing methods are not served.
 */
export interface VirtualResource extends Startable {
  /**
   * POST, and for a subresource PUT. The object was decoded by the schema, defaulted, and has passed mutating and validating
   * admission as a CREATE. It may be changed. Returns the body of the response (201). Throws all errors of the object as one `invalidObject`.
   */
  create?(object: ApiObject, request: VirtualRequest): ApiObject | Promise<ApiObject>;
  /** GET of a subresource, or of one object of a type whose objects are not stored. */
  get?(request: VirtualRequest): ApiObject | Promise<ApiObject>;
  /** GET of a type whose objects are not stored. */
  list?(request: VirtualRequest): ApiObject[] | Promise<ApiObject[]>;
  /** Any method: writes the response itself. Admission has seen it as a CONNECT. */
  connect?(request: ConnectRequest, response: ServerResponse): void | Promise<void>;
  /**
   * Like `connect`, for requests to upgrade the connection, which have no deadline. What it throws before it has written anything is answered as an error;
   * after that the connection is closed.
   */
  upgrade?(request: ConnectRequest, socket: Duplex, head: Buffer): void | Promise<void>;
}
