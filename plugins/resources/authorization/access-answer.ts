import {
  inject,
  injectable,
  invalidObject,
  StatusError,
  Tokens,
  type AccessReviewer,
  type ApiObject,
  type AuthorizationAttributes,
  type FieldError,
  type NamingProfile,
} from '../../../sdk/index.js';
import type {AccessReview} from './review-types.js';

/** Answers access reviews; injected into their handlers. */
@injectable()
export class AccessAnswer {
  readonly #access: AccessReviewer;
  readonly #group: string;

  constructor(@inject(Tokens.Access) access: AccessReviewer, @inject(Tokens.Naming) naming: NamingProfile) {
    this.#access = access;
    this.#group = naming.group('authorization.orch');
  }

  /** @throws 422 with all errors, if a review of this kind has any */
  requireValid(kind: string, faults: readonly FieldError[]): void {
    if (faults.length > 0) throw invalidObject({group: this.#group, kind}, '', faults);
  }

  /** The review with its answer. If the authorizers cannot decide, the answer says so and access is denied. */
  async to(review: AccessReview, attributes: AuthorizationAttributes): Promise<ApiObject> {
    return {...review, status: await this.#decision(attributes)};
  }

  async #decision(attributes: AuthorizationAttributes): Promise<object> {
    try {
      const {decision, reason} = await this.#access.authorize(attributes);
      return {allowed: decision === 'allow', ...(decision === 'deny' ? {denied: true} : {}), ...(reason ? {reason} : {})};
    } catch (error) {
      if (!StatusError.is(error)) throw error;
      return {allowed: false, evaluationError: error.message};
    }
  }
}
