import {
  badRequest,
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
import {accessAttributes, reviewedUser} from './access-attributes.js';
import {localReviewFaults} from './review-faults.js';
import type {AccessReview, SubjectQuestion} from './review-types.js';

/** LocalSubjectAccessReview: whether somebody may do something in one namespace. */
@virtualResource()
export class LocalSubjectAccessReviewHandler implements VirtualResource {
  readonly #access: AccessReviewer;
  readonly #naming: NamingProfile;

  constructor(@inject(Tokens.Access) access: AccessReviewer, @inject(Tokens.Naming) naming: NamingProfile) {
    this.#access = access;
    this.#naming = naming;
  }

  create(review: AccessReview<SubjectQuestion>, {namespace}: VirtualRequest): Promise<ApiObject> {
    if ((review.metadata.namespace || namespace) !== namespace) {
      throw badRequest(`the namespace of the review (${review.metadata.namespace}) does not match the namespace on the URL (${namespace})`);
    }
    requireValid('LocalSubjectAccessReview', localReviewFaults(review, namespace), this.#naming);
    return answered(
      {...review, metadata: {...review.metadata, namespace}},
      accessAttributes(reviewedUser(review.spec ?? {}), review.spec ?? {}),
      this.#access,
    );
  }
}
