import type {
  AccessReviewer,
  AuthenticationRequest,
  AuthorizationAttributes,
  AuthorizationDecision,
  TokenIdentity,
  UserInfo,
  UserRules,
} from '../../../sdk/index.js';
import type {Authorization} from '../filters/authorize.js';
import type {Authentication} from './authentication.js';

/** Answers reviews with the same authenticators and authorizers as requests. */
export class AccessReview implements AccessReviewer {
  readonly #authentication: Authentication;
  readonly #authorization: Authorization;

  constructor(authentication: Authentication, authorization: Authorization) {
    this.#authentication = authentication;
    this.#authorization = authorization;
  }

  async authorize(attributes: AuthorizationAttributes): Promise<AuthorizationDecision> {
    return this.#authorization.decide(attributes);
  }

  /** As `authorize`, but at once where the authorizers can say at once. */
  decide(attributes: AuthorizationAttributes): AuthorizationDecision | Promise<AuthorizationDecision> {
    return this.#authorization.decide(attributes);
  }

  rulesFor(user: UserInfo, namespace: string): Promise<UserRules> {
    return this.#authorization.rulesFor(user, namespace);
  }

  authenticateToken(token: string, audiences: readonly string[] = []): Promise<TokenIdentity | undefined> {
    const wanted = audiences.length > 0 ? audiences : this.#authentication.serverAudiences;
    return this.#authentication.review(bearerRequest(token, wanted));
  }
}

/** A request that has nothing but a token. */
function bearerRequest(token: string, audiences: readonly string[]): AuthenticationRequest {
  const value = `Bearer ${token}`;
  return {
    header: (name) => (name === 'authorization' ? [value] : []),
    headers: () => [['authorization', value]],
    clientCertificate: () => undefined,
    remoteAddress: '',
    audiences,
  };
}
