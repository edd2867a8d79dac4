import {
  badRequest,
  inject,
  StatusError,
  Tokens,
  virtualResource,
  type AccessReviewer,
  type ApiObject,
  type VirtualResource,
} from '../../../sdk/index.js';
import {userInfoObject} from './user-info-object.js';

interface TokenReview extends ApiObject {
  spec?: {token?: string};
  status?: object;
}

/**
 * TokenReview: whose a bearer token is. `status.audiences` stays empty: the tokens that this server knows are for itself,
 * and a client that asks for other audiences learns that they were not looked at.
 */
@virtualResource()
export class TokenReviewHandler implements VirtualResource {
  constructor(@inject(Tokens.Access) private readonly access: AccessReviewer) {}

  async create(review: TokenReview): Promise<ApiObject> {
    const token = review.spec?.token;
    if (!token) throw badRequest('token is required for TokenReview in authentication');
    return {...review, status: await this.statusOf(token)};
  }

  private async statusOf(token: string): Promise<object> {
    try {
      const user = await this.access.authenticateToken(token);
      return user ? {authenticated: true, user: userInfoObject(user)} : {user: {}};
    } catch (error) {
      // A token that is refused is an answer; that nobody can tell is not.
      if (StatusError.is(error) && error.code === 401) return {user: {}, error: error.message};
      throw error;
    }
  }
}
