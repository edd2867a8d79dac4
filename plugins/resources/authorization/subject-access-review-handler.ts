import {
  inject,
  Tokens,
  virtualResource,
  type AccessReviewer,
  type ApiObject,
  type NamingProfile,
  type VirtualResource,
} from '../../../sdk/index.js';
import {answered, requireValid} from './access-answer.js';
import {accessAttributes, reviewedUser} from './access-attributes.js';
import {subjectReviewFaults} from './review-faults.js';
import type {AccessReview, SubjectQuestion} from './review-types.js';

/** SubjectAccessReview: whether somebody may do something. */
@virtualResource()
export class SubjectAccessReviewHandler implements VirtualResource {
  readonly #access: AccessReviewer;
  readonly #naming: NamingProfile;

  constructor(@inject(Tokens.Access) access: AccessReviewer, @inject(Tokens.Naming) naming: NamingProfile) {
    this.#access = access;
    this.#naming = naming;
  }

  create(review: AccessReview<SubjectQuestion>): Promise<ApiObject> {
    requireValid('SubjectAccessReview', subjectReviewFaults(review), this.#naming);
    return answered(review, accessAttributes(reviewedUser(review.spec ?? {}), review.spec ?? {}), this.#access);
  }
}
