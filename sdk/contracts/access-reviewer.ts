import type {AuthorizationAttributes, AuthorizationDecision, SelectorAttributes} from './authorizer.js';
import type {UserRules} from './user-rules.js';
import type {UserInfo} from './user.js';

/** Asks the server's own authenticators and authorizers, for plugins that answer reviews. */
export interface AccessReviewer {
  /**
   * The decision of the authorizers, asked in order. Anything but `allow` is a no. Rejects if one of them fails.
   *
   * @param attributes for objects with `isResourceRequest: true` and the group as it is served; what does not apply is empty
   */
  authorize(attributes: AuthorizationAttributes): Promise<AuthorizationDecision>;
  /**
   * Selectors as authorizers get them. What is no selector is left out, and named in `unreadable`.
   *
   * @param fieldSelector as in a query; empty for none
   * @param labelSelector likewise
   */
  readSelectors(fieldSelector: string, labelSelector: string): ReadSelectors;
  /** What the rules of all authorizers together allow a user in a namespace; see `Authorizer.rulesFor`. */
  rulesFor(user: UserInfo, namespace: string): Promise<UserRules>;
  /**
   * The user of a bearer token; undefined if no authenticator knows it. Rejects with a 401 if one refuses it; the message or the cause says why.
   *
   * @param audiences the token must be for one of these; for the server itself if empty
   */
  authenticateToken(token: string, audiences?: readonly string[]): Promise<TokenIdentity | undefined>;
}

/** Selectors of a request. */
export interface ReadSelectors extends SelectorAttributes {
  readonly unreadable: readonly ('fieldSelector' | 'labelSelector')[];
}

/** The holder of a token. */
export interface TokenIdentity {
  readonly user: UserInfo;
  /** The requested audiences that the token is for. */
  readonly audiences: readonly string[];
}
