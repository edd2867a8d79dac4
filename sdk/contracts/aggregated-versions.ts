import type {ServerResponse} from 'node:http';
import type {Duplex} from 'node:stream';
import type {JsonObject} from '../objects/api-object.js';
import type {RouteRequest} from './route.js';
import type {UserInfo} from './user.js';

/**
 * Group versions whose requests a plugin answers itself instead of contributing resource types, as for an aggregated API server. They are
 * authenticated, authorized, limited, audited and counted like all requests, and appear in discovery and OpenAPI beside the server's own.
 */
export interface AggregatedVersions {
  /**
   * Serves a group version from now on, or replaces what is known of it. It takes the place of the server's own version of that name in
   * every request from outside; plugins still reach the server's own. Every call makes clients fetch discovery anew: call it only when
   * something has changed.
   */
  set(version: AggregatedVersion): void;
  /** Stops serving it. Requests in flight finish. */
  delete(group: string, version: string): void;
  /** All that are served so now. */
  all(): readonly AggregatedVersion[];
}

/** Groups are spelled as clients see them. */
export interface AggregatedVersion {
  readonly group: string;
  readonly version: string;
  /** Groups with higher numbers come first in discovery. The highest among the versions of a group counts; 1 to 20000. */
  readonly groupPriority: number;
  /** Versions of the group with higher numbers come first, and the first is the preferred one; 1 to 1000. */
  readonly versionPriority: number;
  readonly server: VersionServer;
  /** Its resources, as far as they are known. */
  readonly resources: readonly AggregatedResource[];
  /** Whether `resources` may be out of date, because its server could not be asked. */
  readonly isStale: boolean;
  /**
   * OpenAPI v2: a document with `paths` (of this group version) and `definitions`, as JSON text. Where a definition differs from another one of
   * the same name, it is published under another name.
   */
  readonly openApiV2?: string;
  /** OpenAPI v3: fingerprint of the document that `server` answers at `/openapi/v3/apis/GROUP/VERSION`. Absent if there is none: it is made from `openApiV2` then. */
  readonly openApiV3?: string;
}

/** Answers the requests of a group version. */
export interface VersionServer {
  /**
   * Any request below `/apis/GROUP/VERSION`, including its discovery, and one for its OpenAPI v3 document. Writes the response itself. A
   * thrown `StatusError` is sent in plain text, so that clients do not take it for an answer about an object.
   */
  handle(request: RouteRequest, response: ServerResponse): Promise<void>;
  /** The same for a request to upgrade the connection, which is handed over. Must not reject. */
  upgrade(request: RouteRequest, socket: Duplex, head: Buffer): Promise<void>;
  /**
   * A request of this server's own, for controllers that deal with all types. Absent if it takes none. The answer is JSON of at most 4 MiB.
   *
   * @throws StatusError what the server answers, or 503 if it cannot be asked
   */
  ask?(call: VersionCall): Promise<JsonObject>;
}

export interface VersionCall {
  readonly method: 'GET' | 'DELETE';
  /** Path and query. */
  readonly path: string;
  /** Media types of the answer, all of them JSON. */
  readonly accept: string;
  readonly user: UserInfo;
  readonly signal: AbortSignal;
}

/** A resource of a group version, in the words of aggregated discovery. */
export interface AggregatedResource {
  readonly resource: string;
  readonly responseKind: ResponseKind;
  readonly scope: 'Cluster' | 'Namespaced';
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly AggregatedSubresource[];
}

export interface AggregatedSubresource {
  readonly subresource: string;
  readonly responseKind: ResponseKind;
  readonly verbs: readonly string[];
}

/** Group and version are empty where they are those of the group version. */
export interface ResponseKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}
