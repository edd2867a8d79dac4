import type {FieldError} from '../errors/field-error.js';
import type {FieldPath} from '../errors/field-path.js';
import type {JsonObject} from '../objects/api-object.js';
import type {UserRules} from './user-rules.js';
import type {UserInfo} from './user.js';
import type {Startable} from './startable.js';

/** A condition on one field of the objects that are asked for. */
export interface FieldSelectorTerm {
  readonly key: string;
  readonly operator: 'In' | 'NotIn';
  /** One value. */
  readonly values: readonly string[];
}

/** A condition on one label of the objects that are asked for. */
export interface LabelSelectorTerm {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values: readonly string[];
}

/** What selectors limit a request to: all terms must hold. What an authorizer does not understand it may ignore, for selectors only narrow. */
export interface SelectorAttributes {
  /** Not empty. */
  readonly fieldSelector?: readonly FieldSelectorTerm[];
  /** Not empty. */
  readonly labelSelector?: readonly LabelSelectorTerm[];
}

/** What a caller wants to do. For non-resource paths only `user`, `verb` and `path` have meaning. */
export interface AuthorizationAttributes extends SelectorAttributes {
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
  /** What kept the authorizer from knowing better. Reviews show it; the caller of a request that is refused sees it beside the reasons. */
  readonly error?: string;
}

/** Decides what a caller may do. Contributed by a plugin as a class decorated with `@authorizer`; asked in order of priority. */
export interface Authorizer extends Startable {
  authorize(attributes: AuthorizationAttributes): AuthorizationDecision | Promise<AuthorizationDecision>;
  /**
   * Everything a user may do in a namespace (`''`: in all namespaces and on cluster-scoped objects), if the authorizer can express it as rules.
   * These rules limit what users may grant to others; a user whose permissions come from elsewhere needs the verbs `escalate` and `bind`.
   */
  rulesFor?(user: UserInfo, namespace: string): UserRules | Promise<UserRules>;
  /** Where entries of an `AuthorizationConfiguration` have settings of their own, in the member `webhook`: makes what they stand for. This instance is not asked then. */
  readonly factory?: AuthorizerFactory;
}

/** An authorizer that one entry of an `AuthorizationConfiguration` stands for. */
export interface ConfiguredAuthorizer extends Authorizer {
  /** It is not asked any more; questions that are under way are still answered. */
  close(): void;
}

/**
 * Makes authorizers from the settings in an `AuthorizationConfiguration` (`--authorization-config`), which may name several of the type. Used from before `start` on, and
 * whenever the file changes.
 */
export interface AuthorizerFactory {
  /** All that is wrong with the settings of an entry. @param path of the entry */
  faults(settings: JsonObject, path: FieldPath): Promise<readonly FieldError[]>;
  /** @param settings without faults @throws Error in one sentence if the authorizer cannot be made all the same */
  make(name: string, settings: JsonObject): Promise<ConfiguredAuthorizer>;
}
