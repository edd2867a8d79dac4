import {inject, virtualResource, type ApiObject, type VirtualRequest, type VirtualResource} from '../../../sdk/index.js';
import {AccessAnswer} from './access-answer.js';
import {selfReviewFaults} from './review-faults.js';
import type {AccessReview} from './review-types.js';

/** SelfSubjectAccessReview: whether the caller may perform an action. */
@virtualResource()
export class SelfSubjectAccessReviewHandler implements VirtualResource {
  readonly #answer: AccessAnswer;

  constructor(@inject(AccessAnswer) answer: AccessAnswer) {
    this.#answer = answer;
  }

  create(object: AccessReview, {user}: VirtualRequest): Promise<ApiObject> {
    const review = this.#answer.known(object);
    this.#answer.requireValid(selfReviewFaults(review));
    return this.#answer.to(review, user);
  }
}
