import type {
  AccessReviewer,
  AuthenticationRequest,
  AuthorizationAttributes,
  AuthorizationDecision,
  ReadSelectors,
  TokenIdentity,
  UserInfo,
  UserRules,
} from '../../../sdk/index.js';
import type {Authorization} from './authorization.js';
import type {Authentication} from '../authentication/authentication.js';
import {readSelectors} from './read-selectors.js';

/** The answer before there are authorizers. */
const undecided: AuthorizationDecision = {decision: 'no-opinion', reason: 'the authorizers are not there yet'};

/** Answers reviews with the same authenticators and authorizers as requests. */
export class AccessReview implements AccessReviewer {
  #installed: {readonly authentication: Authentication; readonly authorization: Authorization} | undefined;

  /** Begins to answer. */
  install(authentication: Authentication, authorization: Authorization): void {
    this.#installed = {authentication, authorization};
  }

  async authorize(attributes: AuthorizationAttributes): Promise<AuthorizationDecision> {
    return this.#parts.authorization.decide(attributes);
  }

  /** As `authorize`, but at once where the authorizers can say at once. */
  decide(attributes: AuthorizationAttributes): AuthorizationDecision | Promise<AuthorizationDecision> {
    return this.#installed?.authorization.decide(attributes) ?? undecided;
  }

  readSelectors(fieldSelector: string, labelSelector: string): ReadSelectors {
    return readSelectors(fieldSelector, labelSelector);
  }

  rulesFor(user: UserInfo, namespace: string): Promise<UserRules> {
    return this.#parts.authorization.rulesFor(user, namespace);
  }

  authenticateToken(token: string, audiences: readonly string[] = []): Promise<TokenIdentity | undefined> {
    const wanted = audiences.length > 0 ? audiences : this.#parts.authentication.serverAudiences;
    return this.#parts.authentication.review(bearerRequest(token, wanted));
  }

  get #parts(): {readonly authentication: Authentication; readonly authorization: Authorization} {
    if (!this.#installed) throw new Error('access can be decided from start on, not in constructors');
    return this.#installed;
  }
}

/** A request that has nothing but a token. */
function bearerRequest(token: string, audiences: readonly string[]): AuthenticationRequest {
  const value = `Bearer ${token}`;
  return {
    header: (name) => (name === 'authorization' ? [value] : []),
    headers: () => [['authorization', value]],
    clientCertificate: () => undefined,
    path: '',
    remoteAddress: '',
    audiences,
  };
}
