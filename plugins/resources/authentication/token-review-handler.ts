import {
  badRequest,
  inject,
  StatusError,
  Tokens,
  unauthorized,
  virtualResource,
  type AccessReviewer,
  type ApiObject,
  type VirtualResource,
} from '../../../sdk/index.js';
import type {TokenReview} from '../../../sdk/types/unchecked/authentication/v1.js';
import {userInfoObject} from './user-info-object.js';

const unknownToken = 'invalid bearer token';

/** TokenReview: whose bearer token it is, and for which of the requested audiences it is valid (by default those of this server). */
@virtualResource()
export class TokenReviewHandler implements VirtualResource {
  readonly #access: AccessReviewer;

  constructor(@inject(Tokens.Access) access: AccessReviewer) {
    this.#access = access;
  }

  async create(review: TokenReview): Promise<ApiObject> {
    const {token, audiences} = review.spec ?? {};
    if (!token) throw badRequest('token is required for TokenReview in authentication');
    return {...review, status: await this.#statusOf(token, audiences ?? [])};
  }

  async #statusOf(token: string, wanted: readonly string[]): Promise<object> {
    try {
      const found = await this.#access.authenticateToken(token, wanted);
      if (!found) return {user: {}, error: unknownToken};
      const {user, audiences} = found;
      return {authenticated: true, user: userInfoObject(user), ...(audiences.length > 0 ? {audiences: [...audiences]} : {})};
    } catch (error) {
      // A rejected token is an answer; a failed check is an error.
      if (StatusError.is(error) && error.code === 401) return {user: {}, error: reasonOf(error)};
      throw error;
    }
  }
}

/** Clients that present a token learn only that it was rejected; users who may review tokens learn why. */
function reasonOf(error: StatusError): string {
  if (error.cause instanceof Error) return error.cause.message;
  return error.message === unauthorized().message ? unknownToken : error.message;
}
