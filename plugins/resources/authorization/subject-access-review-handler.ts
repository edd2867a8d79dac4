import {inject, virtualResource, type ApiObject, type VirtualResource} from '../../../sdk/index.js';
import type {SubjectAccessReviewSpec} from '../../../sdk/types/unchecked/authorization/v1.js';
import {AccessAnswer} from './access-answer.js';
import {reviewedUser} from './access-attributes.js';
import {subjectReviewFaults} from './review-faults.js';
import type {AccessReview} from './review-types.js';

/** SubjectAccessReview: whether a user may perform an action. */
@virtualResource()
export class SubjectAccessReviewHandler implements VirtualResource {
  readonly #answer: AccessAnswer;

  constructor(@inject(AccessAnswer) answer: AccessAnswer) {
    this.#answer = answer;
  }

  create(object: AccessReview<SubjectAccessReviewSpec>): Promise<ApiObject> {
    const review = this.#answer.known(object);
    this.#answer.requireValid(subjectReviewFaults(review));
    return this.#answer.to(review, reviewedUser(review.spec ?? {}));
  }
}
