import {
  inject,
  Tokens,
  virtualResource,
  type AccessReviewer,
  type ApiObject,
  type NamingProfile,
  type VirtualRequest,
  type VirtualResource,
} from '../../../sdk/index.js';
import {answered, requireValid} from './access-answer.js';
import {accessAttributes} from './access-attributes.js';
import {selfReviewFaults} from './review-faults.js';
import type {AccessReview} from './review-types.js';

/** SelfSubjectAccessReview: whether the caller may do something. */
@virtualResource()
export class SelfSubjectAccessReviewHandler implements VirtualResource {
  readonly #access: AccessReviewer;
  readonly #naming: NamingProfile;

  constructor(@inject(Tokens.Access) access: AccessReviewer, @inject(Tokens.Naming) naming: NamingProfile) {
    this.#access = access;
    this.#naming = naming;
  }

  create(review: AccessReview, {user}: VirtualRequest): Promise<ApiObject> {
    requireValid('SelfSubjectAccessReview', selfReviewFaults(review), this.#naming);
    return answered(review, accessAttributes(user, review.spec ?? {}), this.#access);
  }
}
