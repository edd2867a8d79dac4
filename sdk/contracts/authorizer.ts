import type {UserRules} from './user-rules.js';
import type {UserInfo} from './user.js';
import type {Startable} from './startable.js';

/** What a caller wants to do. For non-resource paths only `user`, `verb` and `path` have meaning. */
export interface AuthorizationAttributes {
  readonly user: UserInfo;
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`, `proxy`; the lower-case HTTP method for other paths. */
  readonly verb: string;
  readonly isResourceRequest: boolean;
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
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
