import type {UserRules} from './user-rules.js';
import type {UserInfo} from './user.js';
import type {Startable} from './startable.js';

/** What a caller wants to do. For non-resource paths only `user`, `verb` and `path` have meaning. */
export interface AuthorizationAttributes {
  readonly user: UserInfo;
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`, `proxy`; the lower-case HTTP method for other paths. */
  readonly verb: string;
  /** Whether it is about objects of a type, or of a subresource of it; otherwise about a path such as `/metrics`. */
  readonly isResourceRequest: boolean;
  /** The path of the request. */
  readonly path: string;
  /** As it is served; empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural, as in paths: `configmaps`. */
  readonly resource: string;
  /** `status`, `scale`; empty for the object itself. */
  readonly subresource: string;
  /** Empty for all namespaces, and for types without. */
  readonly namespace: string;
  /** Empty for lists, creates and what goes to a collection. */
  readonly name: string;
}

export interface AuthorizationDecision {
  /** `no-opinion` leaves the decision to the next authorizer; when none allows, the request is forbidden. */
  readonly decision: 'allow' | 'deny' | 'no-opinion';
  readonly reason?: string;
}

/** Decides what a caller may do. Contributed by a plugin as a class decorated with `@authorizer`; asked in order of priority. */
export interface Authorizer extends Startable {
  authorize(attributes: AuthorizationAttributes): AuthorizationDecision | Promise<AuthorizationDecision>;
  /**
   * Everything a user may do in a namespace (`''`: in all namespaces and on cluster-scoped objects), if the authorizer can express it as rules.
   * These rules limit what users may grant to others; a user whose permissions come from elsewhere needs the verbs `escalate` and `bind`.
   */
  rulesFor?(user: UserInfo, namespace: string): UserRules | Promise<UserRules>;
}
