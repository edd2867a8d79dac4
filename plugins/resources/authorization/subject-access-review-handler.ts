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
  constructor(
    @inject(Tokens.Access) private readonly access: AccessReviewer,
    @inject(Tokens.Naming) private readonly naming: NamingProfile,
  ) {}

  create(review: AccessReview<SubjectQuestion>): Promise<ApiObject> {
    requireValid('SubjectAccessReview', subjectReviewFaults(review), this.naming);
    return answered(review, accessAttributes(reviewedUser(review.spec ?? {}), review.spec ?? {}), this.access);
  }
}
